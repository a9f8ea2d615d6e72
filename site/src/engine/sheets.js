// @ts-check
// sheets.js — the sheets of a workbook as text. Loaded with the first workbook.

import readWorkbook from "read-excel-file/universal";

const encoder = new TextEncoder();

/**
 * The sheets of a workbook that hold anything, as CSV: numbers with a point, dates as 2026-01-31.
 * @param {Uint8Array} bytes
 * @returns {Promise<{ name: string, text: Uint8Array }[]>}
 */
export async function sheetsOf(bytes) {
  const copy = /** @type {ArrayBuffer} */ (bytes.slice().buffer);
  const sheets = await readWorkbook(copy);
  return sheets.filter(({ data }) => data.length > 0).map(({ sheet, data }) => ({
    name: sheet,
    text: encoder.encode(data.map((row) => `${row.map(cell).join(",")}\n`).join("")),
  }));
}

/** @param {unknown} value */
function cell(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = value instanceof Date ? value.toISOString().replace(/T00:00:00.000Z$/, "").replace(/\.000Z$/, "") : String(value);
  return `"${text.replace(/"/g, "\"\"")}"`;
}
