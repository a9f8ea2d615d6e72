// @ts-check
// picture-file.js — a drawing of a model as a file: with its title, 1600 pixels wide, and with the model
// inside, so that the file can be opened again.

import { fileStem, saveFile } from "../browser.js";
import { coloured, pngOf, saveSvg, sheet, textLine } from "../picture/export.js";
import { KEYWORD, metadataOf } from "../picture/inside.js";
import { withText } from "../picture/png.js";

const WIDTH = 1600;

/** @param {SVGSVGElement} svg @param {string} name @param {unknown} document_ */
function fileOf(svg, name, document_) {
  const [, , w, h] = (svg.getAttribute("viewBox") ?? "0 0 4 3").split(/[ ,]+/).map(Number);
  const width = WIDTH - 64;
  const height = (width * h) / w;
  const style = getComputedStyle(document.body);
  const content = coloured(svg).replace("<svg ", `<svg width="${width}" height="${height}" `);
  const text = sheet({ width: WIDTH, height: height + 120, background: style.backgroundColor, title: name }, [
    { x: 32, y: 28, width, height: 40, content: textLine(name, { family: style.fontFamily, fill: style.color, size: 30, weight: "600" }) },
    { x: 32, y: 88, width, height, content },
  ]);
  return text.replace("</title>", () => `</title>\n${metadataOf(document_)}`);
}

/** @param {SVGSVGElement | null | undefined} svg @param {Doc} doc @param {"svg" | "png"} kind */
export async function savePicture(svg, doc, kind) {
  if (!svg) return;
  const name = String(doc.name || "Model");
  const stem = `${fileStem(name)}-picture`;
  const text = fileOf(svg, name, doc);
  if (kind === "svg") return saveSvg(text, stem);
  const png = new Uint8Array(await (await pngOf(text, 1)).arrayBuffer());
  saveFile(`${stem}.png`, new Blob([withText(png, KEYWORD, JSON.stringify(doc))]), "image/png");
}
