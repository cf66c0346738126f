// The other end of the page: sockets and requests that a test answers by hand.
const sockets = [];
const asked = [];
let answers = [];

class Peer {
  constructor(url) {
    this.url = url;
    this.readyState = 0;
    this.sent = [];
    sockets.push(this);
  }
  send(text) { this.sent.push(text); }
  close() { this.readyState = 3; }
}

const realFetch = globalThis.fetch.bind(globalThis);
async function fakeFetch(url, init) {
  if (!/^(pair|files)/.test(url)) return realFetch(url, init);
  const headers = new Headers(init.headers);
  const body = init.body instanceof Blob ? `${init.body.size} bytes` : (init.body ?? "");
  asked.push([init.method, url, headers.get("authorization") ?? "", body].join(" | "));
  const answer = answers.shift();
  if (!answer) throw new TypeError("nobody answers");
  return new Response(answer.body, { status: answer.status, headers: { "content-type": answer.type } });
}

export function install() {
  sockets.length = 0;
  asked.length = 0;
  answers = [];
  delete globalThis.SharedWorker;
  globalThis.WebSocket = Peer;
  globalThis.fetch = fakeFetch;
}
const last = () => sockets[sockets.length - 1];
export const addresses = () => sockets.map((socket) => socket.url);
export const take_sent = () => last()?.sent.splice(0) ?? [];
export const take_asked = () => asked.splice(0);
export const will_answer = (status, type, body) => { answers.push({ status, type, body }); };
export function opens() {
  last().readyState = 1;
  last().onopen?.(new Event("open"));
}
export const says = (text) => { last().onmessage?.(new MessageEvent("message", { data: text })); };
export function closes(code, reason) {
  last().readyState = 3;
  last().onclose?.(new CloseEvent("close", { code, reason }));
}
export const stored_elsewhere = (key, value) => {
  dispatchEvent(new StorageEvent("storage", { key, newValue: value ?? null }));
};
export const is_there = (url) => realFetch(url).then(() => true, () => false);
