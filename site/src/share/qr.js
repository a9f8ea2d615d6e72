// @ts-check
// qr.js — a link as a QR code, drawn as one path. Pure; loaded when a link is shared.

import { encode } from "uqr";

/**
 * @param {string} text
 * @returns {{ size: number, path: string }} the squares of a drawing of so many units a side, its quiet margin included
 */
export function qrOf(text) {
  const { data, size } = encode(text, { ecc: "L", border: 4 });
  let path = "";
  data.forEach((row, y) => {
    for (let x = 0, from; x < size; x++) { // squares beside each other are one
      if (!row[x]) continue;
      for (from = x; row[x + 1]; x++);
      path += `M${from} ${y}h${x + 1 - from}v1h${from - x - 1}z`;
    }
  });
  return { size, path };
}
