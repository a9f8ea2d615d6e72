// @ts-check
// browser.js — the few things only a browser does for the page: files in and
// out, the clipboard, small storage that may be missing.

/**
 * Offers text or a blob as a file.
 * @param {string} name
 * @param {string | Blob} content
 * @param {string} [type]
 */
export function saveFile(name, content, type = "application/json") {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** What lies at an address of the site. @param {string | URL} url */
export async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}

/** How long the page may be busy with a file at a time, in milliseconds. */
const BUSY = 12;

/**
 * Offers a text that takes long to write as a file; the page is free in between.
 * @param {string} name
 * @param {Iterable<string>} pieces
 */
export async function saveText(name, pieces) {
  const parts = [];
  let from = performance.now();
  for (const piece of pieces) {
    parts.push(piece);
    if (performance.now() - from > BUSY) {
      await new Promise((resolve) => setTimeout(resolve));
      from = performance.now();
    }
  }
  saveFile(name, new Blob(parts, { type: "application/json" }));
}

/**
 * A name as a file name: letters, digits and dashes.
 * @param {string} name
 */
export const fileStem = (name) => name.normalize("NFKD").replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "model";

/**
 * @param {string} text
 * @returns {Promise<boolean>} false when the browser does not let us
 */
export const copyText = async (text) => navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;

/**
 * Text kept for this tab or this browser, under a name of this page's own path,
 * because several pages may share an origin. Reading and writing fail in silence:
 * what is kept here is a convenience, the runs have their own store.
 * @param {"session" | "local"} where
 * @param {string} key
 */
export function keeper(where, key) {
  const name = `rcmdp-lab:${location.pathname.replace(/[^/]*$/, "")}:${key}`;
  const storage = () => (where === "session" ? sessionStorage : localStorage);
  return {
    /** @returns {string | null} */
    read() {
      try {
        return storage().getItem(name);
      } catch {
        return null;
      }
    },
    /** @param {string | null} text */
    write(text) {
      try {
        if (text === null) storage().removeItem(name);
        else storage().setItem(name, text);
      } catch { /* full or refused: see above */ }
    },
  };
}

/** What a page that is one file on a disk knows of itself; undefined in a page of the site. @returns {OnDisk | undefined} */
export const onDisk = () => /** @type {any} */ (globalThis).rcmdpFile;

/** A page of the site, for a link: from a file on a disk by the site's address, undefined where nobody knows it. @param {string} path */
export const pageOf = (path) => {
  const file = onDisk();
  return file ? (file.home ? new URL(path, file.home).href : undefined) : path;
};
