// Parts that several places are made of.

import { Failure } from "./api.js";
import { isConnected } from "./live.js";
import { html, signal, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "./page.js";

/** @typedef {import("./types/api.d.ts").Part} Part */
/** @typedef {import("./page.js").Children} Children */

const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric" });
const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });
const AGO = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const NUMBER = new Intl.NumberFormat("en");

/** @param {number} value */
export function number(value) {
  return NUMBER.format(value);
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
export function counted(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** A time, near ones as people speak of them. @param {{at: string}} properties */
export function When({ at }) {
  const time = new Date(at);
  return html`<time datetime=${at} title=${MOMENT.format(time)}>${spoken(time, new Date())}</time>`;
}

/**
 * @param {Date} time
 * @param {Date} now
 */
function spoken(time, now) {
  const minutes = (time.getTime() - now.getTime()) / 60_000;
  if (Math.abs(minutes) < 1) return "just now";
  if (Math.abs(minutes) < 60) return AGO.format(Math.trunc(minutes), "minute");
  if (Math.abs(minutes) < 60 * 24) return AGO.format(Math.trunc(minutes / 60), "hour");
  if (Math.abs(minutes) < 60 * 24 * 7) return AGO.format(Math.trunc(minutes / 60 / 24), "day");
  return DATE.format(time);
}

/**
 * A failure in one sentence, with a way on where there is one.
 * @param {{failure: Failure | null, again?: () => void, label?: string}} properties
 */
export function Alert({ failure, again, label = "Load again" }) {
  if (!failure) return null;
  return html`<div class="alert" role="alert">
    <p>${failure.message}</p>
    ${again && html`<button type="button" onClick=${again}>${label}</button>`}
  </div>`;
}

/** @param {{what: string}} properties */
export function Loading({ what }) {
  return html`<div class="bones" role="status"><span class="hidden">Loading ${what}…</span><i></i><i></i><i></i></div>`;
}

/** Nothing here, and what to do about it. @param {{title: string, children?: Children}} properties */
export function Empty({ title, children }) {
  return html`<div class="empty">
    <${Mark} />
    <strong>${title}</strong>
    ${children}
  </div>`;
}

/** The sign of the house: a thought, and what comes after it. */
export function Mark() {
  return html`<svg viewBox="0 0 32 32" aria-hidden="true">
    <circle cx="13" cy="13" r="9" /><circle cx="24" cy="23" r="4" opacity=".65" /><circle cx="29" cy="29" r="1.8" opacity=".4" />
  </svg>`;
}

/** What changed between two texts. @param {{parts: Part[]}} properties */
export function Difference({ parts }) {
  return html`<p class="difference">
    ${parts.map((part) => {
      if (part.removed !== undefined) return html`<del>${part.removed}</del>`;
      if (part.added !== undefined) return html`<ins>${part.added}</ins>`;
      return part.skipped ? html`<span class="quiet"> … </span>` : part.same;
    })}
  </p>`;
}

/**
 * A labelled control; the control gets the label's id.
 * @param {{label: string, children: (id: string) => Children}} properties
 */
export function Field({ label, children }) {
  const id = useId();
  return html`<div class="field"><label for=${id}>${label}</label>${children(id)}</div>`;
}

/** How long a pause is no longer typing. */
const TYPING_MS = 150;

/**
 * A field that is answered while one types.
 * @param {{label: string, placeholder?: string, question: string, askFor: (question: string) => void, isFirst?: boolean}} properties what is
 * asked, and whether one begins by typing here
 */
export function Seek({ label, placeholder, question, askFor, isFirst = false }) {
  const [typed, type] = useState(question);
  const timer = useRef(0);
  const sent = useRef(question);
  const latest = useRef(askFor);
  latest.current = askFor;
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (question === sent.current) return;
    // The address changed by another hand than the typing one's.
    clearTimeout(timer.current);
    type((sent.current = question));
  }, [question]);
  const enter = (/** @type {any} */ event) => {
    const text = event.currentTarget.value;
    type(text);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => latest.current((sent.current = text.trim() ? text : "")), TYPING_MS);
  };
  return html`<${Field} label=${label}>
    ${(/** @type {string} */ id) => html`<input id=${id} type="search" placeholder=${placeholder} autofocus=${isFirst} value=${typed} onInput=${enter} />`}
  <//>`;
}

/**
 * A choice among few.
 * @param {{label: string, value: string, options: [string, string][], choose: (value: string) => void}} properties value and text of each option
 */
export function Choice({ label, value, options, choose }) {
  return html`<${Field} label=${label}>
    ${(/** @type {string} */ id) => html`<select id=${id} value=${value} onChange=${(/** @type {any} */ event) => choose(event.currentTarget.value)}>
      ${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`)}
    </select>`}
  <//>`;
}

/**
 * A dialog that is open for as long as it is there; Escape closes it, and the keyboard stays in it.
 * @param {{title: string, close: () => void, children?: Children}} properties
 */
export function Dialog({ title, close, children }) {
  const id = useId();
  const element = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => void (before instanceof HTMLElement && before.focus());
  }, []);
  // Closed by the browser alone, it would be gone from sight before whoever opened it knows, and a second one would not open.
  const cancel = (/** @type {Event} */ event) => {
    event.preventDefault();
    close();
  };
  return html`<dialog ref=${element} aria-labelledby=${id} onCancel=${cancel} onClose=${close}>
    <div class="stack close"><h2 id=${id}>${title}</h2>${children}</div>
  </dialog>`;
}

/** A button that puts a text into the clipboard and says so; it stands in a region that is read out when it changes. @param {{text: string, label: string}} properties */
export function Copy({ text, label }) {
  const [said, say] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied");
    } catch {
      say("Not allowed here; select the text and copy it");
    }
    setTimeout(() => say(""), 2500);
  };
  return html`<span class="row"><button type="button" onClick=${copy}>${label}</button><span class="small quiet">${said}</span></span>`;
}

/**
 * What a place shows, loaded whenever `key` changes, with earlier content kept until the next is there.
 * @template T
 * @param {string} key
 * @param {(signal: AbortSignal) => Promise<T>} load
 */
export function useLoaded(key, load) {
  const [state, set] = useState(/** @type {{key: string, value: T | null, failure: Failure | null}} */ ({ key: "", value: null, failure: null }));
  const [turn, setTurn] = useState(0);
  const isMounted = useRef(true);
  useEffect(() => () => void (isMounted.current = false), []);
  useEffect(() => {
    const outdated = new AbortController();
    load(outdated.signal).then(
      (value) => outdated.signal.aborted || set({ key, value, failure: null }),
      (failure) => outdated.signal.aborted || set((before) => failed(before, key, failure)),
    );
    return () => outdated.abort();
  }, [key, turn]);
  return {
    value: state.value,
    failure: state.failure,
    isCurrent: state.key === key,
    reload: () => setTurn((before) => before + 1),
    /** @param {(value: T) => T} change */
    change: (change) => set((before) => (before.value === null ? before : { ...before, value: change(before.value) })),
  };
}

/**
 * What is shown stays good while the service cannot be reached, which is said above, once.
 * @template T
 * @param {{key: string, value: T | null, failure: Failure | null}} before
 * @param {string} key
 * @param {Failure} failure
 */
function failed(before, key, failure) {
  const value = before.key === key ? before.value : null;
  return { key, value, failure: value !== null && failure.code === "offline" ? null : failure };
}

/** Something a person does: at most once at a time, and its failure is kept until the next try. */
export function useAction() {
  const [isBusy, setBusy] = useState(false);
  const [failure, fail] = useState(/** @type {Failure | null} */ (null));
  /** @param {() => Promise<unknown>} action */
  const run = async (action) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await action();
      fail(null);
    } catch (error) {
      fail(error instanceof Failure ? error : new Failure("bug", `The page made a mistake: ${error}.`));
      if (!(error instanceof Failure)) console.error(error);
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, failure, clear: () => fail(null) };
}

/** What is being typed, by where it is kept: a place that is left and come back to goes on with it. @type {Map<string, import("./vendor/signals.js").Signal<string | null>>} */
const drafts = new Map();

/**
 * A text that is being typed, kept in this browser for one account until it is sent.
 * @param {string} name
 * @param {string} otherwise
 * @returns {[string, (text: string) => void, (text: string) => void]} the text, what types it, and what forgets it once it was sent,
 * unless something else was typed meanwhile
 */
export function useDraft(name, otherwise) {
  const stored = `afterthought.draft.${name}`;
  const draft = useMemo(() => {
    const known = drafts.get(stored) ?? signal(/** @type {string | null} */ (null));
    known.value = localStorage.getItem(stored);
    drafts.set(stored, known);
    return known;
  }, [stored]);
  /** @param {string | null} typed */
  const keep = (typed) => {
    draft.value = typed;
    try {
      if (typed && typed !== otherwise) localStorage.setItem(stored, typed);
      else localStorage.removeItem(stored);
    } catch {
      // A full or forbidden storage must not keep anybody from typing.
    }
  };
  return [draft.value ?? otherwise, keep, (text) => void ((draft.value ?? otherwise) === text && keep(null))];
}

/** Ctrl+Enter or ⌘+Enter sends the form one types in. @param {KeyboardEvent} event */
export function sendOnEnter(event) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  /** @type {HTMLTextAreaElement} */ (event.currentTarget).form?.requestSubmit();
}

export function Offline() {
  if (isConnected.value) return null;
  return html`<p class="offline" role="status">The service cannot be reached. Trying again; what you type is kept.</p>`;
}

/** @param {string} title */
export function useTitle(title) {
  useEffect(() => void (document.title = title ? `${title} – afterthought` : "afterthought"), [title]);
}
