// @ts-check
// embed-code.js — the same embed written for where it is to go: HTML with and without scripts,
// Markdown, a LaTeX footnote, BibTeX. Pure.

/**
 * @typedef {{
 *   name: string, embed: string, lab: string, script: string, fragment: string, height: number, year: number,
 * }} Place embed and lab: addresses with the fragment; script: the address of embed.js; height in pixels, before the frame has told its own
 */

/** Gives every plain frame the height it asks for. */
export const listener = `<script>
addEventListener("message", (e) => { if (e.data?.type === "rcmdp-embed") for (const f of document.querySelectorAll("iframe")) if (f.contentWindow === e.source) f.style.height = Math.min(6000, e.data.height) + "px"; });
</script>`;

/** @param {string} text */
const attribute = (text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");

/** What TeX takes for commands. @param {string} text */
const tex = (text) =>
  text.replace(/\\/g, "\\textbackslash{}").replace(/[&%$#_{}]/g, (c) => `\\${c}`).replace(/~/g, "\\textasciitilde{}").replace(/\^/g, "\\textasciicircum{}");

/** An address within a macro's argument. @param {string} url */
const texUrl = (url) => `\\url{${url.replace(/[#%&]/g, (c) => `\\${c}`)}}`;

/** @type {{ id: string, title: string, help: string, write: (place: Place) => string }[]} */
export const forms = [
  {
    id: "iframe",
    title: "Frame",
    help: "HTML for any page. The script gives the frame the height of what is in it; leave it out where scripts are not allowed.",
    write: (p) =>
      `<iframe src="${attribute(p.embed)}" title="RCMDP Lab: ${
        attribute(p.name)
      }" width="100%" height="${p.height}" loading="lazy" allow="clipboard-write" style="border: 0"></iframe>\n${listener}`,
  },
  {
    id: "element",
    title: "Element",
    help: "HTML for a page of yours that may load a script from here. The height follows by itself.",
    write: (p) =>
      `<script type="module" src="${attribute(p.script)}"></script>\n<rcmdp-embed fragment="${attribute(p.fragment)}" label="RCMDP Lab: ${
        attribute(p.name)
      }"></rcmdp-embed>`,
  },
  {
    id: "markdown",
    title: "Markdown",
    help: "A frame for Markdown that allows HTML, and a link for where it does not.",
    write: (p) =>
      `<iframe src="${attribute(p.embed)}" title="RCMDP Lab: ${
        attribute(p.name)
      }" width="100%" height="${p.height}" loading="lazy" allow="clipboard-write"></iframe>\n\n[${p.name.replace(/([\\[\]])/g, "\\$1")} in RCMDP Lab](${
        p.lab.replace(/[()]/g, (c) => (c === "(" ? "%28" : "%29"))
      })`,
  },
  {
    id: "latex",
    title: "LaTeX",
    help: "A footnote; needs \\usepackage{hyperref}.",
    write: (p) => `\\footnote{${tex(p.name)}, live in RCMDP Lab: ${texUrl(p.lab)}}`,
  },
  {
    id: "bibtex",
    title: "BibTeX",
    help: "An entry for a list of references.",
    write: (p) =>
      `@misc{rcmdp-lab-${p.name.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "model"},
  title        = {${tex(p.name)}},
  howpublished = {A model in RCMDP Lab, ${texUrl(p.lab)}},
  year         = {${p.year}}
}`,
  },
];
