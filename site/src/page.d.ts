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

/** What a pointer does on a drawing. */
type PointEvent = PointerEvent & { readonly target: Element; readonly currentTarget: Element };
