// One thought: its text, what can be done with it, and everything around it.

import { ask, session } from "./api.js";
import { History } from "./history.js";
import { useChanges } from "./live.js";
import { Article, author, forgetLists, STATUS } from "./list.js";
import { Notes } from "./notes.js";
import { html, useEffect, useId, useLayoutEffect, useRef, useState } from "./page.js";
import { Alert, Difference, Loading, sendOnEnter, useAction, useDraft, useLoaded, useTitle, When } from "./parts.js";
import { listAddress, replace, route, to } from "./route.js";

/** @typedef {import("./types/api.d.ts").Detail} Detail */
/** @typedef {import("./types/api.d.ts").Edited} Edited */
/** @typedef {import("./types/api.d.ts").Status} Status */
/** @typedef {(path: string, json?: object) => Promise<void>} Change */

/** How often to look whether enrichment is done: its links are not announced. */
const PENDING_MS = 2000;

/** @param {{id: string}} properties */
export function ThoughtPlace({ id }) {
  const path = `thoughts/${encodeURIComponent(id)}`;
  const { value: detail, failure, reload, change: replaceDetail } = useLoaded(id, (signal) => /** @type {Promise<Detail>} */ (ask(path, { signal })));
  const [edited, setEdited] = useState(/** @type {Edited | null} */ (null));
  useChanges((ids) => void ((ids === null || ids.includes(id)) && reload()));
  useEffect(() => {
    if (detail?.enrichment !== "pending") return;
    const timer = setTimeout(reload, PENDING_MS);
    return () => clearTimeout(timer);
  }, [detail]);
  useTitle(detail ? detail.thought.raw_text.slice(0, 60) : "Thought");

  /** @type {Change} */
  const change = async (what, json = {}) => {
    const result = /** @type {Edited} */ (await ask(`${path}/${what}`, { method: "POST", json }).catch((error) => {
      // Whoever is told that it changed meanwhile wants to see how.
      if (error.code === "changed_meanwhile") reload();
      throw error;
    }));
    const { thought, can_undo, can_redo } = result;
    replaceDetail((before) => ({ ...before, thought, can_undo, can_redo }));
    setEdited(result);
    forgetLists();
    reload();
  };

  const back = html`<p><a href=${listAddress.value}>← Back</a></p>`;
  if (!detail) return html`${back}<h1 class="hidden">Thought</h1>${failure ? html`<${Alert} failure=${failure} again=${reload} />` : html`<${Loading} what="the thought" />`}`;
  return html`
    ${back}
    <h1 class="hidden">Thought</h1>
    <${Alert} failure=${failure} again=${reload} />
    <div class="open-thought has-aside">
      <div class="stack">
        <${Body} detail=${detail} change=${change} />
        <${Ask} id=${id} change=${change} />
        <${Changed} edited=${edited} />
        <${History} thought=${detail.thought} />
      </div>
      <aside class="stack" aria-label="Around this thought">
        <${Enrichment} path=${path} detail=${detail} reload=${reload} />
        <${Around} detail=${detail} />
        <${Notes} id=${id} notes=${detail.notes} isMore=${detail.more_notes} reload=${reload} />
      </aside>
    </div>
  `;
}

/** @type {Record<Status, [string, Status][]>} */
const STEPS = {
  open: [["Mark done", "completed"], ["Archive", "archived"]],
  completed: [["Reopen", "open"], ["Archive", "archived"]],
  archived: [["Restore", "open"]],
};

/** @param {{detail: Detail, change: Change}} properties */
function Body({ detail, change }) {
  const { thought, can_undo, can_redo } = detail;
  const later = detail.linked.find((one) => one.as === "replacement" && one.thought.status === "open");
  const [isEditing, setEditing] = useState(route.value.query.get("edit") === "yes");
  const { run, isBusy, failure } = useAction();
  const editButton = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const close = () => {
    setEditing(false);
    if (route.value.query.has("edit")) replace(to("thought", thought.id));
    requestAnimationFrame(() => editButton.current?.focus());
  };
  const isDated = Math.abs(Date.parse(thought.captured_at) - Date.parse(thought.created_at)) > 3_600_000;
  return html`<article class=${`stack is-${thought.status}`}>
    <p class="facts">
      <span class=${thought.status === "completed" ? "chip good" : thought.status === "archived" ? "chip warn" : "chip"}>${STATUS[thought.status]}</span>
      <${When} at=${thought.captured_at} />
      <span>${author(thought)}</span>
      <span>${thought.category}</span>
      ${isDated && html`<span>stored <${When} at=${thought.created_at} /></span>`}
    </p>
    ${isEditing
      ? html`<${EditText} thought=${thought} change=${change} close=${close} />`
      : html`<p class=${thought.raw_text.length > 600 ? "words long" : "words"}>${thought.raw_text}</p>`}
    ${later && html`<p class="note-to-user small">A later thought says what has become of this: <a href=${to("thought", later.thought.id)}>${later.thought.snippet}</a></p>`}
    <${Alert} failure=${failure} />
    <div class="row">
      ${STEPS[thought.status].map(([label, status]) => html`<button key=${label} type="button" disabled=${isBusy} onClick=${() => run(() => change("status", { status }))}>${label}</button>`)}
      ${!isEditing && html`<button ref=${editButton} type="button" data-key="e" onClick=${() => setEditing(true)}>Edit text</button>`}
      <button type="button" data-key="u" disabled=${isBusy || !can_undo} onClick=${() => run(() => change("undo"))}>Undo</button>
      <button type="button" disabled=${isBusy || !can_redo} onClick=${() => run(() => change("redo"))}>Redo</button>
    </div>
  </article>`;
}

/** @param {{thought: Detail["thought"], change: Change, close: () => void}} properties */
function EditText({ thought, change, close }) {
  // What is typed is based on the text that was there when typing began, also where it is gone on with another day.
  const [draft, keep, sent] = useDraft(`${session.value?.account}.edit.${thought.id}`, `${thought.revision}\n${thought.raw_text}`);
  const [based = "", text = ""] = draft.split(/\n(.*)/s);
  const seen = useRef(/** @type {Map<number, string>} */ (new Map()));
  seen.current.set(thought.revision, thought.raw_text);
  // Being marked done, or changed and changed back, is nothing to decide anew about.
  const revision = seen.current.get(Number(based)) === thought.raw_text ? thought.revision : Number(based);
  const { run, isBusy, failure } = useAction();
  const box = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const id = useId();
  // Before anything else is done: what is typed next belongs here.
  useLayoutEffect(() => box.current?.focus(), []);
  const leave = () => {
    sent(draft);
    close();
  };
  const save = (/** @type {number} */ over) =>
    run(async () => {
      await change("text", { raw_text: text, revision: over });
      leave();
    });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    void save(revision);
  };
  return html`<form class="stack close" onSubmit=${submit}>
    <label for=${id}>Text</label>
    <textarea id=${id} ref=${box} rows=${Math.min(20, Math.max(4, text.split("\n").length + text.length / 60))} value=${text} onKeyDown=${sendOnEnter}
      readOnly=${isBusy} onInput=${(/** @type {any} */ event) => keep(`${based}\n${event.currentTarget.value}`)}></textarea>
    <${Alert} failure=${failure} again=${failure?.code === "changed_meanwhile" ? () => save(thought.revision) : undefined} label="Save mine over it" />
    <div class="row">
      <button class="main" disabled=${isBusy}>Save</button>
      <button type="button" onClick=${leave}>Cancel</button>
    </div>
  </form>`;
}

/** @param {{id: string, change: Change}} properties */
function Ask({ id: thought, change }) {
  const [request, type, sent] = useDraft(`${session.value?.account}.request.${thought}`, "");
  const { run, isBusy, failure, clear } = useAction();
  const box = useRef(/** @type {HTMLInputElement | null} */ (null));
  const id = useId();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    // What stands in the box, whether the page has drawn itself anew since or not.
    const asked = box.current?.value ?? request;
    if (!asked.trim()) return box.current?.focus();
    void run(async () => {
      await change("edit", { request: asked });
      sent(asked);
    });
  };
  return html`<form class="stack close" onSubmit=${submit}>
    <label for=${id}>What should change?</label>
    <div class="ask">
      <input id=${id} ref=${box} type="text" autocomplete="off" placeholder="it's Marta, not Maria, and mark it done" value=${request}
        onInput=${(/** @type {any} */ event) => (type(event.currentTarget.value), clear())} />
      <button class="main" disabled=${isBusy}>Apply</button>
    </div>
    <${Alert} failure=${failure} />
  </form>`;
}

/** What the last change did. @param {{edited: Edited | null}} properties */
function Changed({ edited }) {
  return html`<div role="status">
    ${edited && html`<div class="note-to-user stack close">
      <p class="small">${told(edited)}</p>
      ${edited.difference && html`<${Difference} parts=${edited.difference} />`}
    </div>`}
  </div>`;
}

/** @param {Edited} edited */
function told({ changed, thought, previous_status, by_model }) {
  if (!changed.length) return "It already was so; nothing changed.";
  const status = changed.includes("status") ? `It was ${STATUS[previous_status]} and is ${STATUS[thought.status]}.` : "";
  const text = changed.includes("text") ? `The text changed${by_model ? ", as the language model put it" : ""}.` : "";
  return [text, status].filter(Boolean).join(" ");
}

/** @param {{path: string, detail: Detail, reload: () => void}} properties */
function Enrichment({ path, detail, reload }) {
  const { run, isBusy, failure } = useAction();
  if (detail.enrichment === "done") return null;
  if (detail.enrichment === "pending") return html`<p class="small quiet" role="status">Looking for entities and what belongs together…</p>`;
  const retry = () =>
    run(async () => {
      await ask(`${path}/retry`, { method: "POST", json: {} });
      reload();
    });
  return html`<div class="stack close">
    <p class="small">Entities and links could not be found: it was tried several times and given up.</p>
    <p><button type="button" disabled=${isBusy} onClick=${retry}>Try again</button></p>
    <${Alert} failure=${failure} />
  </div>`;
}

/** @param {{detail: Detail}} properties */
function Around({ detail: { entities, linked, enrichment, thought } }) {
  const none = enrichment === "pending" ? "Not yet known." : "None.";
  return html`
    <section class="stack close">
      <h2>Entities</h2>
      ${entities.length
        ? html`<ul class="row chips">${entities.map(({ id, name, kind }) => html`<li key=${id}><a class="chip" href=${to("entity", id)} title=${kind}>${name}</a></li>`)}</ul>`
        : html`<p class="small quiet">${none}</p>`}
    </section>
    <section class="stack close">
      <div class="row ends"><h2>Linked</h2>${linked.length > 0 && html`<a class="small" href=${to("graph", "", { thought: thought.id })}>See as a picture</a>`}</div>
      ${linked.length ? LINKED.map(([kind, label]) => html`<${LinkedAs} key=${kind} label=${label} thoughts=${linked.filter((one) => one.as === kind).map((one) => one.thought)} />`) : html`<p class="small quiet">${none}</p>`}
    </section>
  `;
}

/** What another thought can be to this one. @type {[string, string][]} */
const LINKED = [["replacement", "Replaced by"], ["replaced", "Replaces"], ["related", "Related"]];

/** @param {{label: string, thoughts: import("./types/api.d.ts").Listed[]}} properties */
function LinkedAs({ label, thoughts }) {
  if (!thoughts.length) return null;
  return html`<div>
    <h3 class="quiet">${label}</h3>
    <ul class="thoughts small-ones" aria-label=${label}>${thoughts.map((other) => html`<li key=${other.id}><${Article} thought=${other} /></li>`)}</ul>
  </div>`;
}
