// @ts-check
// loops.js — the inner loops of core/vector as tiny WebAssembly modules with SIMD that work on Go's own
// memory. The build puts this script in front of worker.js, with the modules inside.
//
// Go must have its imports before its memory is there, so it imports functions that call through a
// table (table.wat), and the table is filled once the memory can be given to the loops (the others).
// A browser without SIMD leaves the table empty, and Go, told so, runs its own loops.

(() => {
  // As table.wat counts them.
  const names = [
    ...["axpy", "scale", "dot", "dots", "rank1", "combine", "least", "toward", "leastToward", "eliminate"],
    ...["evaluate", "actions", "gather", "gatherRows", "gatherSome", "exp", "tilt", "tiltLittle", "weigh"],
    ...["sparseMultiply", "sparseMultiplyTransposed", "sparseFactor", "sparseSolve", "sparseSolveTransposed"],
    ...["order", "shift", "pour", "pourAround", "share", "lift", "project"],
  ];

  /** @param {string} base64 */
  const bytes = (base64) => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));

  /** @type {any} */ (globalThis).rcmdpLoops = () => {
    const modules = [
      bytes(__LOOPS__),
      bytes(__LOOPS_SYSTEMS__),
      bytes(__LOOPS_TILT__),
      bytes(__LOOPS_SPARSE__),
      bytes(__LOOPS_ROWS__),
      bytes(__LOOPS_PROJECT__),
    ];
    const simd = modules.every((module) => WebAssembly.validate(module)) ? 1 : 0;
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes(__LOOPS_TABLE__)), { vector: { simd } });
    return {
      imports: exports,
      /** @param {WebAssembly.Memory} memory of Go's instance, before it runs */
      connect(memory) {
        if (!simd) return;
        const made = Object.assign({}, ...modules.map((module) => new WebAssembly.Instance(new WebAssembly.Module(module), { go: { mem: memory } }).exports));
        const table = /** @type {WebAssembly.Table} */ (exports.table);
        for (const [i, name] of names.entries()) table.set(i, made[name]);
      },
    };
  };
})();
