// @ts-check
// reference.mjs — "Every call" of the guide, made from rcmdp.d.ts: declarations in its order, each
// with what its comment says.

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A comment's words, with code marked. @param {string} comment */
function words(comment) {
  const plain = comment.trim().replace(/^\/\*\*\s?|\s*\*\/$/g, "").replace(/^[ \t]*\* ?/gm, "").trim();
  return plain.split(/\n\s*\n/).map((part) => {
    const said = escaped(part).replace(/`([^`]+)`/g, "<code>$1</code>")
      .replace(/^@throws \{(\w+)\}/gm, "<br>Fails with")
      .replace(/^@param (\w+)/gm, "<br><code>$1</code>:");
    return `<p>${said.replace(/\s+/g, " ").replace(/^<br>/, "").trim()}</p>`;
  }).join("\n");
}

/**
 * The declarations of a type file: `comment` and `text` of each, and its members.
 * @param {string} source
 * @returns {{ name: string, comment: string, text: string, members: { comment: string, text: string }[] }[]}
 */
export function declarations(source) {
  const found = [];
  const pattern = /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export (?:declare )?(function|interface|type|class) (\w+)/g;
  for (const match of source.matchAll(pattern)) {
    const from = match.index + (match[1]?.length ?? 0);
    const to = end(source, from, match[2] === "interface" || match[2] === "class");
    const text = source.slice(from, to);
    const open = text.indexOf("{");
    const listed = match[2] === "interface" || match[2] === "class";
    found.push({
      name: match[3],
      comment: match[1] ?? "",
      text: listed ? text.slice(0, open).trim() : text.trim(),
      members: listed ? members(text.slice(open + 1, -1)) : [],
    });
  }
  return found;
}

/** Where a declaration that begins at `from` ends. @param {string} source @param {number} from @param {boolean} block */
function end(source, from, block) {
  let depth = 0;
  for (let i = from; i < source.length; i++) {
    const c = source[i];
    if (source.startsWith("/*", i)) {
      i = source.indexOf("*/", i) + 1;
      continue;
    }
    if (source.startsWith("//", i)) {
      i = source.indexOf("\n", i);
      continue;
    }
    if ("{([".includes(c)) depth++;
    else if ("})]".includes(c)) depth--;
    if (depth === 0 && (block ? c === "}" : c === ";")) return i + 1;
  }
  throw new Error(`a declaration does not end: ${source.slice(from, from + 60)}`);
}

/** @param {string} body */
function members(body) {
  const found = [];
  let at = 0;
  for (;;) {
    const rest = /^\s*(?:\/\/[^\n]*\n\s*)*(\/\*\*(?:(?!\*\/)[^])*\*\/\s*)?/.exec(body.slice(at));
    const from = at + (rest?.[0].length ?? 0);
    if (from >= body.trimEnd().length) return found;
    const to = end(body, from, false);
    // What is said within a member's type stays in the type file: a cell has no room for it.
    const text = body.slice(from, to).replace(/\/\*\*(?:(?!\*\/)[^])*\*\//g, "");
    found.push({ comment: rest?.[1] ?? "", text: text.replace(/\s+/g, " ").trim() });
    at = to;
  }
}

/** The page's content. @param {string} source of rcmdp.d.ts */
export function everyCall(source) {
  return declarations(source).map(({ name, comment, text, members: list }) => {
    const table = list.length === 0
      ? ""
      : `<table class="lines"><tbody>\n${
        list.map((member) => `<tr><td><code>${escaped(member.text)}</code>${member.comment ? words(member.comment) : ""}</td></tr>`).join("\n")
      }\n</tbody></table>`;
    return `<h2 id="${name}"><a href="#${name}">${name}</a></h2>\n<pre tabindex="0"><code>${escaped(text)}</code></pre>\n${
      comment ? words(comment) : ""
    }\n${table}`;
  }).join("\n\n");
}
