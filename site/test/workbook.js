// @ts-check
// workbook.js — workbooks of spreadsheets for tests, as their programs write them.

import { strToU8, zipSync } from "fflate";

/** A workbook of sheets with numbers, texts and dates. @param {Record<string, (string | number)[][]>} sheets */
export function workbook(sheets) {
  const names = Object.keys(sheets);
  const xml = (/** @type {string} */ text) => strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`);
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const cells = (/** @type {(string | number)[]} */ row, /** @type {number} */ r) =>
    row.map((v, c) => {
      const at = `${String.fromCharCode(65 + c)}${r + 1}`;
      return typeof v === "number" ? `<c r="${at}"><v>${v}</v></c>` : `<c r="${at}" t="inlineStr"><is><t>${v}</t></is></c>`;
    }).join("");
  return zipSync({
    "[Content_Types].xml": xml(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    ),
    "_rels/.rels": xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    "xl/workbook.xml": xml(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${
        names.map((n, i) => `<sheet name="${n}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("")
      }</sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": xml(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${
        names.map((_, i) => `<Relationship Id="rId${i + 1}" Type="${office}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`).join("")
      }</Relationships>`,
    ),
    ...Object.fromEntries(
      names.map((n, i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        xml(
          `<worksheet xmlns="${main}"><sheetData>${sheets[n].map((row, r) => `<row r="${r + 1}">${cells(row, r)}</row>`).join("")}</sheetData></worksheet>`,
        ),
      ]),
    ),
  });
}
