// The keys of the keyboard, which stand aside while somebody types, and can be switched off.

import { html, signal, useEffect, useId } from "./page.js";
import { Dialog } from "./parts.js";
import { go, route, to } from "./route.js";

const STORED = "afterthought.shortcuts";
const areOn = signal(localStorage.getItem(STORED) !== "off");

/** @type {[string, string][]} */
const KEYS = [
  ["/", "search"],
  ["n", "new thought"],
  ["j", "next thought"],
  ["k", "previous thought"],
  ["Enter", "open it"],
  ["e", "edit its text"],
  ["u", "undo the last change of the open thought"],
  ["Ctrl Enter", "capture, apply or save what you type"],
  ["Esc", "leave a field"],
  ["?", "this help"],
];

/** @param {() => void} help */
export function useShortcuts(help) {
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      if (event.key === "Escape" && target.closest("main")?.contains(target) && isTypedInto(target)) return target.blur();
      const isChord = event.ctrlKey || event.metaKey || event.altKey;
      if (!areOn.value || event.defaultPrevented || isChord || isTypedInto(target) || document.querySelector("dialog[open]")) return;
      if (act(event.key, help)) event.preventDefault();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** @param {HTMLElement} element */
function isTypedInto(element) {
  return element.isContentEditable || element.matches("textarea, select, input:not([type=file], [type=checkbox])");
}

/**
 * @param {string} key
 * @param {() => void} help
 * @returns {boolean} whether the key means something here
 */
function act(key, help) {
  switch (key) {
    case "/":
      return focusInThoughts("input[type=search]");
    case "n":
      return focusInThoughts(".capture textarea");
    case "j":
      return step(1);
    case "k":
      return step(-1);
    case "e":
      return edit();
    case "u":
      return press("[data-key=u]");
    case "?":
      help();
      return true;
    default:
      return false;
  }
}

/** What is to have the focus at the place that is gone to. */
let wished = "";

/** @param {string} selector */
function focusInThoughts(selector) {
  if (focus(selector)) return true;
  wished = selector;
  go(to("thoughts"));
  return true;
}

/** Gives the focus to what a key asked for, now that its place is there. @returns {boolean} whether a key did */
export function focusWished() {
  const selector = wished;
  wished = "";
  return selector !== "" && focus(selector);
}

/** @param {string} selector @returns {boolean} whether there is such a thing */
function focus(selector) {
  const element = /** @type {HTMLElement | null} */ (document.querySelector(`main ${selector}`));
  element?.focus();
  return element !== null;
}

/** @param {number} by */
function step(by) {
  const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("main article > a:first-of-type")]);
  if (!links.length) return false;
  const at = links.findIndex((link) => link.closest("article")?.contains(document.activeElement));
  const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + by, 0), links.length - 1);
  links[next]?.focus();
  links[next]?.scrollIntoView({ block: "nearest" });
  return true;
}

function edit() {
  if (route.value.place === "thought") return press("[data-key=e]");
  const id = document.activeElement?.closest("article")?.getAttribute("data-id");
  if (!id) return false;
  go(to("thought", id, { edit: "yes" }));
  return true;
}

/** @param {string} selector */
function press(selector) {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector(`main ${selector}`));
  if (!button || button.disabled) return false;
  button.click();
  return true;
}

/** @param {{close: () => void}} properties */
export function Help({ close }) {
  const id = useId();
  const toggle = (/** @type {any} */ event) => {
    areOn.value = event.currentTarget.checked;
    localStorage.setItem(STORED, areOn.value ? "on" : "off");
  };
  return html`<${Dialog} title="Help" close=${close}>
    <p class="quiet">The whole app works from the keyboard.</p>
    <dl class="shortcuts">
      ${KEYS.map(([key, what]) => html`<dt key=${key}>${key.split(" ").map((part) => html`<kbd>${part}</kbd> `)}</dt><dd>${what}</dd>`)}
    </dl>
    <p class="row begin">
      <input id=${id} type="checkbox" checked=${areOn.value} onChange=${toggle} />
      <label for=${id}>Single keys are shortcuts</label>
    </p>
    <div class="row"><button class="main" type="button" onClick=${close}>Close</button></div>
  <//>`;
}
