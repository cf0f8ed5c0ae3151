// What changes while the page is open: the service's stream of changes, followed for as long as there is a session.

import { leave, session, token } from "./api.js";
import { effect, signal, useEffect, useRef } from "./page.js";

/** @typedef {(ids: string[] | null) => void} Listener gets the thoughts that changed, or null where everything may have */

/** Whether the service can be heard. */
export const isConnected = signal(true);

/** Heartbeats come every ten seconds; a stream that is silent for longer than two is dead. */
const SILENCE_MS = 25_000;
const MOST_PATIENCE_MS = 30_000;
const BURST_MS = 400;
/** Browsers open six connections to a service: tabs that nobody has looked at for a while leave theirs to the others. */
const UNSEEN_MS = 30_000;

/** @type {Set<Listener>} */
const listeners = new Set();

/** @type {() => void} */
let wake = () => {};

/** Whether somebody looks at this tab, or did a moment ago. */
const isSeen = signal(true);

/** The session that was followed last: whoever follows it again has missed something. @type {string | null} */
let followed = null;

/**
 * Calls back on changes while the component is there. Bursts are told once.
 * @param {Listener} listener
 */
export function useChanges(listener) {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    /** @type {Listener} */
    const call = (ids) => latest.current(ids);
    listeners.add(call);
    return () => void listeners.delete(call);
  }, []);
}

/** Follows the changes of whoever is signed in, from now on. */
export function follow() {
  window.addEventListener("online", () => wake());
  let unseen = 0;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(unseen);
    if (document.visibilityState === "visible") isSeen.value = true;
    else unseen = window.setTimeout(() => void (isSeen.value = false), UNSEEN_MS);
  });
  effect(() => {
    if (!session.value || !isSeen.value) return;
    const ended = new AbortController();
    void listen(ended.signal);
    return () => ended.abort();
  });
}

/** @param {AbortSignal} ended */
async function listen(ended) {
  let patience = 1000;
  while (!ended.aborted) {
    await stream(ended, () => {
      patience = 1000;
      isConnected.value = true;
      // What happened meanwhile was not told.
      if (followed === token()) tell(null);
      followed = token();
    }).catch(() => {});
    if (ended.aborted) return;
    await new Promise((resolve) => {
      wake = () => resolve(undefined);
      setTimeout(wake, patience);
    });
    patience = Math.min(patience * 2, MOST_PATIENCE_MS);
  }
}

/**
 * @param {AbortSignal} ended
 * @param {() => void} ready
 */
async function stream(ended, ready) {
  const silent = new AbortController();
  const stop = AbortSignal.any([ended, silent.signal]);
  let alarm = setTimeout(() => silent.abort(), SILENCE_MS);
  try {
    const headers = { Authorization: `Bearer ${token()}` };
    const answer = await fetch("/api/app/changes", { headers, signal: stop, cache: "no-store", credentials: "omit" });
    if (answer.status === 401) return leave("Your session has ended. Sign in to go on.");
    if (!answer.ok || !answer.body) throw new Error(`the stream of changes was answered ${answer.status}`);
    let rest = "";
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    // Not every browser walks through a stream by `for await`.
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      clearTimeout(alarm);
      alarm = setTimeout(() => silent.abort(), SILENCE_MS);
      const lines = (rest + next.value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim()) understand(JSON.parse(line), ready);
    }
  } finally {
    clearTimeout(alarm);
    if (!ended.aborted) isConnected.value = false;
  }
}

/**
 * @param {{type: string, ids?: string[]}} message
 * @param {() => void} ready
 */
function understand(message, ready) {
  if (message.type === "ready") ready();
  else if (message.type === "thoughts") tell(message.ids ?? []);
  else if (message.type === "many") tell(null);
  else if (message.type === "ended") leave("Your session has ended. Sign in to go on.");
}

/** @type {Set<string> | null} */
let told = new Set();
let timer = 0;

/** @param {string[] | null} ids */
function tell(ids) {
  if (ids && told) for (const id of ids) told.add(id);
  else told = null;
  if (timer) return;
  timer = window.setTimeout(() => {
    const changed = told && [...told];
    told = new Set();
    timer = 0;
    for (const listener of [...listeners]) listener(changed);
  }, BURST_MS);
}
