// The frame around the places: who is signed in, where one is, and the keys of the keyboard.

import { Failure, resume, session, signIn, signOut } from "./api.js";
import { Door } from "./door.js";
import { Entities, Entity } from "./entities.js";
import { GraphPlace } from "./graph.js";
import { focusWished, Help, useShortcuts } from "./keyboard.js";
import { Keys } from "./keys.js";
import { forgetLists } from "./list.js";
import { follow } from "./live.js";
import { Memory } from "./memory.js";
import { html, render, signal, useEffect, useLayoutEffect, useRef, useState } from "./page.js";
import { Alert, Empty, Loading, Mark, Offline, useAction } from "./parts.js";
import { route, to, watch } from "./route.js";
import { Thoughts } from "./thoughts.js";
import { ThoughtPlace } from "./thought.js";

/** Why the last link did not work. */
const linkFailure = signal(/** @type {Failure | null} */ (null));
/** Why nobody knows yet whether there is a session. */
const startFailure = signal(/** @type {Failure | null} */ (null));

/** Paths of 24 by 24, drawn as lines. */
const PLACES = /** @type {const} */ ([
  ["thoughts", "Thoughts", "M5 6h14M5 12h14M5 18h9"],
  ["entities", "Entities", "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM3 20c0-4 3-6 6-6s6 2 6 6M16 5.5a3 3 0 0 1 0 5.5M18 14.5c2 .8 3 2.7 3 5.5"],
  ["graph", "Graph", "M6 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM18 11a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM9 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 6.5l8 2M7 8l1.6 8M16.5 10.5l-6 6"],
  ["keys", "Keys", "M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 12h9v3M17.5 12v2.5"],
  ["memory", "Memory", "M5 20V11M12 20V4M19 20v-6"],
]);

function Place() {
  const { place, id } = route.value;
  switch (place) {
    case "thoughts":
      return html`<${Thoughts} />`;
    case "thought":
      return html`<${ThoughtPlace} key=${id} id=${id} />`;
    case "entities":
      return html`<${Entities} />`;
    case "entity":
      return html`<${Entity} key=${id} id=${id} />`;
    case "graph":
      return html`<${GraphPlace} />`;
    case "keys":
      return html`<${Keys} />`;
    case "memory":
      return html`<${Memory} />`;
    default:
      return html`<${Empty} title="There is no such place"><p><a href=${to("thoughts")}>Go to your thoughts</a></p><//>`;
  }
}

const WIDE = new Set(["thought", "entity", "graph", "memory"]);
const WITHIN = new Map([["thought", "thoughts"], ["entity", "entities"]]);

/** @param {{session: import("./api.js").Session}} properties */
function Frame({ session: { account, key } }) {
  const { place, id, depth } = route.value;
  const main = useRef(/** @type {HTMLElement | null} */ (null));
  const isFirst = useRef(true);
  const [isHelping, help] = useState(false);
  const { run, isBusy } = useAction();
  useShortcuts(() => help(true));
  useLayoutEffect(() => {
    window.scrollTo(0, depth);
    // Whoever listens to the page is told of the new place; on the first one the browser does so.
    if (!focusWished() && !isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [place, id]);
  const current = WITHIN.get(place) ?? place;
  return html`<div class="frame">
    <a class="skip" href="#main" onClick=${(/** @type {Event} */ event) => (event.preventDefault(), main.current?.focus())}>Skip to the content</a>
    <header class="rail">
      <p class="brand"><${Mark} />afterthought</p>
      <nav class="places" aria-label="Places">
        <ul>
          ${PLACES.map(([name, title, path]) => html`<li key=${name}>
            <a href=${to(name)} aria-current=${name === current ? "page" : null}><svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>${title}</a>
          </li>`)}
        </ul>
      </nav>
      <div class="who">
        <span class="name">${account}${key && html`<br />with the key ${key.name}`}</span>
        <span class="row">
          <button class="plain" type="button" onClick=${() => help(true)}>Help</button>
          <button class="plain" type="button" disabled=${isBusy} onClick=${() => run(signOut)}>Sign out</button>
        </span>
      </div>
    </header>
    <div>
      <${Offline} />
      <main id="main" ref=${main} tabindex="-1" class=${WIDE.has(place) ? "wide" : ""}>
        <div class="stack">
          <${Alert} failure=${linkFailure.value} again=${() => void (linkFailure.value = null)} label="Close" />
          <${Place} />
        </div>
      </main>
    </div>
    ${isHelping && html`<${Help} close=${() => help(false)} />`}
  </div>`;
}

function App() {
  const who = session.value;
  useEffect(forgetLists, [who]);
  if (who) return html`<${Frame} key=${`${who.account} ${who.key?.id}`} session=${who} />`;
  if (who === null) return html`<${Door} failure=${linkFailure.value} />`;
  if (startFailure.value) return html`<main class="door"><${Alert} failure=${startFailure.value} again=${start} label="Try to connect" /></main>`;
  return html`<main class="door"><${Loading} what="your memory" /></main>`;
}

/** @param {string} link */
async function useLink(link) {
  linkFailure.value = null;
  try {
    await signIn({ link });
  } catch (error) {
    linkFailure.value = error instanceof Failure ? error : new Failure("bug", `The page made a mistake: ${error}.`);
    if (session.value === undefined) await start();
  }
}

async function start() {
  startFailure.value = null;
  try {
    await resume();
  } catch (error) {
    if (session.value === undefined && error instanceof Failure) startFailure.value = error;
  }
}

let hasLink = false;
watch((link) => {
  hasLink = true;
  void useLink(link);
});
if (!hasLink) void start();
follow();
const page = document.getElementById("page");
if (page) {
  page.replaceChildren();
  render(html`<${App} />`, page);
}
