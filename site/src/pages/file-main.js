// @ts-check
// file-main.js — starts what a page that is one file on a disk shows: the lab, or in a frame of it the embed.

import { onDisk } from "../browser.js";

if (onDisk()?.frame === undefined) void import("./main.js");
else void import("./embed-main.js");
