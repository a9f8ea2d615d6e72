// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { spanOf } from "../src/panels/window.js";

test("what is made covers what is in sight, and with the gaps it is as long as the whole", () => {
  for (const count of [1, 7, 61, 10_000]) {
    for (const size of [20, 36.5]) {
      for (let from = 0; from <= count * size; from += Math.max(1, Math.floor(count * size / 50))) {
        const span = spanOf(count, size, from, 500);
        assert.ok(span.first >= 0 && span.first < span.last && span.last <= count);
        assert.ok(Math.abs(span.before + (span.last - span.first) * size + span.after - count * size) < 1e-6);
        assert.ok(span.before <= Math.min(from, (count - 1) * size), "nothing in sight is missing above");
        assert.ok(span.last === count || span.last * size >= from + 500, "nor below");
        assert.ok(span.last - span.first < 500 / size + 14, "and no more than a little beyond is made");
      }
    }
  }
});
