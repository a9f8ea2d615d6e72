// @ts-check
// first.js — a classic script before anything is painted: what was painted at build
// time is of one example, and must not be seen when the page will show another
// model; and a page that was opened from disk cannot load the rest of itself.

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
})();
