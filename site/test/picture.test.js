// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import zlib from "node:zlib";
import { html } from "htm/preact";
import { renderToString } from "preact-render-to-string";
import { carried } from "../src/document/carried.js";
import { cellName, firstGridDocument, gridIn, LONGEST_SIDE } from "../src/document/grid.js";
import { directionOf, graphOf, gridOf, MOST_STATES } from "../src/picture/graph.js";
import { drawable } from "../src/picture/walk.js";
import { groundIn, squaresOf } from "../src/picture/ground.js";
import { Arrows, Terrain } from "../src/picture/world.js";
import { documentInside, documentInsidePng, isPicture, KEYWORD, metadataOf } from "../src/picture/inside.js";
import { crc32, textIn, withText } from "../src/picture/png.js";
import { DOT, frameOf, radiusOf, spotsOf, steady, wayOf } from "../src/picture/drawing.js";
import { layoutOf } from "../src/picture/layout.js";
import { Walk } from "../src/panels/at-play.js";
import { fixture } from "./engine-build.js";

const machine = fixture("machine_repair");

test("a graph has every state, every available action and every move that can happen, with the policy's weights", () => {
  const { states, actions } = machine;
  const policy = states.map((/** @type {string} */ _, /** @type {number} */ s) =>
    actions.map((/** @type {string} */ __, /** @type {number} */ a) => (a === s % 2 ? 0.75 : 0.25))
  );
  const graph = graphOf(machine, { policy, occupancy: states.map((/** @type {string} */ _, /** @type {number} */ s) => (s === 0 ? 1 : 0)) });
  assert.equal(graph.states.length, states.length);
  assert.equal(graph.omitted, 0);
  assert.deepEqual(graph.states.map(({ reached }) => reached), states.map((/** @type {string} */ _, /** @type {number} */ s) => s === 0));
  for (const { id, state, action, weight } of graph.actions) {
    assert.equal(weight, policy[state][action]);
    const moves = graph.links.filter(({ from }) => from === id);
    assert.ok(Math.abs(moves.reduce((sum, { p }) => sum + p, 0) - 1) < 1e-12, "the moves of an action sum to 1");
    assert.ok(Math.abs(moves.reduce((sum, link) => sum + link.weight, 0) - weight) < 1e-12, "and its arrows to the policy's share");
    assert.equal(graph.links.filter(({ to }) => to === id).length, 1);
  }
});

test("a large model is drawn around one state, and says how many are left out", () => {
  const n = 400;
  const chain = {
    ...machine,
    states: Array.from({ length: n }, (_, s) => `s${s}`),
    actions: ["on"],
    initial: Array.from({ length: n }, (_, s) => Number(s === 0)),
    uncertainty: { kind: "finite", kernels: [{ transitions: { entries: Array.from({ length: n }, (_, s) => [s, 0, Math.min(s + 1, n - 1), 1]) } }] },
  };
  const graph = graphOf(/** @type {any} */ (chain), { around: 200 });
  assert.equal(graph.states.length, MOST_STATES);
  assert.equal(graph.omitted, n - MOST_STATES);
  assert.ok(graph.states.every(({ state }) => state >= 200 && state < 200 + MOST_STATES));
});

test("places are the same each time, apart from each other, and those of an earlier drawing are kept", () => {
  const graph = graphOf(machine);
  const place = (/** @type {Map<string, { x: number, y: number }>} */ kept, pinned = new Set()) => {
    const layout = layoutOf(graph, kept, pinned);
    let steps = 0;
    while (!layout.step(20)) steps++;
    assert.ok(steps > 5, "it lets others in between");
    return layout.places();
  };
  const first = place(new Map());
  assert.deepEqual(place(new Map()), first);
  for (const a of graph.states) {
    for (const b of graph.states) {
      const [p, q] = [first.get(a.id), first.get(b.id)];
      if (a !== b) assert.ok(Math.hypot((p?.x ?? 0) - (q?.x ?? 0), (p?.y ?? 0) - (q?.y ?? 0)) > 50, `${a.name} and ${b.name}`);
    }
  }
  const at = { x: 500, y: -300 };
  const moved = place(new Map([[graph.states[0].name, at]]), new Set([graph.states[0].name]));
  assert.deepEqual(moved.get("s0"), at);
});

test("no name lies on a circle and hardly any on another name, and arrows end at circles, for models of all sorts", () => {
  for (const name of ["machine_repair", "inventory", "rect_tv", "fig1_conflict", "gridworld3x3"]) {
    const problem = fixture(name);
    const { states, actions } = problem;
    const share = states.map((/** @type {unknown} */ _, /** @type {number} */ s) => (s === 0 ? 0.6 : 0.4 / states.length));
    const policy = states.map(() => actions.map(() => 1 / actions.length));
    const decided = states.map((/** @type {unknown} */ _, /** @type {number} */ s) =>
      actions.map((/** @type {unknown} */ _, /** @type {number} */ a) => Number(a === s % actions.length))
    );
    for (const view of [{}, { occupancy: share, policy }, { occupancy: share, policy: decided }]) {
      const graph = graphOf(problem, view);
      const layout = layoutOf(graph);
      while (!layout.step(100));
      const places = layout.places();
      const at = (/** @type {string} */ id) => places.get(id) ?? assert.fail(id);
      const radii = new Map(graph.states.map(({ id, size }) => [id, radiusOf(size)]));
      const ways = graph.links.map((l) => {
        const own = l.kind === "move" && l.to === `s${graph.actions.find(({ id }) => id === l.from)?.state}`;
        const way = wayOf(l, at(l.from), at(l.to), radii, own);
        const { x, y } = way.points[way.points.length - 1];
        const far = Math.hypot(x - at(l.to).x, y - at(l.to).y);
        assert.ok(far > (radii.get(l.to) ?? DOT) - 1 && far < (radii.get(l.to) ?? DOT) + 16, `${name}: an arrow ends ${far} from the middle`);
        return way;
      });
      const names = [
        ...graph.states.map((s) => ({ id: s.id, text: s.name, size: 12, centre: at(s.id), radius: radii.get(s.id) ?? 0 })),
        ...graph.actions.filter((a) => a.weight !== 0).map((a) => ({ id: a.id, text: `${a.name} 0.333`, size: 11, centre: at(a.id), radius: DOT })),
      ];
      const idle = graph.actions.filter((a) => a.weight === 0).map(({ id }) => ({ id, centre: at(id), radius: DOT }));
      const spots = spotsOf(names, ways, idle);
      assert.equal(spots.size, names.length);
      let across = 0, onDots = 0;
      for (const [id, { box }] of spots) {
        for (const n of [...names, ...idle]) {
          const [dx, dy] = [n.centre.x - Math.max(box.left, Math.min(n.centre.x, box.right)), n.centre.y - Math.max(box.top, Math.min(n.centre.y, box.bottom))];
          const clear = Math.hypot(dx, dy) > n.radius - 1;
          if (n.radius > DOT) assert.ok(clear, `${name}: the name of ${id} lies on the circle of ${n.id}`);
          onDots += Number(!clear);
        }
        across += Number(
          [...spots].some(([other, { box: b }]) =>
            other !== id && Math.min(b.right, box.right) - Math.max(b.left, box.left) > 1 && Math.min(b.bottom, box.bottom) - Math.max(b.top, box.top) > 1
          ),
        );
      }
      assert.ok(across <= names.length / 10, `${name}: ${across} of ${names.length} names lie on others`);
      assert.ok(onDots <= names.length / 10, `${name}: ${onDots} of ${names.length} names lie on dots`);
      const [left, top, width, height] = frameOf(names, spots.values(), ways, 10);
      for (const { box } of spots.values()) assert.ok(box.left >= left && box.top >= top && box.right <= left + width && box.bottom <= top + height);
    }
  }
});

test("a frame stays while it serves, grows for what sticks out, and is made anew when it is much too large", () => {
  assert.deepEqual(steady(null, [0, 0, 10, 10]), [0, 0, 10, 10]);
  assert.deepEqual(steady([0, 0, 10, 10], [1, 1, 9, 9]), [0, 0, 10, 10]);
  assert.deepEqual(steady([0, 0, 10, 10], [-1, 0, 10, 11]), [-1, 0, 11, 11]);
  assert.deepEqual(steady([0, 0, 10, 10], [4, 4, 5, 5]), [4, 4, 5, 5]);
});

test("a grid world is told from the names of its states, named cells included, and nothing else is", () => {
  const states = ["start", "row 1, column 2", "row 1, column 3", "row 2, column 1", "row 2, column 2", "goal"];
  const actions = ["up", "right", "down", "left"];
  const grid = gridOf(/** @type {any} */ ({ states, actions }));
  assert.equal(grid, null, "two of six cells have no number: too few to be sure");
  const more = gridOf(/** @type {any} */ ({ states: [...states, "row 3, column 1", "row 3, column 2", "row 3, column 3"], actions }));
  assert.deepEqual([more?.rows, more?.columns], [3, 3]);
  assert.deepEqual(more?.cells[0], { row: 0, column: 0 });
  assert.deepEqual(more?.cells[5], { row: 1, column: 2 });
  assert.equal(gridOf(machine), null);
  assert.equal(gridOf(/** @type {any} */ ({ states: [...states, "row 3, column 1", "row 3, column 2", "row 3, column 3"], actions: ["wait"] })), null);
  assert.deepEqual(["North", "left", "e", "stay"].map(directionOf), [[0, -1], [-1, 0], [1, 0], null]);
});

test("every kind of set can be drawn", () => {
  for (const name of ["machine_repair", "machine_repair_l1", "machine_repair_kl", "rect_tv"]) {
    const problem = fixture(name);
    assert.ok(drawable(problem).length > 0 && graphOf(problem).links.length > 0, name);
  }
});

test("a model comes back out of the picture it was saved in, whatever is in its words", () => {
  const odd = { ...machine, name: "a < b & </metadata> &lt; &gt; ]]> <![CDATA[ \"c\" \u0001 \uffff \ud800" };
  const svg = `<svg xmlns="http://www.w3.org/2000/svg"><title>x</title>${metadataOf(odd)}<rect/></svg>`;
  assert.ok(isPicture(svg.slice(0, 4096)));
  assert.deepEqual(documentInside(svg), odd);
  const inside = svg.slice(svg.indexOf("<metadata"), svg.indexOf("</metadata>"));
  assert.doesNotMatch(inside, /]]>|[^\x20-\ufffd]/, "whole XML");
  assert.equal(documentInside(svg.slice(0, 120)), null);
  assert.equal(documentInside("<svg><rect/></svg>"), null);
  assert.equal(documentInside(JSON.stringify(machine)), null);
});

test("a model comes back out of a PNG; the file stays a PNG with its own chunks, and a broken one holds none", async () => {
  const chunk = (/** @type {string} */ type, /** @type {Buffer} */ data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const around = Buffer.alloc(8);
    around.writeUInt32BE(data.length, 0);
    around.writeUInt32BE(zlib.crc32(body), 4);
    return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
  };
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  const own = [chunk("IHDR", header), chunk("IDAT", zlib.deflateSync(Buffer.from([0, 200]))), chunk("IEND", Buffer.alloc(0))];
  const png = Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...own]);
  const odd = { ...machine, name: "γ < b & \u0000 中 \"c\"" };
  const carrying = withText(png, KEYWORD, JSON.stringify(odd));
  assert.deepEqual(await documentInsidePng(carrying), odd);
  const added = chunk("iTXt", Buffer.from(`${KEYWORD}\0\0\0\0\0${JSON.stringify(odd)}`));
  assert.deepEqual(Buffer.from(carrying), Buffer.concat([png.subarray(0, 8), own[0], added, ...own.slice(1)]), "behind the header, with its checksum");
  assert.equal(crc32(Buffer.from("123456789")), 0xcbf43926);
  assert.equal(textIn(carrying, "other"), null);
  assert.equal(await documentInsidePng(png), null);
  for (const length of [0, 4, 20, 60, 100]) assert.equal(await documentInsidePng(carrying.subarray(0, length)), null);
});

test("what is known of a model is carried over to what it was edited to, by name", () => {
  const from = { states: ["a", "b"], actions: ["x", "y"] };
  const policy = [[1, 0], [0.5, 0.5]];
  assert.equal(carried(policy, from, { states: ["a", "b"], actions: ["x", "y"] }), policy, "the same table for the same names");
  assert.deepEqual(carried(policy, from, { states: ["b", "c", "a"], actions: ["y", "z", "x"] }), [[0.5, NaN, 0.5], [NaN, NaN, NaN], [0, NaN, 1]]);
  assert.deepEqual(carried([0.25, 0.75], from, { states: ["b", "c", "a"], actions: ["x"] }), [0.75, NaN, 0.25]);
  assert.equal(carried(null, from, from), null);
});

test("a painting's ground is the painting, and of another grid it is told from names and moves: walls, the goal, starts, costs", () => {
  const painting = /** @type {any} */ (firstGridDocument());
  const grid = gridIn(painting);
  const ground = groundIn(painting);
  for (const part of /** @type {const} */ (["rows", "columns", "wall", "goal", "initial", "costs"])) assert.deepEqual(ground?.[part], grid?.[part]);
  // The same model with its actions in another tongue and no staying is no painting.
  const { entries } = painting.uncertainty.nominal;
  const way = { up: "north", right: "east", down: "south", left: "west", stay: "south" };
  const other = {
    ...painting,
    actions: ["north", "east", "south", "west"],
    objective: { ...painting.objective, values: painting.objective.values.map((/** @type {number[]} */ of) => of.slice(0, 4)) },
    constraints: painting.constraints.map((/** @type {any} */ c) => ({ ...c, values: c.values.map((/** @type {number[]} */ of) => of.slice(0, 4)) })),
    uncertainty: {
      ...painting.uncertainty,
      nominal: { entries: entries.map((/** @type {any} */ [s, a, next, p]) => [s, way[/** @type {"up"} */ (a)], next, p]) },
    },
  };
  assert.equal(gridIn(other), null);
  const told = groundIn(other);
  for (const part of /** @type {const} */ (["rows", "columns", "wall", "goal", "initial"])) assert.deepEqual(told?.[part], grid?.[part]);
  grid?.wall.forEach((wall, cell) => assert.deepEqual(wall ? null : told?.costs.map((c) => c[cell]), wall ? null : grid.costs.map((c) => c[cell])));
  assert.equal(groundIn(machine), null);
});

test("what a cell shows is what is not the commonest, and a drawing of any size has one path for what looks alike", () => {
  const ground = groundIn(/** @type {any} */ (firstGridDocument()));
  assert.ok(ground);
  const of = squaresOf(ground);
  assert.deepEqual(of(0), { wall: false, goal: false, start: 1, tints: "", note: "" });
  assert.deepEqual(of(2), { wall: false, goal: false, start: 0, tints: "1:1.00", note: "1" });
  assert.deepEqual([of(6).goal, of(6).tints, of(6).note], [true, "", ""], "a goal that costs nothing is bare");
  const n = LONGEST_SIDE ** 2;
  const large = {
    ...firstGridDocument(),
    source: undefined,
    states: Array.from({ length: n }, (_, i) => cellName(Math.floor(i / LONGEST_SIDE), i % LONGEST_SIDE)),
    initial: Array.from({ length: n }, (_, i) => Number(i === 0)),
    objective: { name: "steps", values: Array.from({ length: n }, (_, i) => new Array(5).fill(i % 2)) },
    constraints: [],
  };
  const whole = groundIn(/** @type {any} */ (large));
  assert.ok(whole);
  const drawn = renderToString(
    html`<${Terrain} ground=${whole} /><${Arrows} ground=${whole} actions=${large.actions} policy=${large.states.map(() => [0, 1, 0, 0, 0])} />`,
  );
  assert.equal((drawn.match(/<path/g) ?? []).length, 5, "floor, dear cells, the start, the goal, the plan");
  assert.equal((/class="step" d="([^"]*)"/.exec(drawn)?.[1].match(/z/g) ?? []).length, n - 1, "an arrow each, but for the goal");
});

test("a model too large to draw says how many states it has and what shows one of them, and is no empty box", () => {
  const ring = (/** @type {number} */ n, models = 1) => ({
    ...machine,
    states: Array.from({ length: n }, (_, s) => `q${s}`),
    actions: ["on"],
    initial: Array.from({ length: n }, (_, s) => (s === 0 ? 1 : 0)),
    uncertainty: {
      kind: "finite",
      kernels: Array.from(
        { length: models },
        (_, k) => ({ name: `m${k}`, transitions: { entries: Array.from({ length: n }, (__, s) => [s, 0, (s + 1) % n, 1]) } }),
      ),
    },
  });
  const drawn = (/** @type {any} */ problem) => {
    const policy = problem.states.map(() => [1]);
    const kernel = { index: 0, name: "m0" };
    return renderToString(html`<${Walk} problem=${problem} result=${{ policy, worst: [{ kernel }] }} onLook=${() => {}} />`);
  };
  assert.match(drawn(ring(1200)), /^<p class="help">1.200 states are too many to draw. <button[^>]*>Look around one<\/button><\/p>$/);
  assert.match(drawn(ring(20, 2)), /<svg class="stage"[^]*worst case: m0/);
});
