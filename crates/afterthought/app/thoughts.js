// The place of all thoughts: capture, search, filter, browse.

import { ask, session } from "./api.js";
import { useChanges } from "./live.js";
import { EntityFinder } from "./finder.js";
import { List, useList } from "./list.js";
import { html, useId, useRef, useState } from "./page.js";
import { Alert, Choice, counted, Empty, Field, Seek, sendOnEnter, useAction, useDraft, useLoaded, useTitle } from "./parts.js";
import { askAt, replace, route, to } from "./route.js";

/** @typedef {import("./types/api.d.ts").Facets} Facets */

/** The choice of an entity that the list does not offer; no entity is called so. */
const ANOTHER = "another";
/** What an address says about the list; anything else in it means nothing. */
const ASKED = ["q", "status", "author", "category", "entity", "from", "to"];

export function Thoughts() {
  const asked = askedFor(route.value);
  const question = asked["q"] ?? "";
  const list = useList({
    ...asked,
    status: asked["status"] || "open",
    from: asked["from"] ? startOfDay(asked["from"], 0) : "",
    to: asked["to"] ? startOfDay(asked["to"], 1) : "",
  });
  useTitle("Thoughts");
  /** @param {Record<string, string>} changed */
  const askFor = (changed) => askAt("thoughts", { ...askedFor(route.value), ...changed });
  const isNarrowed = ASKED.some((name) => asked[name]);
  return html`
    <h1>Thoughts</h1>
    <${Capture} captured=${() => list.reload(true)} />
    <search class="seeking">
      <${Seek} label="Search" placeholder="Words, or a question" question=${question} askFor=${(/** @type {string} */ q) => askFor({ q })} />
      <${Filters} asked=${asked} askFor=${askFor} />
    </search>
    <p class="hidden" role="status">${question && list.isCurrent && !list.isLoading ? `${counted(list.thoughts.length, "thought")} found` : ""}</p>
    <div>
      <${List} list=${list} label="Thoughts" question=${question} empty=${isNarrowed
        ? html`<${Empty} title="Nothing found">
            <p>${question ? "No thought answers this, with the filters as they are." : "No thought passes these filters."}</p>
            <button type="button" onClick=${() => replace(to("thoughts"))}>Show all open thoughts</button>
          <//>`
        : html`<${Empty} title="Nothing here yet"><p>Write down your first thought above. What assistants capture for you appears here by itself.</p><//>`} />
    </div>
  `;
}

/** @param {import("./route.js").Route} route */
function askedFor({ query }) {
  return Object.fromEntries(ASKED.map((name) => [name, query.get(name) ?? ""]));
}

/** @param {{captured: () => void}} properties */
function Capture({ captured }) {
  const account = session.value?.account ?? "";
  const [text, type, sent] = useDraft(`${account}.capture`, "");
  const [date, setDate, dated] = useDraft(`${account}.date`, "");
  const [isDating, setDating] = useState(date !== "");
  const [last, setLast] = useState("");
  const { run, isBusy, failure } = useAction();
  const box = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const [textId, dateId] = [useId(), useId()];
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!text.trim()) return box.current?.focus();
    setLast("");
    // At once: whoever goes on elsewhere before the answer is there is not called back.
    box.current?.focus();
    void run(async () => {
      const { thought } = await ask("thoughts", { method: "POST", json: { raw_text: text, ...(date ? { captured_at: noon(date) } : {}) } });
      sent(text);
      dated(date);
      setDating(false);
      setLast(thought.id);
      captured();
    });
  };
  return html`<form class="capture sheet" onSubmit=${submit}>
    <label class="hidden" for=${textId}>New thought</label>
    <textarea id=${textId} ref=${box} rows="3" placeholder="What is on your mind?" value=${text} onKeyDown=${sendOnEnter}
      onInput=${(/** @type {any} */ event) => type(event.currentTarget.value)}></textarea>
    <${Alert} failure=${failure} />
    <div class="row">
      ${!isDating
        ? html`<button class="plain" type="button" onClick=${() => setDating(true)}>Set a date</button>`
        : html`<span class="field-date">
            <label for=${dateId}>Date</label>
            <input id=${dateId} type="date" value=${date} onInput=${(/** @type {any} */ event) => setDate(event.currentTarget.value)} />
            <button class="plain" type="button" onClick=${() => (setDate(""), setDating(false))}>No date</button>
          </span>`}
      <span class="small quiet" role="status">${last && html`Captured. <a href=${to("thought", last)}>Open it</a>`}</span>
      <button class="main" disabled=${isBusy}>Capture</button>
    </div>
  </form>`;
}

/** @param {{asked: Record<string, string>, askFor: (changed: Record<string, string>) => void}} properties */
function Filters({ asked, askFor }) {
  const { value, reload } = useLoaded("facets", (signal) => /** @type {Promise<Facets>} */ (ask("facets", { signal })));
  useChanges(reload);
  const { agents = [], categories = [], entities = [], more_entities: isMore = false } = value ?? {};
  const [isFinding, setFinding] = useState(false);
  /** @type {[string, string][]} */
  const named = entities.map(({ id, name }) => [id, name]);
  const entity = asked["entity"] ?? "";
  if (entity && !named.some(([id]) => id === entity)) named.push([entity, entity.replace(/^[a-z]+:/, "")]);
  /** @param {string} name */
  const choose = (name) => (/** @type {string} */ chosen) => askFor({ [name]: chosen });
  return html`<div class="filters">
    <${Choice} label="Status" value=${asked["status"] || "open"} choose=${choose("status")}
      options=${[["open", "Open"], ["completed", "Done"], ["archived", "Archived"], ["all", "All"]]} />
    <${Choice} label="Author" value=${asked["author"] ?? ""} choose=${choose("author")}
      options=${[["", "All"], ["user", "You"], ["agents", "Agents"], ...agents.map((name) => [`agent:${name}`, name])]} />
    <${Choice} label="Category" value=${asked["category"] ?? ""} choose=${choose("category")}
      options=${[["", "All"], ...categories.map((name) => [name, name.charAt(0).toUpperCase() + name.slice(1)])]} />
    <${Choice} label="Entity" value=${entity} choose=${(/** @type {string} */ chosen) => (chosen === ANOTHER ? setFinding(true) : askFor({ entity: chosen }))}
      options=${[["", "All"], ...named, ...(isMore ? [[ANOTHER, "Another…"]] : [])]} />
    ${[["from", "From"], ["to", "To"]].map(([name = "", label]) => html`<${Field} key=${name} label=${label}>
      ${(/** @type {string} */ id) => html`<input id=${id} type="date" value=${asked[name] ?? ""} onChange=${(/** @type {any} */ event) => askFor({ [name]: event.currentTarget.value })} />`}
    <//>`)}
    ${isFinding && html`<${EntityFinder} close=${() => setFinding(false)} choose=${(/** @type {string} */ id) => (setFinding(false), askFor({ entity: id }))} />`}
  </div>`;
}

/**
 * The moment a day begins where the person is, `later` days on; nothing if an address says what is no day.
 * @param {string} date
 * @param {number} later
 */
function startOfDay(date, later) {
  const [year, month, day] = (/^(\d{4,6})-(\d\d)-(\d\d)$/.exec(date)?.slice(1) ?? []).map(Number);
  const start = new Date(2000, 0, 1);
  start.setFullYear(year ?? NaN, (month ?? NaN) - 1, day ?? NaN);
  if (start.getMonth() + 1 !== month) return "";
  start.setDate(start.getDate() + later);
  return Number.isNaN(start.getTime()) ? "" : start.toISOString();
}

/**
 * A day alone stands for its noon: so it is the same day in most of the world's clocks.
 * @param {string} date
 */
function noon(date) {
  return new Date(new Date(startOfDay(date, 0)).getTime() + 12 * 3_600_000).toISOString();
}
