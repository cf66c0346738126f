// The first script of the page: sets the theme, offers the socket that all tabs share, starts the app, says so when that
// fails. A classic script in the head, because it must run before the first paint; never cached (it names no build).
"use strict";
(() => {
  const { js, wasm } = document.currentScript.dataset;

  // The same key and shape as the app's settings. A storage that is full, blocked or broken means "auto".
  try {
    const { theme } = JSON.parse(localStorage.getItem("iris.settings") ?? "{}");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch { /* auto */ }

  // The page's one Trusted Types policy. The CSP allows this name once, so nobody can make another; it turns no string
  // into HTML or script, and refuses every script URL but those of the two workers.
  const WORKER = new URL("socket-worker.js", location.href).href;
  const DESK = new URL("modules/desk.js", location.href).href;
  const policy = globalThis.trustedTypes?.createPolicy("boot", {
    createScriptURL(url) {
      if (url === WORKER || url === DESK) return url;
      throw new TypeError(`no script may be loaded from ${url}`);
    },
  });

  // The socket that all tabs of this browser share, which lives in socket-worker.js; to its user it is a WebSocket. Where
  // there are no shared workers, or the worker does not answer, the caller opens a socket of its own (from then on).
  let shares = typeof SharedWorker === "function";
  class TabSocket {
    readyState = 0;
    #port;
    #release;
    #patience;
    constructor(url) {
      // A new build has a worker of its own.
      const worker = new SharedWorker(policy?.createScriptURL(WORKER) ?? WORKER, { name: `iris ${js}` });
      this.#port = worker.port;
      let here = false;
      let join = (lock) => {
        join = () => {};
        this.#port.postMessage({ open: url, lock });
      };
      // A lock that does not come is done without: the worker then learns of the tab's end by its port.
      this.#patience = setTimeout(() => (here ? join() : this.#fails()), 2000);
      worker.onerror = () => this.#fails();
      this.#port.onmessage = ({ data }) => {
        if (data.here) here = true;
        else if (data.text !== undefined) this.onmessage?.({ data: data.text });
        else if (data.opened) this.#opens();
        else if (data.closed) this.#ends(...data.closed);
      };
      // While this lock is held, the worker knows that the tab lives.
      const lock = `iris tab ${Math.random()}`;
      navigator.locks?.request(lock, () => new Promise((release) => { this.#release = release; join(lock); }))
        .catch(() => join());
      if (!navigator.locks) join();
    }
    send(text) { this.#port.postMessage({ send: text }); }
    close() {
      this.readyState = 3;
      clearTimeout(this.#patience);
      this.#port.postMessage({ bye: true });
      this.#port.close();
      this.#release?.();
    }
    #opens() {
      this.readyState = 1;
      this.onopen?.();
    }
    #ends(code, reason) {
      if (this.readyState === 3) return;
      this.close();
      this.onclose?.({ code, reason });
    }
    #fails() {
      shares = false;
      this.#ends(1006, "");
    }
  }
  globalThis.irisSocket = (url) => (shares ? new TabSocket(url) : null);

  // What only some pages need is in a module of its own, which gets the element that it is for. Without it, nothing is missing
  // but its work.
  const modules = {};
  globalThis.irisModule = (name, element) => {
    // Kept, because a second import would take a task, and a busy page has none left for a while.
    modules[name] ??= import(`./modules/${name}.js`);
    modules[name].then((module) => module.default(element)).catch((error) => {
      delete modules[name];
      console.warn(error);
    });
  };

  // What a page of its own shows, a second program: the recorded runs, the doctor, the log reader, the list of streamed
  // replies. `#doctor` asks for the page of that name, `#export/CHAT` for that of a chat, which takes it out of the address.
  const jsonl = (files) => [...files ?? []].filter(({ name }) => /\.(jsonl|ndjson)$/i.test(name));
  globalThis.irisDeskWorker = () => new Worker(policy?.createScriptURL(DESK) ?? DESK, { type: "module", name: "iris desk" });
  globalThis.irisDesk = (...asked) => import("./modules/desk.js").then((desk) => desk.open(...asked))
    .catch((error) => globalThis.irisFailed(error, "This part of Iris could not be loaded"));
  const byAddress = ({ oldURL } = {}) => {
    const page = /^#\/?(replay|doctor|log|streams|export\/.+)$/.exec(location.hash)?.[1];
    if (!page) return;
    history.replaceState(null, "", oldURL ?? location.pathname + location.search);
    globalThis.irisDesk(page);
  };
  addEventListener("hashchange", byAddress);
  // A recorded run that is dropped is replayed, not attached.
  addEventListener("drop", (event) => {
    const runs = event.defaultPrevented ? [] : jsonl(event.dataTransfer?.files);
    if (runs.length === 0) return;
    event.preventDefault();
    globalThis.irisDesk("replay", runs);
  }, true);

  // The last resort: what the reader sees when the app cannot start or has panicked. It uses nothing of the app's,
  // not even its stylesheet. The app's panic hook calls it.
  globalThis.irisFailed = (message, title = "Iris has stopped") => {
    if (!document.body) {
      document.addEventListener("DOMContentLoaded", () => globalThis.irisFailed(message, title), { once: true });
      return;
    }
    if (document.getElementById("iris-failed")) return;
    const element = (name, text, style) => {
      const made = document.createElement(name);
      made.textContent = text;
      for (const [property, value] of Object.entries(style)) made.style.setProperty(property, value);
      return made;
    };
    const panel = element("section", "", {
      position: "fixed", inset: "auto 1rem 1rem", "z-index": "1000", padding: "1rem", "max-width": "40rem",
      margin: "0 auto", background: "Canvas", color: "CanvasText", border: "1px solid", "border-radius": "12px",
      font: "1rem/1.5 system-ui, sans-serif",
    });
    panel.id = "iris-failed";
    panel.setAttribute("role", "alert");
    const reload = element("button", "Reload", { font: "inherit", padding: "0.4rem 1rem" });
    reload.type = "button";
    reload.addEventListener("click", () => location.reload());
    panel.append(
      element("strong", title, {}),
      element("p", "Reloading usually helps: the conversation is kept by the adapter.", { margin: "0.25rem 0" }),
      reload,
      element("pre", String(message).slice(0, 2000), {
        margin: "0.75rem 0 0", "max-height": "30vh", overflow: "auto", "white-space": "pre-wrap", "font-size": "0.8rem",
        "overflow-wrap": "anywhere",
      }),
    );
    document.body.append(panel);
  };

  // A panic ends in a trap, and a trap anywhere (a callback, a promise) leaves the app dead: nothing else is caught here. One
  // of the second program's says so itself.
  const onTrap = (error) => {
    if (error instanceof WebAssembly.RuntimeError && !error.stack?.includes("/modules/")) globalThis.irisFailed(error.message);
  };
  addEventListener("error", (event) => onTrap(event.error));
  addEventListener("unhandledrejection", (event) => onTrap(event.reason));

  import(js)
    .then((glue) => glue.default({ module_or_path: wasm }))
    .then(() => {
      byAddress();
      const run = new URLSearchParams(location.search).get("replay");
      if (run) globalThis.irisDesk("replay", run);
      // Files that the system opens with the installed app.
      globalThis.launchQueue?.setConsumer(async ({ files }) => {
        if (files.length > 0) globalThis.irisDesk("replay", await Promise.all(files.map((file) => file.getFile())));
      });
    })
    .catch((error) => {
      console.error(error);
      globalThis.irisFailed(error, "Iris could not start");
    });
})();
