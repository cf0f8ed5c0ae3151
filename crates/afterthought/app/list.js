// Lists of thoughts: loaded page by page, kept for whoever comes back, and following what changes.

import { ask, Failure } from "./api.js";
import { useChanges } from "./live.js";
import { html, useEffect, useRef, useState } from "./page.js";
import { Alert, Loading, When } from "./parts.js";
import { to } from "./route.js";

/** @typedef {import("./types/api.d.ts").Listed} Listed */
/** @typedef {import("./types/api.d.ts").Page} Page */
/** @typedef {Record<string, string>} Query */
/** @typedef {{key: string, thoughts: Listed[], cursor: string | null, failure: Failure | null, isLoading: boolean, fresh: Set<string>}} Shown */
/** @typedef {{doing: "nothing" | "reloading" | "paging", isOutdated: boolean, ended: AbortController}} Running */

const PAGE = 30;
const MOST_A_PAGE = 100;
/** Whoever has paged further down than this gets the beginning anew, and the rest as it was. */
const MOST_RELOADED = 500;

/** What was shown last for each question, so that going back shows it at once. @type {Map<string, Shown>} */
const kept = new Map();

/** Whoever signs in next starts with nothing. */
export function forgetLists() {
  kept.clear();
}

/** @param {string} key @returns {Shown} */
function nothing(key) {
  return { key, thoughts: [], cursor: null, failure: null, isLoading: true, fresh: new Set() };
}

/**
 * The thoughts that answer a question, newest or best first.
 * @param {Query} query
 */
export function useList(query) {
  const key = JSON.stringify(query);
  const [state, set] = useState(() => kept.get(key) ?? nothing(key));
  const latest = useRef(state);
  const running = useRef(/** @type {Running} */ ({ doing: "nothing", isOutdated: false, ended: new AbortController() }));
  // Whoever asks late, as a capture does when it is answered, wants what is asked by then.
  const asked = useRef({ key, query });
  asked.current = { key, query };

  /** @param {Shown} next */
  const show = (next) => {
    latest.current = next;
    kept.set(next.key, { ...next, isLoading: false, fresh: new Set() });
    set(next);
  };

  /** @param {Running["doing"]} doing @param {(signal: AbortSignal) => Promise<Shown>} work @param {boolean} [isQuiet] */
  const begin = async (doing, work, isQuiet = false) => {
    const before = running.current;
    // A change that is told must not cost anybody the page they asked for, nor that page the change: one comes after the other.
    if (isQuiet && before.doing === "paging") return void (before.isOutdated = true);
    before.ended.abort();
    /** @type {Running} */
    const mine = { doing, isOutdated: doing === "paging" && before.doing === "reloading", ended: new AbortController() };
    running.current = mine;
    const { signal } = mine.ended;
    try {
      const next = await work(signal);
      if (!signal.aborted) show(next);
    } catch (error) {
      if (signal.aborted || !(error instanceof Failure)) return;
      // That nobody answers is said above, once; what is shown stays good.
      const failure = error.code === "offline" && isQuiet ? null : error;
      mine.isOutdated = false;
      set((latest.current = { ...latest.current, failure, isLoading: false }));
    } finally {
      mine.doing = "nothing";
      if (mine.isOutdated && !signal.aborted) void reload(true);
    }
  };

  /** Loads what is shown anew, as much of it as there was; quietly where nobody asked for it. @param {boolean} [isQuiet] */
  const reload = (isQuiet = false) =>
    begin("reloading", async (signal) => {
      const { key, query } = asked.current;
      const before = latest.current;
      const wanted = Math.max(before.thoughts.length, PAGE);
      const first = await load(query, Math.min(wanted, MOST_RELOADED), signal);
      const known = new Set(before.thoughts.map(({ id }) => id));
      const fresh = new Set(before.key === key && before.thoughts.length ? first.thoughts.filter(({ id }) => !known.has(id)).map(({ id }) => id) : []);
      // What comes on top pushes nothing out at the end.
      const pushed = first.cursor && fresh.size && wanted + fresh.size <= MOST_RELOADED ? await load(query, fresh.size, signal, first.cursor) : null;
      const thoughts = [...first.thoughts, ...(pushed?.thoughts ?? []).filter(({ id }) => !first.thoughts.some((other) => other.id === id))];
      const cursor = pushed ? pushed.cursor : first.cursor;
      const rest = wanted > MOST_RELOADED ? before.thoughts.slice(thoughts.length) : [];
      const all = [...thoughts, ...rest.filter(({ id }) => !thoughts.some((other) => other.id === id))];
      return { key, thoughts: all, cursor: rest.length ? before.cursor : cursor, failure: null, isLoading: false, fresh };
    }, isQuiet && latest.current.key === asked.current.key);

  const more = () =>
    begin("paging", async (signal) => {
      const before = latest.current;
      set({ ...before, isLoading: true });
      /** @type {Page} */
      const page = await ask("thoughts", { query: { ...query, limit: PAGE, cursor: before.cursor ?? undefined }, signal });
      const known = new Set(before.thoughts.map(({ id }) => id));
      const isNew = (/** @type {Listed} */ { id }) => !known.has(id);
      const wanted = before.thoughts.length + PAGE;
      // What is known already tells that the order changed meanwhile, and something else may have gone before it.
      const isMoved = !page.thoughts.every(isNew) && wanted <= MOST_RELOADED;
      const { thoughts, cursor } = isMoved ? await load(query, wanted, signal) : { thoughts: page.thoughts, cursor: page.next_cursor };
      return { ...before, thoughts: [...before.thoughts, ...thoughts.filter(isNew)], cursor, failure: null, isLoading: false };
    });

  useEffect(() => {
    const before = kept.get(key);
    latest.current = before ?? { ...nothing(key), thoughts: latest.current.thoughts, key: latest.current.key };
    set(before ?? { ...latest.current, isLoading: true });
    void reload();
    return () => running.current.ended.abort();
  }, [key]);
  useChanges(() => void reload(true));

  return { ...state, isCurrent: state.key === key, hasMore: state.cursor !== null, more, reload };
}

/**
 * @param {Query} query
 * @param {number} wanted
 * @param {AbortSignal} signal
 * @param {string | null} [cursor] where to begin
 */
async function load(query, wanted, signal, cursor = null) {
  /** @type {Listed[]} */
  const thoughts = [];
  do {
    const limit = Math.min(wanted - thoughts.length, MOST_A_PAGE);
    /** @type {Page} */
    const page = await ask("thoughts", { query: { ...query, limit, cursor: cursor ?? undefined }, signal });
    thoughts.push(...page.thoughts);
    cursor = page.next_cursor;
  } while (cursor && thoughts.length < wanted);
  return { thoughts, cursor };
}

/**
 * @param {{list: ReturnType<typeof useList>, label: string, question?: string, empty: any}} properties
 */
export function List({ list, label, question = "", empty }) {
  const { thoughts, isLoading, isCurrent, failure, hasMore, more, reload, fresh } = list;
  const isFirstLoad = isLoading && !thoughts.length;
  return html`
    <${Alert} failure=${failure} again=${() => reload()} />
    ${isFirstLoad && html`<${Loading} what="thoughts" />`}
    ${!isFirstLoad && !failure && isCurrent && !thoughts.length && empty}
    ${thoughts.length > 0 &&
    html`<ul class="thoughts" aria-label=${label} aria-busy=${isLoading}>
      ${thoughts.map((thought) => html`<li key=${thought.id} class=${fresh.has(thought.id) ? "fresh" : null}><${Article} thought=${thought} question=${question} /></li>`)}
    </ul>`}
    ${thoughts.length > 0 && hasMore &&
    html`<p class="more"><button type="button" disabled=${isLoading} onClick=${more}>${question ? "Show more" : "Show older"}</button></p>`}
  `;
}

/**
 * A thought in a list. Its first link is all of it.
 * @param {{thought: Listed, question?: string}} properties
 */
export function Article({ thought, question = "" }) {
  const { id, status, snippet, cut, superseded_by: later } = thought;
  return html`<article data-id=${id} class=${`is-${status}`}>
    <a href=${to("thought", id)}>${marked(snippet, question)}${cut && !snippet.endsWith("…") ? "…" : ""}</a>
    <p class="facts">
      <${When} at=${thought.captured_at} />
      <span>${author(thought)}</span>
      <span>${thought.category}</span>
      ${status !== "open" && html`<span>${STATUS[status]}</span>`}
      ${later && html`<span><a class="above" href=${to("thought", later)}>replaced by a later thought</a></span>`}
    </p>
    <${Why} thought=${thought} question=${question} />
  </article>`;
}

/** How a status is called. */
export const STATUS = { open: "open", completed: "done", archived: "archived" };

/** @param {{author: string, agent_name?: string}} thought */
export function author({ author: kind, agent_name: name }) {
  return kind === "user" ? "you" : (name ?? "an agent");
}

/** Why a thought was found. @param {{thought: Listed, question: string}} properties */
function Why({ thought: { why, score, notes }, question }) {
  if (!why?.length) return null;
  return html`<p class="why">
    Found by ${why.map((way, at) => html`${at > 0 && (at === why.length - 1 ? " and " : ", ")}<b>${way}</b>`)}${score !== undefined && `, ${Math.round(score * 100)}\u00a0%`}
    ${notes?.map(({ name, snippet }) => html`<br />in the note ${name}: <q>${marked(snippet, question)}</q>`)}
  </p>`;
}

/**
 * The text with the words that were asked for marked, short ones only where there is nothing else: they are everywhere.
 * @param {string} text
 * @param {string} question
 */
function marked(text, question) {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const asked = words.some((word) => word.length > 3) ? words.filter((word) => word.length > 3) : words;
  if (!asked.length) return text;
  return text.split(/([\p{L}\p{N}]+)/u).map((word, at) => {
    const isAsked = at % 2 === 1 && asked.some((start) => word.toLowerCase().startsWith(start));
    return isAsked ? html`<mark>${word}</mark>` : word;
  });
}
