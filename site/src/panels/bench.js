// @ts-check
// bench.js — asks for parts of the workbench.

import { deferred } from "./parts.js";

/** What the page needs once its first answer is there, in one piece. */
const workbench = () => import("./workbench.js");

/** A part of the workbench. @param {keyof typeof import("./workbench.js")} part @param {Content} [waiting] */
export const later = (part, waiting = null) => deferred(workbench, part, waiting);
