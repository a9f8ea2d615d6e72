// What site/build.mjs puts into the bundles.

/** Path of the wasm from the page, hashed; not in the library. */
declare const __WASM_URL__: string;
/** The name of the same wasm as it was linked, beside it; empty where there is none. */
declare const __PLAIN_WASM__: string;
/** In the library: its second part, the names of its functions, and the same wasm as it was linked, each as a path from the module. */
declare const __SECOND_FILE__: string | undefined;
declare const __NAMES_FILE__: string;
declare const __PLAIN_FILE__: string;
/** Where its second part is, of a page that has both within it. */
declare const __SECOND_URL__: string | undefined;
/** Path of the worker script from the page, hashed. */
declare const __WORKER_URL__: string;
/** Path of the layout's worker from the page, hashed; empty where the page lays out by itself. */
declare const __LAYOUT_URL__: string;
/** Size of the wasm when decoded, for a progress bar. */
declare const __WASM_BYTES__: number;
/** The modules of loops.js, in base64. */
declare const __LOOPS__: string;
declare const __LOOPS_SYSTEMS__: string;
declare const __LOOPS_TILT__: string;
declare const __LOOPS_SPARSE__: string;
declare const __LOOPS_ROWS__: string;
declare const __LOOPS_PROJECT__: string;
declare const __LOOPS_TABLE__: string;
/** Where the site will be, as the build was told, with a slash at its end; "" when it was not. */
declare const __HOME__: string;
/** The commit the solver was built from. */
declare const __COMMIT__: string;
/** Every file of the build with its digest; in service-worker.js only. */
declare const __PRECACHE__: [path: string, digest: string][];
/** The name of the build; in service-worker.js only. */
declare const __BUILD__: string;
/** The template of a page that is one file, and the solver packed for it; from the page, hashed. */
declare const __ONE_FILE_URL__: string;
declare const __PACKED_WASM_URL__: string;
/** Path of the gallery from the page, hashed; empty when the build has none. */
declare const __GALLERY_URL__: string;
/** The files of its models and answers by the names of the models, but for the first, which the gallery holds; as JSON. */
declare const __GALLERY_FILES__: string;

/** Writes GIF files; comes without types. */
declare module "gifenc" {
  /** A palette of so many colours for an image of RGBA bytes. */
  export function quantize(rgba: Uint8ClampedArray, colours: number): number[][];
  /** Each pixel's place in the palette. */
  export function applyPalette(rgba: Uint8ClampedArray, palette: number[][]): Uint8Array;
  export function GIFEncoder(): {
    writeFrame(index: Uint8Array, width: number, height: number, options: { palette?: number[][]; delay?: number; repeat?: number }): void;
    finish(): void;
    bytes(): Uint8Array;
  };
}
