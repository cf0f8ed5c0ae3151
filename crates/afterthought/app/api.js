// The one way to the service: requests with the session's header, and failures as sentences for people.
//
// The session's token lives in the storage of this tab and goes out as a header, never as a cookie or in an address.

import { signal } from "./page.js";
import { replace, to } from "./route.js";

/** @typedef {import("./types/api.d.ts").Session} Session */

const STORED = "afterthought.session";

/** The session: not known yet, none, or who is signed in. @type {import("./vendor/signals.js").Signal<Session | null | undefined>} */
export const session = signal(/** @type {Session | null | undefined} */ (undefined));

/** Why one stands before the door, where that needs a word. */
export const farewell = signal("");

/** A request that did not do what was asked, in one sentence. */
export class Failure extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @returns {string | null} */
export function token() {
  return sessionStorage.getItem(STORED);
}

/**
 * @typedef {object} Options
 * @property {string} [method]
 * @property {Record<string, string | number | undefined>} [query] what is empty is left out
 * @property {unknown} [json]
 * @property {Blob} [file]
 * @property {AbortSignal} [signal]
 */

/**
 * Sends a request and gives the answer's JSON, or throws a `Failure`; an `AbortError` where it was given up.
 * @param {string} path below the app's API
 * @param {Options} [options]
 * @returns {Promise<any>}
 */
export async function ask(path, options = {}) {
  const answer = await send(path, options);
  return answer.status === 204 ? null : await answer.json();
}

/**
 * The same, with the answer as it comes.
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Response>}
 */
export async function send(path, { method = "GET", query = {}, json, file, signal: aborted } = {}) {
  const address = new URL(`/api/app/${path}`, location.origin);
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") address.searchParams.set(name, String(value));
  const sent = token();
  const headers = new Headers();
  if (sent) headers.set("Authorization", `Bearer ${sent}`);
  if (json !== undefined) headers.set("Content-Type", "application/json");
  const body = json === undefined ? file : JSON.stringify(json);
  let answer;
  try {
    answer = await fetch(address, { method, headers, body: body ?? null, signal: aborted ?? null, cache: "no-store", credentials: "omit" });
  } catch (error) {
    if (aborted?.aborted) throw error;
    throw new Failure("offline", "The service cannot be reached; nothing was lost, try again in a moment.");
  }
  if (answer.ok) return answer;
  const { code, message } = (await answer.json().catch(() => null))?.error ?? {};
  // Another session may have begun while this answer was on its way.
  if (answer.status === 401 && code !== "bad_sign_in" && sent === token()) leave("Your session has ended. Sign in to go on.");
  throw new Failure(code ?? "unclear", sentence(message ?? `The service answered ${answer.status} without saying why.`));
}

/**
 * Starts a session with a link's token or a key.
 * @param {{link: string} | {key: string}} proof
 */
export async function signIn(proof) {
  const before = token();
  const { token: fresh, session: started } = await ask("session", { method: "POST", json: proof });
  sessionStorage.setItem(STORED, fresh);
  farewell.value = "";
  session.value = started;
  if (before) void fetch("/api/app/session", { method: "DELETE", headers: { Authorization: `Bearer ${before}` } }).catch(() => {});
}

/** Finds out whether the session this tab remembers is still one. */
export async function resume() {
  if (!token()) {
    session.value = null;
    return;
  }
  session.value = (await ask("session")).session;
}

/** Ends the session, here at once and at the service as soon as it hears of it. */
export async function signOut() {
  const ending = ask("session", { method: "DELETE" }).catch(() => {});
  leave("");
  replace(to("thoughts"));
  await ending;
}

/**
 * Forgets the session.
 * @param {string} reason
 */
export function leave(reason) {
  sessionStorage.removeItem(STORED);
  farewell.value = reason;
  session.value = null;
}

/**
 * The service words its refusals as parts of a sentence.
 * @param {string} message
 */
function sentence(message) {
  const whole = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…”"`)]$/.test(whole) ? whole : `${whole}.`;
}
