// Where one is: the part of the address after `#`, such as `#/thought/ID` or `#/thoughts?q=tea`.

import { effect, signal } from "./page.js";

/** @typedef {{place: string, id: string, query: URLSearchParams, depth: number}} Route `depth` is how far down to begin */

/**
 * @param {number} [depth]
 * @returns {Route}
 */
function read(depth = 0) {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [place = "", id = ""] = path.split("/");
  return { place: place || "thoughts", id: decode(id), query: new URLSearchParams(query), depth };
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const route = signal(read());

/** The list of thoughts as it was asked for last. */
export const listAddress = signal("#/thoughts");
effect(() => void (route.value.place === "thoughts" && (listAddress.value = location.hash.startsWith("#/") ? location.hash : "#/thoughts")));

/**
 * The address of a place.
 * @param {string} place
 * @param {string} [id]
 * @param {Record<string, string>} [query] what is empty is left out
 */
export function to(place, id, query = {}) {
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value)).toString();
  return `#/${place}${id ? `/${encodeURIComponent(id)}` : ""}${asked ? `?${asked}` : ""}`;
}

/** The address that is shown; what is followed changes it a moment later than the browser's. */
let shown = location.hash;

/**
 * Changes the address without leaving a step to go back over.
 * @param {string} address
 */
export function replace(address) {
  history.replaceState(history.state, "", address);
  shown = location.hash;
  route.value = { ...read(), depth: route.value.depth };
}

/**
 * Asks something else of a place, unless one has gone elsewhere: what was typed a moment before must not call anybody back.
 * @param {string} place
 * @param {Record<string, string>} query
 */
export function askAt(place, query) {
  if (read().place === place) replace(to(place, "", query));
}

/** @type {() => void} */
let arrive = () => {};

/**
 * Goes to an address, at once: what is pressed or typed next is meant for what is there.
 * @param {string} address
 */
export function go(address) {
  location.hash = address;
  arrive();
}

/**
 * Follows the address from now on. A link for signing in is handed over and leaves the address at once, so that it is
 * neither kept in the history nor read by whoever looks over a shoulder.
 * @param {(link: string) => void} signInWith
 */
export function watch(signInWith) {
  history.scrollRestoration = "manual";
  /** How far down each address was read, so that going back leads to where one was. @type {Map<string, number>} */
  const depths = new Map();
  let isReturning = false;
  const look = () => {
    const link = /^#sign-in=(.+)$/.exec(location.hash)?.[1];
    if (link) history.replaceState(null, "", to("thoughts"));
    // What one comes back to has been seen; a followed link has not.
    if (history.state === null) history.replaceState({ seen: true }, "");
    shown = location.hash;
    route.value = read(isReturning ? depths.get(shown) : 0);
    if (link) signInWith(decode(link));
  };
  arrive = () => {
    isReturning = false;
    look();
  };
  window.addEventListener("scroll", () => void (location.hash === shown && depths.set(shown, window.scrollY)), { passive: true });
  window.addEventListener("popstate", (event) => void (isReturning = event.state !== null));
  window.addEventListener("hashchange", look);
  look();
}
