// @ts-check
// node.mjs — a reporter for `node --test`: shows what failed and was skipped, and ends with "#tally passed failed skipped".
// "#at NAME" says which test has begun or ended, for whoever watches over a file that hangs.

import { inspect } from "node:util";

/** @param {AsyncIterable<any>} source */
export default async function* report(source) {
  let passed = 0, failed = 0, skipped = 0;
  /** Whether a test one level deeper has ended since the last one here: they end before their parent. @type {boolean[]} */
  const ended = [];
  for await (const { type, data } of source) {
    let container = false; // a suite, a test with subtests, a file: not a test beside those it holds
    if (type === "test:pass" || type === "test:fail") {
      container = data.details.type === "suite" || (type === "test:pass" && ended[data.nesting + 1]) ||
        data.details.error?.failureType === "subtestsFailed";
      ended[data.nesting + 1] = false;
      ended[data.nesting] = true;
    }
    switch (type) {
      case "test:start":
        yield `#at in ${data.name}\n`;
        break;
      case "test:pass":
        yield `#at after ${data.name}\n`;
        if (container) break;
        if (data.skip !== undefined || data.todo !== undefined) {
          skipped++;
          yield `skipped ${data.name}: ${data.skip ?? data.todo}\n`;
        } else {
          passed++;
          if (data.details.duration_ms >= 5000) yield `slow: ${(data.details.duration_ms / 1000).toFixed(1)} s ${data.name}\n`;
        }
        break;
      case "test:fail":
        yield `#at after ${data.name}\n`;
        if (container) break;
        failed++;
        yield `FAILED ${data.name} (${data.file ?? ""}:${data.line ?? ""})\n${inspect(data.details.error?.cause ?? data.details.error)}\n`;
        break;
      case "test:stderr":
      case "test:stdout":
        yield data.message;
    }
  }
  yield `#tally ${passed} ${failed} ${skipped}\n`;
}
