// @ts-check
// recording.js — put in front of worker.js by ./build.sh record: tells which functions of Go were called, after each
// message of the worker. In Node it writes files into the folder RECORD, in a browser it posts to "hits".

(() => {
  const g = /** @type {any} */ (globalThis), instantiate = WebAssembly.instantiate;
  const node = g.process?.getBuiltinModule?.("node:worker_threads");
  /** @type {WebAssembly.Memory | undefined} */
  let memory;
  let from = 0, count = 0, told = 0, role = "solver";

  function tell() {
    if (!memory || role !== "solver") return; // who saves runs has an answer already
    const bytes = new Uint8Array(memory.buffer), hits = [];
    for (let i = 0; i < count; i++) if (bytes[from + 320 * i]) hits.push(i);
    if (hits.length === told) return;
    told = hits.length;
    if (node) {
      const name = `${g.process.env.RECORD}/${g.process.pid}-${node.threadId}.json`;
      g.process.getBuiltinModule("node:fs").writeFileSync(name, JSON.stringify(hits));
    } else {
      const request = new XMLHttpRequest();
      request.open("POST", new URL("/hits", g.location.href.replace(/^blob:/, "")).href, false);
      request.send(JSON.stringify(hits));
    }
  }

  g.WebAssembly.instantiate = async (/** @type {any} */ module, /** @type {any} */ imports) => {
    const instance = await instantiate(module, imports);
    const [said] = WebAssembly.Module.customSections(module, "rcmdp");
    ({ marks: from, functions: count } = JSON.parse(new TextDecoder().decode(said)));
    memory = /** @type {any} */ (instance).exports.mem;
    return instance;
  };
  if (!node) g.addEventListener("message", (/** @type {MessageEvent} */ { data }) => (role = data.role ?? role));
  const port = node ? node.parentPort : g, post = port.postMessage.bind(port);
  port.postMessage = (/** @type {any[]} */ ...message) => {
    tell();
    post(...message);
  };
})();
