// @ts-check
// yaml.js — YAML as JSON. Loaded with the first file of it.

import { load } from "js-yaml";

const encoder = new TextEncoder();

/** YAML as JSON of the same form. @param {Uint8Array} bytes @returns {Uint8Array} */
export const jsonOfYaml = (bytes) => encoder.encode(JSON.stringify(load(new TextDecoder().decode(bytes)), infinite));

/** What JSON has no number for as the text that other programs write. @param {string} _key @param {unknown} value */
const infinite = (_key, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);
