// @ts-check
// logs-door.js — the door to a model from logs, whose content is loaded when it is first opened.

import { html } from "../view.js";
import { Later } from "./parts.js";

const load = () => import("./logs.js");

/** @param {{ lab: import("./parts.js").Lab, importing: import("../lab/importing.js").Importing }} props */
export const LogsDoor = (props) => html`<${Later} load=${load} part="Logs" of=${props} />`;
