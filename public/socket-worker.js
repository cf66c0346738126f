// One WebSocket for all tabs of a browser. A shared worker: each tab has a port that behaves like a socket (boot.js makes
// it look like one), says its own hello and subscribes to its own chat. What a tab has asked for comes back to that tab;
// what happens in a chat goes to every tab that shows it; what is about the list of chats or the backend, to all.
// Decides nothing about reconnecting: a tab whose port was closed opens another one when its own time has come.
"use strict";

// A ping that waits so long, with nothing heard since, means that the socket may be dead.
const DOUBT_MS = 1500;
// Requests that wait for an answer; many kinds are only answered when they fail.
const MAX_ASKED = 1000;

const tabs = new Set();
let asked = [];
let syncing = new Map();
let socket = null;
let greeted = false;
let hello = null;
let heard = 0;

self.onconnect = ({ ports: [port] }) => {
  const tab = { port, chat: undefined };
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
  [socket, greeted, hello, asked, syncing] = [null, false, null, [], new Map()];
  tabs.clear();
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
  if (frame.type === "hello") {
    // Said once for all; who comes later is told what was answered, as it is now.
    if (hello) return tab.port.postMessage({ text: JSON.stringify(hello) });
    if (greeted) return;
    greeted = true;
  } else {
    if (frame.type === "subscribe") tab.chat = frame.chat;
    asked.push({ key: frame.client_id ?? frame.type, chat: frame.chat, tab, since: performance.now() });
    if (asked.length > MAX_ASKED) asked.shift();
  }
  socket.send(text);
}

function fromAdapter(text) {
  heard = performance.now();
  const frame = read(text);
  keepHello(frame);
  tell(listeners(frame), { text });
}

// Who hears of this frame.
function listeners({ type, chat, client_id, re }) {
  const there = () => (chat === undefined ? tabs : [...tabs].filter((tab) => tab.chat === chat));
  switch (type) {
    case "hello": case "backend.updated": case "chat.updated": case "chat.removed": return tabs;
    case "ack": case "search.result": return answered(client_id, chat) ?? there();
    case "history.page": return answered("history", chat) ?? there();
    case "pong": return answered("ping") ?? tabs;
    case "error": return (re && answered(re, chat)) || there();
    // A history that nobody has asked for is for everybody who is there: the adapter says that something was missed.
    case "sync.begin": syncing.set(chat, answered("subscribe", chat)); break;
  }
  const to = syncing.get(chat) ?? there();
  if (type === "sync.end") syncing.delete(chat);
  return to;
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
