// The view library as the page uses it: Preact with templates in tagged strings instead of a build step.

import htm from "./vendor/htm.js";
import { h } from "./vendor/preact.js";

export { Fragment, render } from "./vendor/preact.js";
export { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";
export { batch, computed, effect, signal, useSignal } from "./vendor/signals.js";

/** @typedef {import("./vendor/preact.js").ComponentChildren} Children */
/** @typedef {import("./vendor/preact.js").VNode<any>} View */

/** @type {(strings: TemplateStringsArray, ...values: any[]) => View} */
export const html = /** @type {any} */ (htm.bind(/** @type {any} */ (h)));
