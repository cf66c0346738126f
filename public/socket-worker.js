// One WebSocket for all tabs of a browser. A shared worker: each tab has a port that behaves like a socket (boot.js makes
// it look like one), says its own hello and subscribes to its own chat. What a tab has asked for comes back to that tab;
// what happens in a chat goes to every tab that shows it; what is about the list of chats or the backend, to all.
// Decides nothing about reconnecting: a tab whose port was closed opens another one when its own time has come.
//
// To the adapter all tabs are one device: while it brings one of them up to date in a chat, it tells the others nothing
// of that chat. So what a history holds goes to them too, as far as it is new to them.
"use strict";

// A ping that waits so long, with nothing heard since, means that the socket may be dead.
const DOUBT_MS = 1500;
// Requests that wait for an answer; many kinds are only answered when they fail.
const MAX_ASKED = 1000;

const tabs = new Set();
let socket, greeted, hello, heard, asked, subscribed, onTheWire, syncs, pages, grown;
reset();

function reset() {
  [socket, hello, greeted, heard, asked] = [null, null, false, 0, []];
  subscribed = new Set(); // chats that the adapter tells us about
  onTheWire = new Map(); // chat → the subscription that waits for its history: one at a time
  syncs = new Map(); // chat → the history that is coming, and who hears what of it
  pages = new Map(); // chat → the requests for older history, one on the wire at a time
  grown = {}; // the last message, if it was an append or went on with one
}

self.onconnect = ({ ports: [port] }) => {
  const tab = { port, chat: undefined, last: undefined, waits: null };
  port.onmessage = ({ data }) => {
    if (data.open) open(tab, data.open, data.lock);
    else if (data.send !== undefined) fromTab(tab, data.send);
    else forget(tab);
  };
  port.onclose = () => forget(tab);
  port.postMessage({ here: true });
};

function open(tab, url, lock) {
  // The tab holds this lock for as long as it lives.
  if (lock) navigator.locks?.request(lock, () => forget(tab));
  const late = performance.now() - DOUBT_MS;
  if (asked.some(({ key, since }) => key === "ping" && heard <= since && since < late)) closed(1006, "");
  tabs.add(tab);
  if (!socket) connect(url);
  else if (socket.readyState === 1) tab.port.postMessage({ opened: true });
}

function connect(url) {
  try {
    socket = new WebSocket(url);
  } catch {
    return closed(1006, "");
  }
  socket.onopen = () => tell(tabs, { opened: true });
  socket.onmessage = ({ data }) => fromAdapter(data);
  socket.onclose = ({ code, reason }) => closed(code, reason);
}

function closed(code, reason) {
  const [old, all] = [socket, [...tabs]];
  tabs.clear();
  reset();
  if (old) {
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }
  tell(all, { closed: [code, reason] });
}

function forget(tab) {
  if (tabs.delete(tab) && tabs.size === 0) closed(1000, "");
}

function fromTab(tab, text) {
  if (!tabs.has(tab) || socket?.readyState !== 1) return;
  const frame = read(text);
  switch (frame.type) {
    case "hello":
      // Said once for all; who comes later is told what was answered, as it is now.
      if (hello) return tab.port.postMessage({ text: JSON.stringify(hello) });
      if (greeted) return;
      greeted = true;
      break;
    case "subscribe":
      Object.assign(tab, { chat: frame.chat, last: frame.after_seq, waits: frame });
      return subscribe(frame.chat);
    case "history": {
      const waiting = pages.get(frame.chat) ?? [];
      pages.set(frame.chat, waiting);
      if (waiting.push({ tab, text }) > 1) return;
      break;
    }
    default:
      asked.push({ key: frame.client_id ?? frame.type, chat: frame.chat, tab, since: performance.now() });
      if (asked.length > MAX_ASKED) asked.shift();
  }
  socket.send(text);
}

// Asks for the chat's history for the first tab that waits for it, if no other request for it is on its way.
function subscribe(chat) {
  const next = there(chat).find(({ waits }) => waits);
  if (!next || onTheWire.has(chat)) return;
  const { after_seq: after, ...whole } = next.waits;
  // Once the adapter tells us about a chat it may bring us up to date by itself. Only a whole history is then surely the
  // answer.
  const request = subscribed.has(chat) || after === undefined ? whole : { ...whole, after_seq: after };
  subscribed.add(chat);
  onTheWire.set(chat, { tab: next, after: request.after_seq });
  socket.send(JSON.stringify(request));
}

function fromAdapter(text) {
  heard = performance.now();
  const said = read(text);
  // A string goes on where the append before it ended, and is for those who were told of that.
  const frame = typeof said === "string" ? { ...grown, seq: grown.seq + 1 } : said;
  grown = /\.append$/.test(frame.type) ? frame : {};
  keepHello(frame);
  const { type, chat, seq, client_id, re } = frame;
  switch (type) {
    case "hello": case "backend.updated": case "chat.updated": case "chat.removed": return tell(tabs, { text });
    case "ack": case "search.result": return tell(answered(client_id, chat) ?? there(chat), { text });
    case "pong": return tell(answered("ping") ?? tabs, { text });
    case "history.page": return page(chat, text);
    case "error": return failed(re, chat, text);
    case "sync.begin": return begin(frame, text);
    case "sync.end": return end(chat, text);
  }
  if (syncs.has(chat)) return synced(chat, seq, text);
  // Who waits for a history hears of everything in it.
  const here = chat === undefined ? tabs : there(chat).filter(({ waits }) => !waits);
  tell(here, { text });
  if (chat !== undefined && seq !== undefined) for (const tab of here) tab.last = seq;
}

// A history begins. Those who know the chat hear what they lack of it; those who know nothing need a whole one.
function begin({ chat, reset: whole, to_seq: to, before_seq: before }, text) {
  const request = onTheWire.get(chat);
  const answers = Boolean(request && (whole || request.after !== undefined));
  const hearers = new Map();
  for (const tab of there(chat)) {
    const { last, waits } = tab;
    const covered = last !== undefined && !(before > last) && last <= to;
    if (whole && (!answers || !covered)) hearers.set(tab, -1);
    else if (covered && (waits ? answers && (whole || request.after <= last) : last < to)) hearers.set(tab, last);
  }
  syncs.set(chat, { hearers, to, answers });
  const rest = JSON.stringify({ type: "sync.begin", chat, reset: false, to_seq: to });
  for (const [tab, last] of hearers) tell([tab], { text: last < 0 ? text : rest });
}

function synced(chat, seq, text) {
  for (const [tab, last] of syncs.get(chat).hearers) if (!(seq <= last)) tell([tab], { text });
}

function end(chat, text) {
  const { hearers, to, answers } = syncs.get(chat) ?? { hearers: new Map() };
  syncs.delete(chat);
  for (const tab of hearers.keys()) Object.assign(tab, { last: to, waits: tab.chat === chat ? null : tab.waits });
  tell(hearers.keys(), { text });
  if (answers) onTheWire.delete(chat);
  subscribe(chat);
}

function page(chat, text) {
  const waiting = pages.get(chat) ?? [];
  const { tab } = waiting.shift() ?? {};
  if (tabs.has(tab)) tell([tab], { text });
  if (waiting.length > 0) socket.send(waiting[0].text);
}

// An error is for the tab whose request it answers; for all when it answers none.
function failed(re, chat, text) {
  const first = (waiting, ready) => (chat !== undefined ? chat : [...waiting.keys()].find(ready));
  const paged = first(pages, (key) => pages.get(key).length > 0);
  if (re === "history" && pages.has(paged)) return page(paged, text);
  const wired = first(onTheWire, () => true);
  if (re === "subscribe" && onTheWire.has(wired)) {
    const { tab } = onTheWire.get(wired);
    onTheWire.delete(wired);
    if (tab.chat === wired) tab.waits = null;
    if (tabs.has(tab)) tell([tab], { text });
    return subscribe(wired);
  }
  tell((re && answered(re, chat)) || (chat === undefined ? tabs : there(chat)), { text });
}

function there(chat) {
  return [...tabs].filter((tab) => chat === undefined || tab.chat === chat);
}

// The tab whose request this answers, if it is still there; answers come in the order of their requests.
function answered(key, chat) {
  const at = asked.findIndex((it) => it.key === key && (chat === undefined || (it.chat ?? chat) === chat));
  return at < 0 ? undefined : asked.splice(at, 1).map(({ tab }) => tab).filter((tab) => tabs.has(tab));
}

// What a tab that comes later must be told instead of what was said first.
function keepHello(frame) {
  if (frame.type === "hello") hello = frame;
  if (!hello) return;
  const { type, chat, seq, ...rest } = frame;
  if (type === "backend.updated") Object.assign(hello, { capabilities: [], commands: [] }, rest);
  if (type !== "chat.updated" && type !== "chat.removed") return;
  const others = (hello.chats ?? []).filter(({ id }) => id !== chat);
  if (type === "chat.updated") others.push({ id: chat, ...rest });
  hello.chats = others.sort((a, b) => b.updated_ms - a.updated_ms);
}

// What cannot be read is no frame of any kind; every tab counts it for itself.
function read(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function tell(to, message) {
  for (const tab of to) tab.port.postMessage(message);
}
