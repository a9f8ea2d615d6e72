// @ts-check
// plain.js — the document's modules for tests that write documents down and look into them as plain
// JSON, faulty ones too: names are checked, what is given (and returned, where that is a document) is not.

import * as edits from "../src/document/edits.js";
import * as reading from "../src/document/reading.js";
import * as rows from "../src/document/rows.js";
import * as shape from "../src/document/shape.js";
import * as grid from "../src/document/grid.js";
import * as kinds from "../src/document/kinds.js";
import * as transitions from "../src/document/transitions.js";

/** @template M @typedef {{ [name in keyof M]: M[name] extends (...given: any[]) => unknown ? (...given: any[]) => any : M[name] }} Plain */

/** @template M @typedef {{ [name in keyof M]: M[name] extends (...given: any[]) => infer R ? (...given: any[]) => R : M[name] }} Taking */

export const plainEdits = /** @type {Plain<typeof edits & typeof reading>} */ ({ ...edits, ...reading });
export const { unreadable } = /** @type {Plain<typeof shape>} */ (shape);
export const plainGrid = /** @type {Taking<typeof grid>} */ (grid);
export const plainKinds = /** @type {Plain<typeof kinds>} */ (kinds);
export const plainTransitions = /** @type {Taking<typeof transitions & typeof rows>} */ ({ ...transitions, ...rows });
