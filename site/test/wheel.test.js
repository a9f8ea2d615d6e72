// @ts-check
// The Python package as the build packs it: a wheel whose list of contents is true, and which a Python without anywidget, but with
// stand-ins for it, imports. That a kernel of a notebook runs it is not tested: none can be installed here.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../../dist/", import.meta.url));
const skip = spawnSync("python3", ["--version"]).status !== 0 && "python3 is not installed: the wheel is not looked into";

const program = `
import base64, csv, hashlib, io, json, sys, types, urllib.request, zipfile
whl, dist = sys.argv[1:]
with zipfile.ZipFile(whl) as z:
    assert z.testzip() is None
    record = next(n for n in z.namelist() if n.endswith("/RECORD"))
    rows = list(csv.reader(io.StringIO(z.read(record).decode())))
    assert sorted(r[0] for r in rows) == sorted(z.namelist()), "RECORD lists every file"
    for name, digest, size in rows:
        if name != record:
            data = z.read(name)
            assert int(size) == len(data) and digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), name

class AnyWidget:
    def __init__(self, **traits):
        for name, value in traits.items():
            assert isinstance(getattr(type(self), name), Trait), name + " is no trait"
            setattr(self, name, value)
class Trait:
    def __init__(self, default=None, help="", allow_none=False): self.default = default
    def tag(self, **how): assert how == {"sync": True}; return self
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, of, owner=None): return self if of is None else of.__dict__.get(self.name, self.default)
    def __set__(self, of, value): of.__dict__[self.name] = value
sys.modules["anywidget"] = types.SimpleNamespace(AnyWidget=AnyWidget)
sys.modules["traitlets"] = types.SimpleNamespace(Unicode=Trait, Dict=Trait, Bool=Trait)
sys.path.insert(0, whl)
import rcmdp_lab
lab = rcmdp_lab.Lab({"format": "rcmdp/1"}, home="https://lab.test/", theme="dark")
assert (lab.problem, lab.home, lab.theme, lab.run, lab.result, lab.status, lab.bound) == ({"format": "rcmdp/1"}, "https://lab.test/", "dark", True, None, None, None)
lab.result = {"status": "proved-optimal", "objective": {"value": 5, "sense": "minimize", "lowerBound": 4.5, "upperBound": None}, "policy": [[1]], "certificate": {"format": "x"}}
assert (lab.status, lab.objective, lab.bound, lab.policy, lab.certificate) == ("proved-optimal", 5, 4.5, [[1]], {"format": "x"})
lab.result["objective"].update(sense="maximize", upperBound=6)
assert lab.bound == 6
home = rcmdp_lab.serve(dist)
with urllib.request.urlopen(home + "rcmdp.wasm") as reply:
    assert reply.headers["Content-Type"] == "application/wasm"
with urllib.request.urlopen(home + "embed.html") as reply:
    assert b"embed" in reply.read()
try:
    rcmdp_lab.serve("/")
    raise SystemExit("a folder without the lab was served")
except FileNotFoundError:
    pass
sys.modules["marimo"] = types.SimpleNamespace(ui=types.SimpleNamespace(anywidget=lambda widget: widget))
problem = {"constraints": [{"atMost": 0.1}]}
for cell in json.loads(sys.stdin.read()):
    exec(cell)
assert lab.problem["constraints"][0]["atMost"] == 0.12 and lab.home == "https://your.site/rcmdp/"
print(rcmdp_lab.__version__)
`;

test("the wheel is whole, imports, and its Lab has the traits that the widget reads and writes", { skip }, () => {
  const cells = ["jupyter", "marimo"].flatMap((page) =>
    [...fs.readFileSync(fileURLToPath(new URL(`../guide/${page}.html`, import.meta.url)), "utf8").matchAll(/<code data-run="python">([^]*?)<\/code>/g)]
      .map(([, code]) => code.replaceAll("&quot;", "\"").replaceAll("&#x27;", "'"))
  );
  assert.equal(cells.length, 3);
  const [name] = fs.readdirSync(path.join(dist, "python"));
  const { stdout, stderr, status } = spawnSync("python3", ["-c", program, path.join(dist, "python", name), dist], {
    encoding: "utf8",
    input: JSON.stringify(cells),
  });
  assert.equal(status, 0, stderr);
  assert.equal(name, `rcmdp_lab-${stdout.trim()}-py3-none-any.whl`);
  const python = fs.readFileSync(fileURLToPath(new URL("../python/rcmdp_lab.py", import.meta.url)), "utf8");
  const widget = fs.readFileSync(fileURLToPath(new URL("../src/embed/widget.js", import.meta.url)), "utf8");
  const read = [...widget.matchAll(/model\.get\("(\w+)"\)|"change:(\w+)"/g)].map(([, a, b]) => a ?? b).concat([
    "example",
    "algorithm",
    "hide",
    "show",
    "theme",
    "slider",
    "explore",
    "result",
    "error",
  ]);
  for (const trait of new Set(read)) assert.match(python, new RegExp(`\\b${trait}\\b`), trait);
});
