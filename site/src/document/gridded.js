// @ts-check
// gridded.js — which models are worth a closer look for a grid world, told from a few names: what looks
// closely (grid.js, picture/ground.js) comes only then. Pure.

/** Whether a model may be a grid world: it has moves, and its last state's name speaks of a place. @param {Pick<Doc, "states" | "actions">} doc */
export const isGridLike = ({ states, actions }) => /^\D*\d+\D+\d+\D*$/.test(states.at(-1) ?? "") && /^(up|north|n|↑)$/i.test(actions[0]);

/** Whether it may be a painted one. @param {Doc} doc */
export const isPaintedLike = (doc) =>
  isGridLike(doc) && doc.actions[4] === "stay" && doc.states.length <= 900 && (doc.uncertainty.nominal ?? doc.uncertainty.kernels) !== undefined;
