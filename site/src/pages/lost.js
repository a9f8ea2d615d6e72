// @ts-check
// lost.js — a classic script in the page for addresses that are of nothing. That page is shown at any depth and below
// any folder of a host, so that its links are right only when the lab has been found.

(async () => {
  const folders = location.pathname.split("/").slice(0, -1);
  for (let depth = 1; depth <= folders.length; depth++) {
    const home = `${folders.slice(0, depth).join("/")}/`;
    if (!(await isLab(home))) continue;
    for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("[data-to]"))) link.href = home + link.dataset.to;
    const lab = /** @type {HTMLAnchorElement} */ (document.querySelector("[data-lab]"));
    lab.hash = location.hash;
    return;
  }
})();

/** Whether the lab is in a folder: its build says so. @param {string} folder */
async function isLab(folder) {
  try {
    const response = await fetch(`${folder}build.json`);
    return response.ok && "loads" in await response.json();
  } catch {
    return false;
  }
}
