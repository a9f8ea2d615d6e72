/**
 * RCMDP Lab as a library: robust constrained Markov decision processes, solved in a Web Worker or
 * a Node worker thread. One ES module, `rcmdp.js`, beside `rcmdp.wasm` and `worker.js`; it makes no
 * request to any other origin.
 *
 * Numbers are in the person's own units and signs: for a cost with `scale: "average"` values are
 * (1-γ) J, for `sense: "maximize"` and `atLeast` more is better. Violations are positive when bad,
 * whatever the sense. A number that is undefined (no bound known, nothing evaluated yet) is `null`
 * in an object and `NaN` in a `Float64Array`; it is never 0.
 */

/**
 * Loads and compiles the solver and boots a first worker.
 *
 * @throws {RcmdpError} `unavailable` when WebAssembly or the files cannot be had, with a sentence
 *   that says which and what to do; `invalid-option` for options out of range.
 */
export function openSolver(options?: OpenOptions): Promise<Solver>;

export interface OpenOptions {
  /** Most workers at once; default: the machine's cores, at most 8. */
  workers?: number;
  /** Where rcmdp.wasm is; default: beside this module, or where a bundler that follows `new URL("…", import.meta.url)` has put it. Relative to the page. */
  wasmURL?: string | URL;
  /** Where its second part is, which is fetched when nothing is to do or when it is needed; default: beside rcmdp.wasm, which names it. */
  secondURL?: string | URL;
  /** Where worker.js is; default: as for rcmdp.wasm. Relative to the page. */
  workerURL?: string | URL;
  /** Node only: the folder in which `solver.runs` are kept; made when it is not there. */
  runsFolder?: string;
  /**
   * Solvers that are opened with the same object compile once: the first puts the module into it.
   * Frames of one origin may hand it to each other.
   */
  shared?: { module?: Promise<WebAssembly.Module> };
  /** Told while the solver loads; not part of any promise. */
  onProgress?: (event: LoadProgress) => void;
}

export interface LoadProgress {
  phase: "download" | "compile" | "start" | "ready";
  /** Bytes so far while downloading. */
  loaded: number;
  /** All bytes, or null when the server does not say. */
  total: number | null;
  /** Bytes that travel in all, fewer than `total` when compressed; missing or null when the server does not say. */
  sent?: number | null;
}

export interface Version {
  rcmdp: string;
  go: string;
  commit: string;
  /** What the inner loops run on: a WebAssembly module with SIMD, or Go's own where the browser has none. */
  loops: "simd" | "go";
}

export interface Solver {
  readonly version: Version;

  /** The methods of this build with their option tables. */
  algorithms(): Promise<Algorithm[]>;

  /** The gallery. */
  examples(): Promise<Example[]>;

  /**
   * A problem of the gallery.
   * @throws {RcmdpError} `invalid-option` for an unknown id or a parameter out of range
   */
  example(id: string, parameters?: Record<string, number>): Promise<Problem>;

  /** Judges a document: all its faults at once, never a rejection because of them. */
  validate(problem: Problem | string): Promise<Validation>;

  /**
   * The worst-case returns of a policy: for every cost c the largest J = Σ_s μ(s) V(s) over the set,
   * where V = c^π + γ P^π V, in the unit and sign of the cost. Finite sets: one factorisation of
   * I − γP^π a kernel, S³ multiplications (beyond some hundred states an iteration over the
   * transitions listed). Rectangular sets: nature's own policy iteration (Iyengar 2005), a handful of
   * such solves a cost.
   * @param policy S rows of A probabilities, in the document's order, null or 0 where an action is
   *   not available
   * @throws {RcmdpError} `invalid-problem`; `invalid-option` when the policy does not fit;
   *   `unsupported` when there is no evaluator for this kind of set or it is too large
   */
  evaluate(problem: Problem | string, policy: PolicyLike): Promise<Evaluation>;

  /**
   * Draws trajectories of a policy under one kernel and adds up their discounted costs. The same
   * seed gives the same episodes, however many are asked for. Work grows with episodes times steps.
   * @throws {RcmdpError} `invalid-problem`; `invalid-option` when the policy does not fit or the
   *   kernel is not there
   */
  simulate(problem: Problem | string, policy: PolicyLike, options?: SimulateOptions): Promise<Simulation>;

  /**
   * Makes a robust model of logs: steps of episodes, or counts of transitions.
   * @throws {RcmdpError} `invalid-problem` for a table that cannot be read, with the place in
   *   `errors` (`/rows/3/2`); `choice-needed` where several columns may be the objective, or its
   *   name does not say its sense, or the rows do not say where episodes began; `invalid-option`
   */
  estimate(table: LogTable, options?: EstimateOptions): Promise<Estimate>;

  /**
   * What a set that was estimated promises when each of its radii is made `share` of what it is, by the
   * formulas of `estimate` the other way round; `source` for the smaller one, from which that is known again.
   * @throws {RcmdpError} as `validate`; `invalid-option`
   */
  promise(problem: Problem | string, share: number): Promise<Promised>;

  /**
   * Why a policy is as it is: the price of each limit and the kernels that bind, what another
   * action would cost in each state, and the terms of one state's value. Local: the prices are
   * multipliers at the policy, and mean little where `residual` is not small.
   * @throws {RcmdpError} as `evaluate`
   */
  explain(problem: Problem | string, policy: PolicyLike, options?: { state?: number; step?: number }): Promise<Explanation>;

  /**
   * A function of the policy over two policy coordinates, on a grid of `side` × `side` policies
   * that are uniform in all other states: the Lagrangian J_0 + Σ_n λ_n (J_n − b_n), or with
   * `epigraph` max(J_0 − b0, max_n (J_n − b_n)), of worst-case returns. One evaluation a policy.
   */
  landscape(problem: Problem | string, view: LandscapeView): Promise<Landscape>;

  /** The path of projected gradient descent over the same two coordinates. */
  descent(problem: Problem | string, view: DescentView): Promise<{ points: Float64Array }>;

  /** The paper's experiments: what to solve with which methods and settings. */
  experiments(options?: { quick?: boolean }): Promise<Experiment[]>;

  /** Sums up traces of an experiment by method and outer step. */
  aggregate(traces: Traces): Promise<Aggregate>;

  /**
   * What the paper's convergence theorem asks for on this problem at an accuracy in units of the
   * return. The theorem is false (erratum); the numbers are no guarantee.
   */
  theory(problem: Problem | string, options: { epsilon: number }): Promise<Theory>;

  /**
   * Starts a run. The problem is read now: changing the object later changes nothing. Faults of
   * the problem or the options reject `run.result` (and the iteration), they are not thrown here.
   */
  solve(problem: Problem | string, options?: SolveOptions): Run;

  /**
   * Every method on every problem for every seed, spread over the workers. A job that fails is a
   * row with an `error`; the others go on.
   * @param methods an algorithm's id, or options as for `solve`
   */
  compare(problems: (Problem | string)[], methods: (string | SolveOptions)[], options?: CompareOptions): Run<ComparisonResult, ComparisonProgress>;

  /** The formats that `import` and `export` know. */
  formats(): Promise<Format[]>;

  /**
   * Reads models written for other tools, in the formats that `formats()` lists. The format is
   * detected when `format` is not given; several files (transitions and rewards, say) make one
   * model. What a file tells, by its names or by what fits, is taken, and `report` says why. What
   * it leaves open is in `choices`, and the same names in `options` answer them; where the model
   * depends on it, it is never guessed. Nothing is repaired silently: `report` lists everything
   * that was changed or left out. At most 50 MB. A log of steps that were taken is no model: the
   * answer of kind `log` says what its columns are.
   * @throws {RcmdpError} `choice-needed` where something is open that the model depends on, with
   *   the `choices` that say it and what each answer would mean; `invalid-problem` with the place
   *   (line and column) of the first cause; `invalid-option` when the input is no file
   */
  import(input: ImportInput | readonly ImportInput[], options?: ImportOptions): Promise<Imported | ImportedLog>;

  /** `import` that never rejects because of the files: `errors` says why `problem` is null. */
  inspect(input: ImportInput | readonly ImportInput[], options?: ImportOptions): Promise<Inspection>;

  /**
   * A table of transitions or counts, in any layout `import` reads, as one transition a row with
   * the columns `state`, `action`, `next`, `count` and the costs; a log as it stands. With what its
   * columns are (`map`): what `estimate` reads.
   */
  table(input: ImportInput | readonly ImportInput[], options?: ImportOptions): Promise<LogTable>;

  /**
   * Writes a problem for another tool.
   * @param format an id of `formats()`
   * @throws {RcmdpError} `unsupported` when the format cannot carry the problem, with the reasons;
   *   `lossy` allows leaving out constraints or the set around a nominal kernel. With `policy` what is written is the
   *   Markov chain that it makes of one kernel (`drn` or `prism`): a discount is the chance of not going to a state `done`, so
   *   that a return is the expected total until there, for Storm or PRISM to compute. Also for a format that is no text (UMB), whose bytes `exported` gives
   */
  export(problem: Problem | string, format: string, options?: ExportOptions): Promise<string>;

  /** `export` with what the format had no place for. */
  exported(problem: Problem | string, format: string, options?: ExportOptions): Promise<Exported>;

  /**
   * A trade-off: the problem for many values of one number in it (a limit, the radius, the
   * discount, a cost), spread over the workers, each searched from its neighbours' policies. Along a
   * limit or a radius what is found at one value is carried to the others as far as the checker
   * accepts it there, so the curves of values and of bounds are monotone. Coarse values come first.
   * Faults of the options or of a value's problem reject `run.result`.
   */
  sweep(problem: Problem | string, options: SweepOptions): Run<SweepResult, SweepProgress>;

  /**
   * A lower bound (for `maximize`: an upper one) that closes in until it is stopped, the time limit
   * ends it or nothing is left: the default method with hardly any search. Its options are those
   * of the method `solve`.
   */
  bound(problem: Problem | string, options?: SolveOptions): Run;

  /**
   * Works on one part of a proof that `Run.split` handed out, on whatever machine, and gives what
   * `Run.join` takes.
   * @param problem and options as of the run; aborting `options.signal` ends the work where it is
   */
  work(problem: Problem | string, part: Uint8Array, options?: SolveOptions): Promise<Uint8Array>;

  /**
   * Lets the independent checker judge a certificate, a policy, or both; it trusts nothing of what
   * found them.
   * @param certificate as in `Result.certificate`, or its text; null to check the policy alone
   * @throws {RcmdpError} `invalid-problem`; `invalid-option` when the certificate or the policy
   *   cannot be read (one that is read and does not hold is `ok: false`)
   */
  check(problem: Problem | string, certificate: unknown, policy?: PolicyLike | null): Promise<Report>;

  /**
   * Writes a proof by values of a finite, l1, tv, linf, contamination or interval set as a VIPR 1.1 file, in exact
   * rationals: a linear program under one kernel with the derivation of its bound, for checkers of others such as
   * SCIP's `viprchk`. It does not judge the certificate, but what it writes proves what it says.
   * @throws {RcmdpError} `unsupported` for other kinds of proof and set, with the reason
   */
  vipr(problem: Problem | string, certificate: unknown): Promise<string>;

  /**
   * Puts a result that came from elsewhere (a file, a link, a saved run) to the checker of this process: its
   * policy is evaluated and its certificate checked anew, and what follows is the result, as a run would
   * claim it. What it says beyond that is told, number by number.
   * @param told has a policy, a certificate, or both, and the numbers that it says they have
   * @param options `signal`, an AbortSignal: long proofs take as long as at the end of their run
   * @throws {RcmdpError} `invalid-problem`; `invalid-option` when it has not the shape of a result of the problem
   */
  judge(problem: Problem | string, told: unknown, options?: { signal?: AbortSignal }): Promise<Judgement>;

  /** The saved runs. In Node they are kept in `runsFolder`; without one every method rejects with `unavailable`. */
  readonly runs: SavedRuns;

  /** Ends the workers; what is pending rejects with `closed`. */
  close(): void;
}

// ---- problems and policies

/** A document of format rcmdp/1; text of one is accepted wherever a Problem is. */
export interface Problem {
  format: "rcmdp/1";
  name?: string;
  description?: string;
  source?: string;
  states: string[];
  actions: string[];
  /** γ, 0 <= γ < 1; or 1, for totals of whole episodes with `end`, or of so many decisions with `horizon`. */
  discount: number;
  /**
   * The states in which an episode ends, by name or index: their cost is paid once, on arrival, and
   * then nothing. Their rows may be left out. At discount 1 only policies count that reach one
   * of them surely, whatever nature does.
   */
  end?: (string | number)[];
  /**
   * So many decisions, and then it is over: a policy has a table for each of them. A finite set keeps one kernel
   * for all; other sets choose anew in every state at every step. A state of `end` that the last decision leads to pays.
   */
  horizon?: number;
  /** The initial distribution, one probability for each state. */
  initial: number[];
  /** `deterministic`: one action in each state; default `randomised`. */
  policies?: "randomised" | "deterministic";
  objective: Cost & { sense?: "minimize" | "maximize" };
  constraints?: (Cost & { atMost?: number; atLeast?: number })[];
  uncertainty: Uncertainty;
}

export interface Cost {
  name: string;
  /** By state and action, or by state, action and next state; null where not available. With `horizon` also a list of such tables, one for each decision. */
  values: CostTable | CostTable[];
  /** With `horizon`: what is paid at its end, by state; nothing where it is left out. */
  final?: (number | null)[];
  /** `total` (default): discounted total J; `average`: (1-γ) J. */
  scale?: "total" | "average";
  /**
   * What counts over the kernels of a finite set: the `worst` (default), their `mean` by weight, or the mean over the
   * worst share α of them, 0 < α <= 1: `{ cvar: α }`.
   */
  over?: "worst" | "mean" | { cvar: number };
}

export type CostTable = (number | null)[][] | (number[] | null)[][];

/** Dense `[S][A][S]` (null: not available), or sparse entries `[state, action, next, probability]`. */
export type Transitions = (number[] | null)[][] | { entries: [string | number, string | number, string | number, number][] };

/**
 * What nature may do. `finite`: it picks one of `kernels` for good. The others are rectangular: it
 * picks each row p(·|s,a) by itself, near the row q of `nominal` (`interval`: between `lower` and
 * `upper`). With radius R: `kl` Σ p log(p/q) ≤ R, `l1` Σ |p−q| ≤ R, `tv` half of that, `l2`
 * (Σ (p−q)²)^½ ≤ R, `linf` max |p−q| ≤ R, `chi2` Σ (p−q)²/q ≤ R, `contamination` (1−R) q + R p' for
 * any row p'. `kl-regularized` has no radius: nature pays temperature · KL(p‖q) for each row.
 */
export interface Uncertainty {
  kind: "finite" | "kl" | "kl-regularized" | "l1" | "tv" | "l2" | "linf" | "chi2" | "contamination" | "interval";
  /** `weight`: on all or none (then all count alike); they sum to 1. */
  kernels?: { name?: string; weight?: number; transitions: Transitions }[];
  nominal?: Transitions;
  /** Ends of each probability: lower ≤ p ≤ upper. */
  lower?: Transitions;
  upper?: Transitions;
  /** R ≥ 0: one for all rows, or S rows of A, null where an action is not available. */
  radius?: number | (number | null)[][];
  /** τ > 0, in the units of the costs. */
  temperature?: number;
  /** `paper`: the update as the paper prints it, which leaves the price out of nature's objective; default `soft`. */
  evaluator?: "soft" | "paper";
  /** Where nature may put mass: only where the nominal row lists it (default; always for `kl`, `chi2`, `kl-regularized`), or on any state. */
  support?: "nominal" | "all";
}

export interface PolicyDocument {
  format: "rcmdp-policy/1";
  states: string[];
  actions: string[];
  /** The number of decisions that it is for, where it has a table for each. */
  horizon?: number;
  /** S rows of A probabilities, by `states` and `actions` of this document; a list of these, one for each decision, where the problem has a horizon. */
  probabilities: Policy;
}

/** S rows of A probabilities: `[state][action]`. */
export type PolicyTable = number[][];
/** One table, or of a problem with a horizon one for each decision: `[decision][state][action]`. */
export type Policy = PolicyTable | PolicyTable[];

/** A policy, or a document of one. For a problem with a horizon one table is the same at each decision. */
export type PolicyLike = readonly (readonly (number | null)[])[] | readonly (readonly (readonly (number | null)[])[])[] | PolicyDocument;

// ---- other formats and tables

/** Text, bytes, a File or Blob, or text or bytes with a name. */
export type ImportInput = string | Uint8Array | ArrayBuffer | Blob | { name?: string; text: string } | {
  name?: string;
  data: string | Uint8Array | ArrayBuffer;
};

/** Answers to the choices of an import, by name; null is as good as none. */
export interface ImportOptions {
  /** An id of `formats()`; detected when not given. */
  format?: string;
  discount?: number | null;
  /** A state's name, `"uniform"`, `"first"`, or one probability for each state. */
  initial?: string | number | number[] | null;
  /** The name of the reward or cost that is optimised. */
  objective?: string;
  sense?: "minimize" | "maximize";
  /** Limits on the other costs: those without one are left out. */
  limits?: Record<string, { atMost?: number; atLeast?: number }>;
  /** Which sheet of a workbook (.xlsx), by name; needed where several hold something. */
  sheet?: string;
  /** A label of the file or names of states: reaching them becomes a cost. */
  goal?: string | string[];
  [choice: string]: unknown;
}

export interface Choice {
  name: string;
  label: string;
  help: string;
  type: "choice" | "number" | "state" | "states" | "text" | "limits" | "columns";
  /** What was taken. */
  value: unknown;
  /** What is taken when nothing is said. */
  default: unknown;
  /** Whether it was said, by the options or by the file. */
  given: boolean;
  options?: { value: string; label: string }[];
  min?: number;
  max?: number;
  /** Nothing says it and the model depends on it: `import` asks for it with `choice-needed`. */
  open: boolean;
  /** What leaves it open, where something may. */
  why?: string;
  /** By option of an open choice: what the model then is, in words. */
  readings?: string[];
}

/**
 * Which column of a log is what. `done`: the step led to an end; `cut`: the episode was broken off
 * behind it; `cost` and `reward`: less and more is better; `number`: nothing says which of the two.
 */
export type LogColumns =
  & { [role in "episode" | "step" | "state" | "action" | "next" | "count"]?: string }
  & {
    [role in "done" | "cut" | "cost" | "reward" | "number"]?: string[];
  };

export interface Inspection {
  /** Id of the format; empty when none was recognised. */
  format: string;
  title: string;
  /** What it was recognised by. */
  reason: string;
  /** null when there are errors, and of a log; by the defaults where a choice is open. */
  problem: Problem | null;
  errors: ImportFault[];
  /** What is allowed and yet probably not meant. */
  warnings: string[];
  /** Everything that was changed or left out on the way. */
  report: string[];
  choices: Choice[];
  /** The table holds counts: `estimate` keeps how sure they are. */
  counts: boolean;
  /** What the columns are when the table is a log of steps that were taken: for `estimate`, and no problem by itself. */
  columns: LogColumns | null;
  /** The first rows: of the table, or transitions by name. */
  preview: { columns: string[]; rows: string[][]; total: number };
  summary: Summary | null;
}

export interface Imported extends Inspection {
  kind: "problem";
  problem: Problem;
}

/** A log: `estimate(await solver.table(input), ...)` makes a model of it. */
export interface ImportedLog extends Inspection {
  kind: "log";
  problem: null;
  columns: LogColumns;
}

export interface ImportFault extends Fault {
  /** 1-based. */
  line?: number;
  column?: number;
  file?: string;
  /** An answer to a choice that lets the import go on. */
  choice?: { label: string; name: string; value: unknown };
}

export interface Format {
  id: string;
  title: string;
  about: string;
  extensions: string[];
  reads: boolean;
  writes: boolean;
}

/** How `export` writes. */
export interface ExportOptions {
  /** Leaves out what the format cannot carry, where that leaves a model. */
  lossy?: boolean;
  /** Writes the Markov chain of this policy instead. */
  policy?: PolicyLike;
  /** Under which kernel of a finite set, from 0; the first, or the nominal one, when not given. */
  kernel?: number;
}

export interface Exported {
  text: string;
  /** The file, where its format is no text (UMB); `text` then is what is in it, as PRISM writes it. */
  bytes?: Uint8Array<ArrayBuffer>;
  /** For the file's name, without the dot. */
  extension: string;
  /** What the format has no place for; an import asks for it again. */
  lost: string[];
}

// ---- validation

export interface Validation {
  ok: boolean;
  /** Every fault, in document order. */
  errors: Fault[];
  /** What is allowed and yet probably not meant. */
  warnings: string[];
  /** null when there are errors. */
  summary: Summary | null;
}

export interface Fault {
  /** JSON Pointer (RFC 6901) into the document, or into the options. */
  pointer: string;
  message: string;
  state?: string;
  action?: string;
  fix?: { label: string; patch: { pointer: string; value: unknown }[] };
}

export interface Summary {
  /** The rest in one sentence. */
  text: string;
  states: number;
  actions: number;
  /** Available state-action pairs. */
  pairs: number;
  constraints: number;
  /** Kernels of a finite set, else 0. */
  kernels: number;
  kind: Uncertainty["kind"];
  support: "nominal" | "all" | null;
  discount: number;
  /** 1/(1-γ), or the decisions of a horizon; null at discount 1 without one. */
  horizon: number | null;
  /** Of a horizon; 0 without one. */
  decisions: number;
  /** Estimated memory of a run. */
  bytes: number;
  /** About how many seconds the default method takes on a large model; 0 for a small one, whose time depends on its proof. */
  seconds: number;
  /** The methods that cannot run on this problem, each with the reason. */
  unfit: { algorithm: string; reason: string }[];
}

// ---- evaluation

export interface Evaluation {
  /** The objective first, then the constraints in document order. */
  returns: Return[];
  /** Largest violation; null without constraints. */
  maxViolation: number | null;
  /** At discount 1 the expected number of steps until the policy ends, at the worst kernel; null below, and where it may go on for ever (`warnings` say so). */
  steps: number | null;
  /** By cost, in the order of `returns`: the share of discounted time spent in each state under that cost's worst kernel; at discount 1 the expected number of visits. With a horizon by decision and state: the probability of being there then, in a state of `end` of coming to it then. */
  occupancy: number[][] | number[][][];
  /** What is wrong with the paper's update at this policy: a cycle, a second limit. Empty for every other set. */
  warnings: string[];
}

export interface Return {
  name: string;
  /** Worst-case return, or the average over the models that the cost asks for. */
  value: number;
  /** `value` is within this of the exact one, rounding included (MacQueen 1966 for rectangular sets; backward error of elimination for finite ones). */
  errorBound: number;
  worst: Worst;
  /** Finite sets: the return under each kernel. */
  byKernel?: number[];
  /** Constraints only, as in `Constraint`. */
  sense?: "atMost" | "atLeast";
  threshold?: number;
  violation?: number;
  slack?: number;
  scale?: "total" | "average";
  /** The return under the model that is best for the policy, the other end of what it can be; null for the paper's update. */
  best: number | null;
}

export interface Promised {
  /** "" where the problem has none. */
  source: string;
  /** null for a set whose source does not say how its radii were made, or whose radii are others. */
  promise: {
    /** The confidence that all tried rows are in the set as it is, at once. */
    now: number;
    /** The same for the smaller set; 0 where none can be stated. */
    confidence: number;
    /** That the worst of the rows is in it, by itself. */
    each: number;
    /** Rows whose radius was cut off at the whole simplex, of which nothing is then said. */
    vague: number;
  } | null;
}

export interface Explanation {
  /**
   * How fast the Lagrangian of the prices can still be reduced by moving the policy, in units of the
   * objective: 0 at a local optimum; null when the problem is too large for prices.
   */
  residual: number | null;
  /** The kernels that bind: `cost` 0 is the objective, n the n-th limit; shares of one cost sum to 1. */
  kernels: { cost: number; share: number; kernel: KernelRef | null }[];
  limits: (Constraint & {
    /** No room is left, up to rounding. */
    binding: boolean;
    /** What one unit more of the threshold saves, in units of the objective, to first order; null when unknown. */
    price: number | null;
  })[];
  /** The state of `costs`, and with a horizon the decision, from 0. */
  state: number;
  step: number;
  /** V(s) = Σ_a π(a|s) (now + onward) of each cost under its worst kernel, as discounted totals in the person's signs. */
  costs: UpdateTerms[];
  /** By state, with a horizon by decision and state, its available actions; null for a large problem. */
  states: ActionCost[][] | ActionCost[][][] | null;
}

export interface UpdateTerms {
  name: string;
  value: number;
  /** Share of discounted time spent in the state; at discount 1 the expected number of visits. */
  visits: number;
  /** Finite sets: the worst kernel. */
  kernel: KernelRef | null;
  actions: {
    action: string;
    probability: number;
    /** Q(s,a), the sum of `now` (the expected cost of this step) and `onward` (γ Σ p V). */
    value: number;
    now: number;
    onward: number;
    /** The likeliest successors; `reference` is the nominal row, or the first kernel's of a finite set. */
    next: { state: string; probability: number; reference: number | null; value: number }[];
    omitted: number;
  }[];
}

export interface ActionCost {
  /** Place in the list of actions. */
  action: number;
  probability: number;
  /** How much worse the objective is, worst case, when this action is always taken in the state; negative when less. */
  extra: number;
  /** The same to first order for a little probability, limits included at their prices: 0 for actions worth taking. */
  marginal: number | null;
  /** The limit that is then broken most, and its value; null when none is. */
  breaks: { name: string; value: number } | null;
}

/** What nature does against one cost. */
export interface Worst {
  /** Name of the cost. */
  cost: string;
  /** Finite sets: the worst kernel, by its place in the document. */
  kernel?: KernelRef;
  /** Finite sets: other kernels that are as bad within the error bound. */
  ties?: KernelRef[];
  /** Instead of a kernel, where the cost is averaged over the models: over what, and what each of them counts and comes to. */
  over?: Cost["over"];
  shares?: (KernelRef & { share: number; value: number })[];
  /** Other sets: where nature may move probability; the value depends on it. */
  support?: "nominal" | "all";
  /** Other sets: the rows that moved most along the policy's paths, at most 10. */
  rows?: WorstRow[];
}

export interface KernelRef {
  index: number;
  name: string;
}

export interface WorstRow {
  state: string;
  action: string;
  /** Share of discounted time in which this action is taken in this state. */
  visits: number;
  /** Probability moved: half the l1 distance to the nominal row; null for interval sets. */
  moved: number | null;
  /** Names of the successors shown; at most 12, those that changed most. */
  successors: string[];
  nominal?: number[];
  /** Interval sets: the ends instead of `nominal`. */
  lower?: number[];
  upper?: number[];
  worst: number[];
  /** Successors left out. */
  omitted: number;
}

// ---- simulation

export interface SimulateOptions {
  /**
   * The kernel by its place or name in a finite set, `"nominal"` (default; of a finite set the one
   * of that name, or the first), or the one that is worst for a cost at this policy.
   */
  kernel?: number | string | { worst: string };
  /** Default 1000. */
  episodes?: number;
  /** Default 1. */
  seed?: string | number | bigint;
  /** Steps of an episode; default: until less than 1/10000 of the discounted weight is left, at discount 1 and with a horizon until it ends. */
  horizon?: number;
  /** Episodes whose steps are given as well, the first ones; default 0. */
  paths?: number;
  /** Steps given of each; default 200. */
  steps?: number;
  /** Aborting rejects with the signal's reason, between two parts. */
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

export interface Simulation {
  /** Name of the kernel. */
  kernel: string;
  horizon: number;
  episodes: number;
  /** The objective first. */
  costs: SimulatedCost[];
  /** Discounted total of each episode, in the person's units, by cost. */
  totals: Float64Array[];
  /** Most that the steps after the horizon can add to a total, over all costs. */
  truncation: number | null;
  paths: SimulatedPath[];
}

/** The first steps of an episode: places of states (one more than steps) and actions in the document, one-step costs by cost. With a horizon the last state is -1 where it is all the same in which one it ends. */
export interface SimulatedPath {
  states: number[];
  actions: number[];
  costs: Float64Array[];
}

export interface SimulatedCost {
  name: string;
  mean: number;
  /** Of the mean; null for one episode. */
  standardError: number | null;
  /** At 5, 25, 50, 75 and 95 %. */
  quantiles: { level: number; value: number }[];
  /** The exact return under this kernel, which the mean estimates. */
  expected: number;
  truncation: number | null;
}

// ---- estimation

/**
 * A log. Columns are known by their names: `episode`, `step`, `state`, `action`, `next`, `count`
 * and what people call them elsewhere; other columns of numbers are costs.
 */
export interface LogTable {
  columns: string[];
  rows: (string | number | boolean | null)[][];
  /** What the columns are, as `table` found; by their names without it. */
  map?: LogColumns;
  /** The file and what was said of it, as `table` gives it: it stays with the model, in its source. */
  from?: string;
}

export type EstimateKind = "l1" | "credible-l1" | "interval" | "kl" | "chi2" | "posterior" | "bootstrap" | "nominal";

export interface EstimateOptions {
  /** Default `l1`. */
  kind?: EstimateKind;
  /** Default 0.95. */
  confidence?: number;
  /** Pseudo-count of each possible successor. Default: one try spread over them where the kind needs it, else 0. */
  prior?: number;
  /** Kernels of `posterior` and `bootstrap`, draws of `credible-l1`; default: as many as the confidence needs. */
  samples?: number;
  /** Pairs that were never tried; default `unavailable`. */
  untried?: "unavailable" | "stays" | "uniform";
  /** Which states may follow a pair: any, or only those seen; default by kind. */
  successors?: "all" | "seen";
  seed?: string | number | bigint;
  /** Share of the episodes kept for judging; default 0. */
  heldOut?: number;
  /** Kernels of `heldOut` besides its own; default 40. */
  resamples?: number;
  name?: string;
  /** Default 0.95. */
  discount?: number;
  /** `episodes` (their first states), `uniform`, or a state's name; default: episodes where there are any. */
  initial?: string;
  /** Column of the objective; needed where several columns are costs or rewards (`choice-needed`). Its sense is what its name says, where it says one. */
  objective?: string | { column: string; sense?: "minimize" | "maximize"; scale?: "total" | "average" };
  constraints?: { column: string; atMost?: number; atLeast?: number; scale?: "total" | "average" }[];
  /** What columns are, when their names do not say it: `{ state: "place", cost: ["euro"] }`. */
  columns?: { [role in keyof LogColumns]?: string | string[] };
}

export interface Estimate {
  problem: Problem;
  /**
   * The same problem with the kernel of what was held out, and of resamples of it, as its finite
   * set: `evaluate` a policy on it to judge it. null when nothing was held out.
   */
  heldOut: Problem | null;
  warnings: string[];
  summary: EstimateSummary;
}

export interface EstimateSummary {
  kind: EstimateKind;
  title: string;
  formula: string;
  source: string;
  guarantee: string;
  confidence: number;
  /** What the number of samples allows to claim; null for `nominal`. */
  reached: number | null;
  /** 1 - confidence of one pair. */
  share: number;
  samples: number;
  untried: string;
  successors: string;
  seed: string;
  initial: string;
  /** Transitions learnt from. */
  steps: number;
  episodes: number;
  states: number;
  actions: number;
  /** Pairs that were tried, and pairs that never were. */
  tried: number;
  neverTried: number;
  /** States in which no action was ever tried. */
  ends: string[];
  /** Columns that can be costs. */
  costs: string[];
  /** Those of them of which more is better. */
  gains: string[];
  /** Rows of the table. */
  rows: number;
  /** Ends are said, and rows do not follow one another: where episodes began is not known. */
  unordered: boolean;
  heldOutSteps: number;
  /** Of these, in pairs that were not learnt. */
  heldOutMissing: number;
  pairs: { state: string; action: string; n: number; successors: number; radius: number | null }[];
}

// ---- runs

export interface Algorithm {
  id: string;
  title: string;
  /**
   * How it goes: `search` from many starts, closing an interval; `steps` of a walk, a policy each; `exact` in one step or a few;
   * `given` judges the policy that it is given.
   */
  shape: "search" | "steps" | "exact" | "given";
  /** Which problems, and what is guaranteed. */
  solves: string;
  options: Option[];
}

export interface Option {
  name: string;
  type: "integer" | "number" | "boolean" | "seed" | "policy";
  default: number | boolean | string | null;
  /** Numbers only. */
  min?: number;
  max?: number;
  help: string;
}

export interface Example {
  id: string;
  title: string;
  description: string;
  parameters: { name: string; label: string; default: number; min: number; max: number; integer: boolean }[];
}

/** Options of `solve`; which of them a method has, and their ranges, is in `algorithms()`. */
export interface SolveOptions {
  /** Default: `solve`, or the first of `algorithms()` in a build without it. */
  algorithm?: string;
  outerIterations?: number;
  innerIterations?: number;
  stepSize?: number;
  multiplierStepSize?: number;
  /** What RNPG divides the objective by before it compares it with the violations. */
  lambda?: number;
  initialPolicy?: PolicyLike;
  /** Decimal text, a safe integer or a BigInt. */
  seed?: string | number | bigint;
  starts?: number;
  /** Relative: 0.01 is 1 %. The proof ends there, or closer where that takes a moment only. */
  gap?: number;
  /** Seconds of the clock since the run began, whatever share of a processor it had; 0 is no limit. The run then ends with the best policy so far, what is proved of it, and a warning. */
  timeLimit?: number;
  tolerance?: number;
  earlyStop?: boolean;
  /** Aborting ends the worker at once; `result` rejects with the signal's reason. */
  signal?: AbortSignal;
  [option: string]: unknown;
}

/**
 * A run in progress. Iterating gives its progress: every outer step (`step: true`; when they come
 * faster than about 1000 a second, some are only in the result's trace) and, at most about 20 times
 * a second, where it is in between. Leaving the loop does not stop the run. When the run fails,
 * the iteration throws what `result` rejects with.
 */
export interface Run<R = Result, P = Progress> extends AsyncIterable<P> {
  readonly id: string;
  readonly result: Promise<R>;
  /** Ends the run within 100 ms; `result` is then the best policy so far, with status `stopped`. */
  stop(): void;
  /**
   * Hands out an open part of the proof in progress, for `Solver.work` here or elsewhere; null when
   * there is none to spare now. The proof is complete only after every part has come back. Idle
   * workers of this solver take parts by themselves; open it with `workers: 1` to hand out all.
   */
  split(): Promise<Uint8Array | null>;
  /** Takes back what became of a part, or the part itself; whether it was of use. */
  join(result: Uint8Array): Promise<boolean>;
}

export interface Progress {
  /** Outer step. */
  k: number;
  /** Inner steps done of this outer step. */
  inner: number;
  /** This record ends outer step k: it is a row of the trace. */
  step: boolean;
  /** Threshold of the objective in this outer step (b0). */
  threshold: number | null;
  /** Where the bisection stands; not a proof of anything. low <= high in the person's numbers. */
  low: number | null;
  high: number | null;
  /** Δ, in the method's own scale: costs beyond [0, 1] are divided by their range. */
  delta: number | null;
  /** Name of the cost that attains Δ; null in between. */
  activeCost: string | null;
  activeKernel: string | null;
  objective: number | null;
  /** Largest violation; null without constraints. */
  maxViolation: number | null;
  /** Multipliers of the constraints, for methods that have them. */
  multipliers: number[];
  best: {
    objective: number | null;
    maxViolation: number | null;
    feasible: boolean;
    /** The policy, in the newest record, when it is another than the run last told and not a very large one. */
    policy?: Policy;
  } | null;
  /**
   * For `minimize`: no feasible policy costs less, by a certificate that the independent checker has
   * accepted. null when nothing was accepted yet, and for `maximize`.
   */
  lowerBound: number | null;
  /** The same for `maximize`: no feasible policy is worth more. null when unknown, and for `minimize`. */
  upperBound: number | null;
  /** Distance between the best feasible value and the bound. */
  gap: number | null;
  /** `gap` as a share of |value|. */
  relativeGap: number | null;
  /** Boxes of policies that the proof has worked on. */
  nodes: number;
  /** Boxes of its tree still to be closed, on all workers; 0 while no tree is worked on. */
  openNodes: number;
  /** About so many seconds until the gap asked for is reached (with tensors; else until the present tree is closed, which comes nearer to it); estimated from the tree's shape and the pace so far. null when nothing can be said. */
  secondsLeft: number | null;
  evaluations: number;
  iterations: number;
  seconds: number;
  status: Status | "running";
  note: string;
}

/** "unchecked": it came from elsewhere (an import, an earlier visit), and nothing of it was checked in this process: see `judge`. */
export type Status = "proved-optimal" | "bounded" | "feasible" | "proved-infeasible" | "no-feasible-found" | "stopped" | "failed" | "unchecked";

export interface Result {
  /** Never claims more than `certificate` proves, however the run ended. */
  status: Status;
  algorithm: string;
  /** As used, defaults filled in. */
  options: Record<string, unknown>;
  seed: string;
  version: Version;
  /** S rows of A probabilities, 0 where an action is not available, with a horizon a list of these for each decision; empty when there is none. */
  policy: Policy;
  /**
   * By state, with a horizon by decision and state: whether the policy can come to it from the initial distribution under some kernel of
   * the set. Elsewhere its rows change no return; the methods `solve`, `slp` and `occupancy-lp`, and
   * every proved optimum, have the best action there: against the worst case of the objective plus
   * the limits at their prices, or against the worst kernel of a finite set. Not in results of
   * earlier versions.
   */
  reached?: boolean[] | boolean[][];
  /** Whether the policy meets every constraint in the worst case, up to the tolerance. */
  feasible: boolean;
  objective: Objective;
  constraints: Constraint[];
  /** At discount 1 the expected number of steps until the policy ends, at the worst kernel; null below, and where it may go on for ever. Answers of earlier versions have none. */
  steps?: number | null;
  /** Largest violation; null without constraints. */
  maxViolation: number | null;
  /** For `proved-infeasible`: every policy violates some constraint by that much; null when unknown, or without a common unit. */
  leastViolation: number | null;
  /** Prices of the constraints, for methods that have them: units of the objective for a unit of each threshold. */
  multipliers: number[];
  /** The objective first, then the constraints; empty when there is no policy. */
  worst: Worst[];
  /** The proof of the bound, or of infeasibility and `leastViolation`: a document for `check`. Nothing is claimed without one. */
  certificate?: unknown;
  trace: Trace;
  evaluations: number;
  iterations: number;
  nodes: number;
  seconds: number;
  /** How many of the results that `resume` was given were of use; absent when there were none. */
  joined?: number;
  warnings: string[];
}

export interface Report {
  /**
   * What was given holds: the certificate, and that the policy meets every constraint, or misses it by no
   * more than the certificate allows. With a certificate that no policy meets them, a policy that misses one
   * agrees with it (as that of a "proved-infeasible" result does); one that meets them all, or misses none by as
   * much as is proved of every policy, contradicts it, and `ok` is false.
   */
  ok: boolean;
  /** Proved: the policy costs at most that (for `maximize`: is worth at least that). null without a policy that meets the constraints. */
  objective: number | null;
  /** As in `Objective`. */
  lowerBound: number | null;
  upperBound: number | null;
  /** At most how far the policy is from the best of those that miss no limit by more than `allow`, and so of those that miss none. */
  gap: number | null;
  /** The worst-case objective of the policy as the checker computes it, whether or not the policy meets the constraints. */
  value: number | null;
  /** The bound that is proved, on the side that the objective's sense gives it: `lowerBound` or `upperBound`. */
  bound: number | null;
  /** What the accepted certificate lets each constraint be missed by, in its unit: at most a millionth of what its violations are judged next to. null: nothing. */
  allow: number[] | null;
  /** Proved: no policy meets the constraints. */
  infeasible: boolean;
  /** Then every policy violates some constraint by more than that. */
  leastViolation: number | null;
  /** What was checked and what follows, in order; the last says what does not hold when `ok` is false. */
  reasons: string[];
}

export interface Judgement {
  /** Its certificate holds, and no number that it says differs from what was found here. */
  holds: boolean;
  /** Where it does, in sentences. */
  differs: string[];
  /** What may be claimed of its policy and its certificate here. */
  result: Result;
}

export interface Objective {
  name: string;
  sense: "minimize" | "maximize";
  scale: "total" | "average";
  /** Worst-case objective of the policy. */
  value: number | null;
  /** For `minimize`: proved, no feasible policy costs less. null when unknown, and for `maximize`. */
  lowerBound: number | null;
  /** For `maximize`: proved, no feasible policy is worth more. null when unknown, and for `minimize`. */
  upperBound: number | null;
  /** Distance of `value` to the bound. */
  gap: number | null;
  /** `gap` as a share of |value|. */
  relativeGap: number | null;
  /** What the policy comes to under the model that is best for it; of large rectangular sets only `evaluate` tells it. */
  best?: number | null;
}

export interface Constraint {
  name: string;
  sense: "atMost" | "atLeast";
  scale: "total" | "average";
  /** Worst-case return. */
  value: number | null;
  threshold: number;
  /** Positive is bad. */
  violation: number | null;
  /** -violation. */
  slack: number | null;
  /**
   * Of a result: what its certificate lets this limit be missed by, in the limit's unit. What is proved holds for every policy that
   * misses it by no more, so the gap counts it. 0 where nothing is allowed, or proved; null of a result that nobody judged here.
   */
  allowed?: number | null;
  /** As of the objective. */
  best?: number | null;
}

/** One entry for each outer step. */
export interface Trace {
  k: Float64Array;
  threshold: Float64Array;
  low: Float64Array;
  high: Float64Array;
  delta: Float64Array;
  objective: Float64Array;
  maxViolation: Float64Array;
  /** 0 is the objective, n the n-th constraint. */
  activeCost: Float64Array;
  /** Place of the kernel in the document, -1 for other sets. */
  activeKernel: Float64Array;
  evaluations: Float64Array;
  /** Best feasible objective so far; NaN while there is none. */
  bestObjective: Float64Array;
  lowerBound: Float64Array;
  upperBound: Float64Array;
  nodes: Float64Array;
  seconds: Float64Array;
}

// ---- comparisons

export interface CompareOptions {
  seeds?: (string | number | bigint)[];
  signal?: AbortSignal;
}

export interface ComparisonProgress {
  step: true;
  /** Jobs finished, of how many. */
  done: number;
  total: number;
  seconds: number;
  /** The job that finished. */
  row: ComparisonRow;
}

export interface ComparisonRow {
  /** Place in the list of problems, and its name. */
  problem: number;
  name: string;
  /** Place in the list of methods. */
  method: number;
  algorithm: string;
  seed: string | null;
  result: Result | null;
  error: RcmdpError | null;
}

export interface ComparisonResult {
  status: "finished" | "stopped";
  rows: ComparisonRow[];
  seconds: number;
}

// ---- sweeps

/**
 * And the options of `solve`, for each value; `starts` is 4 unless given.
 * Without a `timeLimit`, along a limit or the radius nine values spread over the range have 2 s each;
 * the others take over what their neighbours found, and search for 1 s where that leaves too much open.
 * Along anything else each value has 1 s.
 */
export interface SweepOptions extends SolveOptions {
  /** JSON Pointer of the number: `/constraints/0/atMost`, `/uncertainty/radius`, `/discount`. */
  pointer?: string;
  values: number[];
  /** Instead of a pointer, the problem of each value. */
  documents?: (Problem | string)[];
  /** Points of an earlier sweep of the same problem and values, to go on with what is null. */
  points?: (SweepPoint | null)[];
}

/** The result for one value, but for its trace; its certificate is for `check`, of the problem with that value. */
export interface SweepPoint extends Omit<Result, "trace"> {
  value: number;
}

export interface SweepProgress {
  step: true;
  /** Points there are, of how many; one may come again, improved. */
  done: number;
  total: number;
  seconds: number;
  index: number;
  point: SweepPoint;
}

/** Can be saved with `runs.put` as it is; `sweep` with its `points` goes on. */
export interface SweepResult {
  status: "finished" | "stopped";
  algorithm: "sweep";
  options: Record<string, unknown>;
  pointer: string;
  /** In the order of `values`; null where it was stopped. */
  points: (SweepPoint | null)[];
  seconds: number;
  seed: string;
  feasible: boolean;
  /** No single value. */
  objective: { name: string; sense: "minimize" | "maximize"; value: null };
  maxViolation: null;
  policy: never[];
  trace: Record<string, never>;
}

// ---- saved runs

/** Runs kept in this browser (IndexedDB), in memory where the browser does not let us, or in a folder of Node. */
export interface SavedRuns {
  /** Newest first, without problems and results. What was not found or judged in this process is "unchecked". */
  list(): Promise<RunSummary[]>;
  /**
   * A result that was not found or judged in this process comes without its claims, "unchecked": `judge` puts it to the checker here.
   * @throws {RcmdpError} `invalid-option` when there is no such run
   */
  get(id: string): Promise<SavedRun>;
  /**
   * Saves a run: a new one with `id` and `problem`, or changes of a saved one (`{ id, name }`
   * renames it). Only the fields given are changed. Resolves when it is really on disk.
   * @throws {RcmdpError} `quota` when storage is full; `invalid-option` when only changes are given
   *   and the run is gone; `blocked` when another tab holds an older version open
   */
  put(run: RunChanges): Promise<RunSummary>;
  delete(id: string): Promise<void>;
  /** All saved runs as one text, for a file. */
  exportAll(): Promise<string>;
  /** Reads such a text, whole or not at all; runs that are there already are kept as they are, and those that come are "unchecked". */
  importAll(text: string): Promise<{ added: number; kept: number }>;
  /**
   * Continues a run that was saved with `put` while it was running (without a result) and then was
   * interrupted, stopped or ended by its time limit. The new run has the same id and carries on the
   * trace, the counts and the clock. `epirc-pgs` goes on from the end of its last outer step and
   * ends as if it had never been interrupted; `solve` goes on from the bound it had proved; other
   * methods start again from the best policy. Checkpoints are written every few seconds.
   * @param options changes of the run's options, a signal, and what became of parts that the run had
   *   handed out. Of a time limit the run has what is left; when it was used up, as long again.
   * A saved sweep goes on with the points it lacks: name its types, `resume<SweepResult, SweepProgress>(id)`.
   * @throws {RcmdpError} `invalid-option` when the run is gone or came to its end
   */
  resume<R = Result, P = Progress>(id: string, options?: ResumeOptions): Promise<Run<R, P>>;
  /** Where runs are kept and how much room there is, as far as the browser says. */
  estimate(): Promise<StorageEstimate>;
  /** Tells when saved runs change, in this tab or another; returns how to unsubscribe. */
  onChange(callback: () => void): () => void;
}

export interface ResumeOptions extends SolveOptions {
  /** What `Solver.work` made of parts that `Run.split` handed out before the run was saved: `Result.joined` of them are of use. */
  results?: Uint8Array[];
}

export interface RunSummary {
  id: string;
  /** Counts the changes. */
  rev: number;
  name: string;
  /** ISO 8601. */
  created: string;
  updated: string;
  /** Name of the problem. */
  problemName: string;
  algorithm: string;
  seed: string;
  /** `running`: interrupted, or running now. */
  status: Status | "running";
  feasible: boolean | null;
  objective: number | null;
  maxViolation: number | null;
  /** Whether `resume` can continue it. */
  resumable: boolean;
  /** Of the whole record. */
  bytes: number;
}

export interface SavedRun extends RunSummary {
  problem: Problem;
  /** Of a sweep also what it went along: `pointer`, or `parameter` and `example`, and `values`. */
  options: SolveOptions;
  /** Of a sweep its points (`algorithm` is `sweep`); null while the run goes on, or was interrupted. */
  result: Result | SweepResult | null;
}

export type RunChanges =
  & { id: string }
  & Partial<{
    name: string;
    /** ISO 8601, or milliseconds as Date.now() gives; default: now. */
    created: string | number;
    problem: Problem | string;
    options: SolveOptions;
    /** What the run ended with. A run that came to its end has no checkpoint any more. */
    result: Result | SweepResult;
  }>;

export interface StorageEstimate {
  /** Where runs are: `memory` is lost with the page. */
  storage: "indexeddb" | "memory" | "folder";
  /** One sentence when runs are not kept, or may not be; else null. */
  notice: string | null;
  /** Bytes, as far as the browser says. */
  usage: number | null;
  quota: number | null;
  /** Whether the browser promised not to clear it by itself. */
  persisted: boolean | null;
}

// ---- errors

/** `choice-needed`: the input can be read in several ways, and `choices` and the pointers of `errors` name the options that say which. */
export type ErrorCode = "invalid-problem" | "invalid-option" | "choice-needed" | "unsupported" | "closed" | "unavailable" | "quota" | "blocked" | "crashed";

export class RcmdpError extends Error {
  constructor(code: ErrorCode, message: string, more?: { errors?: Fault[]; choices?: Choice[]; details?: string[]; cause?: unknown });
  readonly code: ErrorCode;
  /** As in `validate`. */
  readonly errors: Fault[];
  /** What an import leaves open; empty for every other error. */
  readonly choices: Choice[];
  /** Last lines that a crashed solver printed. */
  readonly details: string[];
}

/** One policy coordinate: in one state, the share of action `to` against `from`. */
export interface PolicyAxis {
  state: string;
  from: string;
  to: string;
}

/** Which function of the policy: the Lagrangian with `lambda`, or Δ_{b0} with `epigraph` and `b0`. */
export interface SurfaceView {
  x: PolicyAxis;
  y: PolicyAxis;
  /** Multipliers, one for each constraint. */
  lambda?: number[];
  epigraph?: boolean;
  b0?: number;
}

export interface LandscapeView extends SurfaceView {
  /** Points along one edge, 2 to 512. */
  side: number;
}

/** Row by row, entry j*side+i at x = i/(side-1), y = j/(side-1); minimised discounted totals. */
export interface Landscape {
  side: number;
  value: Float64Array;
  dx: Float64Array;
  dy: Float64Array;
  objective: Float64Array;
  violation: Float64Array;
}

export interface DescentView extends SurfaceView {
  start: [number, number];
  step: number;
  steps: number;
}

export interface Experiment {
  id: string;
  title: string;
  says: string;
  /** The gallery's example; its parameter `seed` makes the problems. */
  example: string;
  seeds: number[];
  /** `level`: only what the method ends with counts, its steps are not drawn. */
  methods: { name: string; options: SolveOptions; level: boolean }[];
}

export interface Traces {
  setting: string;
  methods: string[];
  /** `horizon` is 1/(1-γ) of the trace's problem; `uniform` the uniform policy's objective. */
  traces: { method: number; seed: number; horizon: number; uniform: number; objective: (number | null)[]; violation: (number | null)[] }[];
}

export interface Spread {
  mean: (number | null)[];
  sd: (number | null)[];
  min: (number | null)[];
  median: (number | null)[];
  max: (number | null)[];
}

export interface SpreadPoint {
  mean: number | null;
  sd: number | null;
  min: number | null;
  median: number | null;
  max: number | null;
  count: number;
}

export interface Aggregate {
  /** Violation, and objective relative to the uniform policy, by outer step. */
  series: { method: string; violation: Spread; relative: Spread }[];
  table: { method: string; jobs: number; feasible: number; best: SpreadPoint; final: SpreadPoint; first: SpreadPoint }[];
  csv: string;
}

/** Numbers beyond the range of doubles are null; see the paper's theorem for the constants. */
export interface Theory {
  epsilon: number;
  horizon: number;
  /** D: how much more the best policies visit a state than the initial distribution does. */
  mismatch: number | null;
  /** The set is not finite and `mismatch` is the bound 1/min μ. */
  mismatchBound: boolean;
  lipschitz: number;
  smoothness: number;
  c: number | null;
  cAlpha: number;
  cT: number | null;
  /** What the evaluators of gradients and returns may err. */
  gradientError: number;
  returnError: number;
  /** α and T of one descent to within epsilon. */
  stepSize: number;
  innerIterations: number | null;
  /** α and T of each descent of the whole method to within epsilon. */
  corollary: { stepSize: number; innerIterations: number | null };
  /** K that is enough for the bracket, and K as printed. */
  outerIterations: number;
  printedOuterIterations: number;
  /** Policies evaluated: outerIterations times the corollary's T. */
  evaluations: number | null;
}
