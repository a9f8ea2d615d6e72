// @ts-check
// first.js — a classic script before anything is painted: what was painted at build
// time is of one example, and must not be seen when the page will show another
// model, whose answer is asked for at once; and a page that was opened from disk cannot load the rest of itself.

/* global __GALLERY_FILES__ */

(() => {
  const root = document.documentElement;
  if (location.protocol === "file:") {
    root.classList.add("from-disk");
    return;
  }
  let kept = null;
  try {
    kept = sessionStorage.getItem(`rcmdp-lab:${location.pathname.replace(/[^/]*$/, "")}:draft`);
  } catch { /* no storage, no draft */ }
  if (location.hash.length > 1 || kept !== null) root.classList.add("elsewhere");
  // The example that the address names is fetched beside the scripts that will show it.
  const file = JSON.parse(__GALLERY_FILES__)[/[#&]example=([\w-]+)/.exec(location.hash)?.[1] ?? ""];
  if (!file || kept !== null) return;
  const link = document.createElement("link");
  Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: file });
  document.head.append(link);
})();
