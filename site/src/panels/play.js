// @ts-check
// play.js — plays a plan: sampled episodes as histograms with their mean and the return
// marked, and one of them step by step. Emits nothing.

import { html, useEffect, useRef, useState } from "../view.js";
import { decisions, tableAt } from "../document/steps.js";
import { largest } from "../document/reading.js";
import { said } from "../lab/core.js";
import { kernelsOf, standing, totalsFigure } from "../lab/play.js";
import { calm, count, integer, number } from "../words/format.js";
import { Figures } from "./charts.js";
import { solverOf } from "./parts.js";
import { isDrawn, Stage } from "./stage.js";

/** @typedef {import("../rcmdp.js").Simulation} Simulation */
/** @typedef {import("../rcmdp.js").Problem} Problem */

const EPISODES = [500, 2000, 10000];
const SPEEDS = [{ id: 1, title: "slow" }, { id: 3, title: "brisk" }, { id: 12, title: "fast" }];
const PATHS = 8;
const STEPS = 400;

/** @param {import("./panels.js").PanelProps} props */
export function Panel({ lab, state, problem, answer, fresh, run }) {
  const policy = run ? null : answer?.result.policy;
  if (!policy?.length) return html`<p class="quiet">A plan can be played once there is one. Solve the model first.</p>`;
  if (state.engine.phase !== "ready") return html`<p class="quiet">The solver is loading…</p>`;
  return html`<${Play} key=${answer?.id} lab=${lab} problem=${answer?.problem ?? problem} policy=${policy} stale=${!fresh} />`;
}

/** @param {{ lab: import("./parts.js").Lab, problem: Problem, policy: import("../rcmdp.js").Policy, stale: boolean }} props */
function Play({ lab, problem, policy, stale }) {
  const kernels = kernelsOf(problem);
  const [kernel, setKernel] = useState(kernels[0].id);
  const [episodes, setEpisodes] = useState(EPISODES[1]);
  const [seed, setSeed] = useState(1);
  const [sim, setSim] = useState(/** @type {Simulation | null} */ (null));
  const [busy, setBusy] = useState(0);
  const [failed, setFailed] = useState("");
  const under = kernels.find((k) => k.id === kernel) ?? kernels[0];

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setFailed("");
    setBusy(1e-9);
    solverOf(lab).simulate(problem, policy, {
      kernel: under.kernel,
      episodes,
      seed,
      paths: PATHS,
      steps: STEPS,
      signal,
      onProgress: (/** @type {number} */ done, /** @type {number} */ total) => !signal.aborted && setBusy(done / total),
    }).then((/** @type {Simulation} */ s) => {
      if (signal.aborted) return;
      setSim(s);
      lab.say(`${count(s.episodes, "episode")} under ${s.kernel}: mean ${number(s.costs[0].mean)}, return ${number(s.costs[0].expected)}.`);
    }, (/** @type {unknown} */ error) => !signal.aborted && setFailed(said(error)))
      .finally(() => !signal.aborted && setBusy(0));
    return () => controller.abort();
  }, [problem, policy, kernel, episodes, seed]);

  return html`<div class="stack play">
    <p class="row">
      <label>Under <select value=${kernel} onChange=${(/** @type {FieldEvent} */ e) => setKernel(e.target.value)} aria-label="Kernel">${
    kernels.map((k) => html`<option value=${k.id} selected=${k.id === kernel}>${k.title}</option>`)
  }</select></label>
      <label>Episodes <select value=${String(episodes)} onChange=${(/** @type {FieldEvent} */ e) => setEpisodes(Number(e.target.value))}>${
    EPISODES.map((n) => html`<option value=${String(n)} selected=${n === episodes}>${integer(n)}</option>`)
  }</select></label>
      <button type="button" onClick=${() => setSeed(seed + 1)}>Other episodes</button>
      <span class="quiet" aria-live="off">${busy > 0 ? `${Math.round(100 * busy)} % drawn` : `seed ${seed}`}</span>
    </p>
    ${stale && html`<p class="help">These episodes are of the model before the edit.</p>`}
    ${failed && html`<p class="fault" role="alert"><span>${failed}</span></p>`}
    ${sim && sim.paths.length > 0 && html`<${Player} lab=${lab} problem=${problem} policy=${policy} sim=${sim} />`}
    ${
    sim && html`<${Figures} figures=${sim.costs.map((_, n) => totalsFigure(problem, sim, n))} name=${`${problem.name || "Model"} under ${sim.kernel}`} />
      <p class="help">${
      decisions(problem) > 0
        ? `Each episode is over after ${count(decisions(problem), "decision")}${problem.end?.length ? ", or when it ends before" : ""}.`
        : problem.discount === 1
        ? `Each episode goes on until it ends, for at most ${count(sim.horizon, "step")}.`
        : `Each episode has ${count(sim.horizon, "step")}; what would come after could add no more than ${number(sim.truncation, 2)}.`
    }</p>`
  }
  </div>`;
}

/** One episode, step by step. @param {{ lab: import("./parts.js").Lab, problem: Problem, policy: import("../rcmdp.js").Policy, sim: Simulation }} props */
function Player({ lab, problem, policy, sim }) {
  const [episode, setEpisode] = useState(0);
  const [step, setStep] = useState(0);
  const [speed, setSpeed] = useState(3);
  const [playing, setPlaying] = useState(false);
  const [filming, setFilming] = useState(-1); // how much of the picture is made; -1: none is
  const film = async () => {
    setFilming(0);
    await lab.attempt("The picture could not be made: ", async () => {
      const { saveFilm } = await import("./film.js");
      await saveFilm({ problem, policy, sim, episode: e }, setFilming);
      lab.say("The animated picture is saved.");
    });
    setFilming(-1);
  };
  const latest = useRef(step);
  latest.current = step;
  const e = Math.min(episode, sim.paths.length - 1);
  const now = standing(problem, sim, e, step);
  useEffect(() => setStep(0), [sim, e]);
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setInterval(() => {
      if (latest.current >= now.length) setPlaying(false);
      else setStep(latest.current + 1);
    }, 1000 / speed);
    return () => clearInterval(timer);
  }, [playing, speed, sim, e]);
  const costs = [problem.objective, ...(problem.constraints ?? [])];
  const nameOf = (/** @type {number} */ s) => problem.states[s] ?? "the end";
  const words = now.over
    ? `the episode ends in ${nameOf(now.state)}`
    : now.action === null
    ? `starts in ${problem.states[now.state]}`
    : `${problem.actions[now.action]} in ${problem.states[/** @type {number} */ (now.from)]} led to ${nameOf(now.state)}`;
  return html`<div class="player">
    <h3>One episode</h3>
    ${
    isDrawn(problem) &&
    html`<${Stage} problem=${problem} policy=${tableAt(policy, now.at)} from=${now.from} state=${
      now.state < 0 ? now.from : now.state
    } action=${now.action} seconds=${playing ? Math.min(0.5, 0.8 / speed) : 0.2} />`
  }
    <p class="saying" aria-live=${playing ? "off" : "polite"}>Step ${now.at}: ${words}.</p>
    <p class="row">
      <button type="button" class="primary" onClick=${() => {
    if (!playing && step >= now.length) setStep(0);
    setPlaying(!playing);
  }}>${playing ? "Pause" : "Play"}</button>
      <button type="button" disabled=${now.at === 0} onClick=${() => setStep(Math.max(0, now.at - 1))}>Back</button>
      <button type="button" disabled=${now.at >= now.length} onClick=${() => setStep(now.at + 1)}>Step</button>
      <label>Speed <select value=${String(speed)} onChange=${(/** @type {FieldEvent} */ ev) => setSpeed(Number(ev.target.value))}>${
    SPEEDS.map((s) => html`<option value=${String(s.id)} selected=${s.id === speed}>${s.title}</option>`)
  }</select></label>
      <label>Episode <select value=${String(e)} onChange=${(/** @type {FieldEvent} */ ev) => {
    setEpisode(Number(ev.target.value));
    setPlaying(false);
  }}>${sim.paths.map((_, i) => html`<option value=${String(i)} selected=${i === e}>${i + 1}</option>`)}</select></label>
      ${
    isDrawn(problem) &&
    html`<button type="button" aria-disabled=${
      filming >= 0 ? "true" : undefined
    } title="This episode as an animated picture, for a post or a lecture" onClick=${() => filming < 0 && void film()}>${
      filming < 0 ? "GIF" : `${Math.round(100 * filming)} %`
    }</button>`
  }
    </p>
    <div class="scroll" tabindex="0" role="region" aria-label="Costs of the episode"><table class="lines"><thead><tr><th scope="col">cost</th><th scope="col" class="n">this step</th><th scope="col" class="n">${
    problem.discount === 1 ? "so far" : "discounted so far"
  }</th><th scope="col" class="n">return J</th></tr></thead>
      <tbody>${
    costs.map((c, n) =>
      html`<tr><th scope="row">${c.name ?? ""}</th><td class="n">${number(now.costs[n])}</td><td class="n">${number(now.discounted[n])}</td><td class="n">${
        number(calm(sim.costs[n].expected, largest(c.values)))
      }</td></tr>`
    )
  }</tbody></table></div>
  </div>`;
}
