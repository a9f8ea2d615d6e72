// @ts-check
// view.js — what the page's parts are drawn with: Preact, its hooks, and templates in place of a compiler.

export { Component, html, render } from "htm/preact";
export { useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
