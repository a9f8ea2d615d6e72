// @ts-check
// loops.js — the inner loops of core/vector as a second, tiny WebAssembly module with SIMD that works
// on Go's own memory. The build puts this script in front of worker.js, with both modules inside.
//
// Go must have its imports before its memory is there, so it imports functions that call through a
// table (table.wat), and the table is filled once the memory can be given to the loops (vector.wat).
// A browser without SIMD leaves the table empty, and Go, told so, runs its own loops.

(() => {
  /** @param {string} base64 */
  const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

  /** @type {any} */ (globalThis).rcmdpLoops = () => {
    const loops = bytes(__LOOPS__);
    const simd = WebAssembly.validate(loops) ? 1 : 0;
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes(__LOOPS_TABLE__)), { vector: { simd } });
    return {
      imports: exports,
      /** @param {WebAssembly.Memory} memory of Go's instance, before it runs */
      connect(memory) {
        if (!simd) return;
        const { exports: made } = new WebAssembly.Instance(new WebAssembly.Module(loops), { go: { mem: memory } });
        const table = /** @type {WebAssembly.Table} */ (exports.table);
        ["axpy", "scale", "dot", "dots", "rank1", "combine", "least", "toward", "leastToward", "eliminate"].forEach((name, i) => table.set(i, made[name]));
      },
    };
  };
})();
