// @ts-check
// pictures.mjs — the guide's pictures of uncertainty sets: for a row over three next states, what
// nature may take, drawn from the sets' own definitions.

const q = [0.5, 0.3, 0.2];
/** Half the width of the interval for each probability. */
const half = [0.15, 0.1, 0.18];

/** Whether a row is in the set, by its definition. @type {Record<string, (p: number[], radius: number) => boolean>} */
const member = {
  l1: (p, r) => sum((i) => Math.abs(p[i] - q[i])) <= r,
  linf: (p, r) => Math.max(...p.map((x, i) => Math.abs(x - q[i]))) <= r,
  l2: (p, r) => Math.sqrt(sum((i) => (p[i] - q[i]) ** 2)) <= r,
  kl: (p, r) => sum((i) => (p[i] > 0 ? p[i] * Math.log(p[i] / q[i]) : 0)) <= r,
  chi2: (p, r) => sum((i) => (p[i] - q[i]) ** 2 / q[i]) <= r,
  contamination: (p, r) => p.every((x, i) => x >= (1 - r) * q[i]),
  interval: (p) => p.every((x, i) => Math.abs(x - q[i]) <= half[i]),
};

/** Other kernels' rows, for the picture of a list. */
const list = [q, [0.7, 0.15, 0.15], [0.3, 0.25, 0.45]];

/** @param {(i: number) => number} f */
const sum = (f) => f(0) + f(1) + f(2);

/** A row as a place in the triangle. @param {number[]} p */
const place = (p) => [8 + 144 * (p[1] + p[2] / 2), 132 - 124 * p[2]];
/** @param {number[]} at */
const text = (at) => at.map((x) => x.toFixed(1)).join(",");

/** The edge of the set: from the nominal row outward in all directions until a row is out of it. @param {string} kind @param {number} radius */
function outline(kind, radius) {
  const points = [];
  for (let k = 0; k < 360; k++) {
    const angle = (k * Math.PI) / 180;
    // Two directions that keep the sum of a row, orthogonal and of equal length.
    const u = [
      Math.cos(angle) / Math.SQRT2 + Math.sin(angle) / Math.sqrt(6),
      -Math.cos(angle) / Math.SQRT2 + Math.sin(angle) / Math.sqrt(6),
      -2 * Math.sin(angle) / Math.sqrt(6),
    ];
    let inside = 0, outside = 2;
    for (let i = 0; i < 40; i++) {
      const t = (inside + outside) / 2;
      const p = q.map((x, j) => x + t * u[j]);
      if (p.every((x) => x >= 0) && member[kind](p, radius)) inside = t;
      else outside = t;
    }
    points.push(text(place(q.map((x, j) => x + inside * u[j]))));
  }
  return points.join(" ");
}

/**
 * The picture of a kind of set, as SVG that a style sheet colours.
 * @param {string} kind @param {number} radius
 */
export function simplex(kind, radius) {
  const corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((p) => text(place(p))).join(" ");
  const dot = (/** @type {number[]} */ p, /** @type {string} */ name) =>
    `<circle class="${name}" cx="${place(p)[0].toFixed(1)}" cy="${place(p)[1].toFixed(1)}" r="3.5"/>`;
  const inside = kind === "finite"
    ? list.map((p, i) => dot(p, i === 0 ? "nominal" : "other")).join("")
    : `<polygon class="members" points="${outline(kind, radius)}"/>${dot(q, "nominal")}`;
  const said = kind === "finite"
    ? "three rows, one of which is nominal"
    : `the rows of ${kind}${radius ? ` with radius ${radius}` : ""} around the nominal row`;
  return `<svg class="simplex" viewBox="0 0 160 140" role="img" aria-label="A triangle of rows over three next states: ${said}"><polygon class="rows" points="${corners}"/>${inside}</svg>`;
}

/** Puts pictures in place of `<!--simplex kind radius-->`. @param {string} html */
export const illustrated = (html) =>
  html.replace(/<!--simplex (\w+) ?([\d.]*)-->/g, (mark, kind, radius) => {
    if (kind !== "finite" && !(kind in member)) throw new Error(`${mark} names no kind of set`);
    return simplex(kind, Number(radius));
  });
