// @ts-check
// workbench.js — what a person works with once the first answer is there: tables, methods, runs, doors. Loaded in one piece.

export { Address } from "./address.js";
export { Editor } from "./editor.js";
export { Groups } from "./examples.js";
export { Keys } from "./keys.js";
export { Method } from "./method.js";
export { Doors } from "./new.js";
export { Runs } from "./runs.js";
export { Trouble } from "./trouble.js";
