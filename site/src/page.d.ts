// Types that the page's own modules share. (What other people's pages use is in rcmdp.d.ts.)

/** A document in the form rcmdp/1, as it is edited: it may have faults, so that a number may be missing or be no number. */
type Doc = import("./rcmdp.js").Problem;

/** A constraint's side and threshold, in a cost of the document. */
type Limit = { atMost?: number; atLeast?: number };

/** A cost by state and action, or by next state as well. */
type CostTable = Doc["objective"]["values"];

/** One table of transition rows of a document. */
type Table = import("./rcmdp.js").Transitions;

/** What a component may show: text, elements, nothing. */
type Content = import("preact").ComponentChildren;

/** What a field, a choice or a button of the page sends. */
type FieldEvent = Event & { readonly target: HTMLInputElement; readonly currentTarget: HTMLInputElement };

/** A key pressed in a field, or on something that takes keys. */
type KeyEvent = KeyboardEvent & { readonly target: HTMLInputElement; readonly currentTarget: HTMLInputElement };

/**
 * What a page that is one file carries, and where it came from. home: the address of the page that made it, "" where that was on no web; source: as it
 * was read from the disk; page, styles: the texts of its script and of its style sheets, for a frame within it; frame: of such a frame, its fragment.
 */
type OnDisk = {
  wasm?: string;
  second?: string;
  worker: string;
  source: string;
  home: string;
  page: string;
  styles: { page: string; embed: string; dark: string };
  frame?: string;
};

/** What a pointer does on a drawing. */
type PointEvent = PointerEvent & { readonly target: Element; readonly currentTarget: Element };
