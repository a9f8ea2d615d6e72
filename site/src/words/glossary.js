// @ts-check
// glossary.js — the words of the field that a newcomer may not know, in one sentence
// each. Pure.

/** @type {Record<string, string>} */
export const glossary = {
  "kernel": "One model of the world: for every state and action, how likely each next state is.",
  "nature": "Whoever picks the model of the world within the uncertainty set, always the one that is worst for the plan.",
  "slack": "How much of a limit is left unused in the worst case.",
  "worst case": "The value under the model of the set that is worst for it.",
  "binding": "The limit is used up: a tighter one would change the plan.",
  "price": "What a little more of the limit would save, to first order: a local multiplier of the search, not a proof.",
  "policy": "The plan: for every state, how likely each action is to be taken.",
  "discount": "What the next step counts for, next to this one.",
  "nominal": "The model that the uncertainty set is drawn around.",
  "proved": "A certificate says so, and a checker that shares no code that computes with the search has accepted it.",
};
