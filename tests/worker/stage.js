// A shared worker on a stage: its script as it is, with ports, a socket, locks and a clock that a test holds.
export class Stage {
  constructor(source) {
    this.tabs = [];
    this.sockets = [];
    this.locks = new Map();
    this.now = 1;
    const stage = this;
    class Socket {
      readyState = 0;
      sent = [];
      constructor(url) {
        this.url = url;
        stage.sockets.push(this);
      }
      send(text) { this.sent.push(text); }
      close() { this.readyState = 3; }
    }
    const navigator = { locks: { request: (name, call) => this.locks.set(name, call) } };
    this.self = {};
    new Function("self", "WebSocket", "navigator", "performance", source)(this.self, Socket, navigator, {
      now: () => this.now,
    });
  }
  get last() { return this.sockets.at(-1); }
  // A tab's port; its number.
  join() {
    const port = { heard: [], postMessage(message) { this.heard.push(message); } };
    this.tabs.push(port);
    this.self.onconnect({ ports: [port] });
    return this.tabs.length - 1;
  }
  post(tab, message) { this.tabs[tab].onmessage({ data: JSON.parse(message) }); }
  hears(tab) {
    const words = ({ here, opened, text, closed }) =>
      here ? [] : opened ? ["opened"] : closed ? [`closed ${closed.join(" ")}`.trim()] : [text];
    return this.tabs[tab].heard.splice(0).flatMap(words);
  }
  dies(tab) { this.locks.get(`lock ${tab}`)(); }
  vanishes(tab) { this.tabs[tab].onclose(); }
  opens() {
    this.last.readyState = 1;
    this.last.onopen();
  }
  says(text) { this.last.onmessage({ data: text }); }
  closes(code, reason) { this.last.onclose({ code, reason }); }
  sent() { return this.last.sent.splice(0); }
  alive() { return this.sockets.filter((socket) => socket.readyState < 2).length; }
  opened() { return this.sockets.length; }
  later(ms) { this.now += ms; }
}
