// Choosing one of all entities by its name: the list of the filter offers only those of most thoughts.

import { ask } from "./api.js";
import { html, useEffect, useRef, useState } from "./page.js";
import { Alert, Dialog, Field, number, useAction, useLoaded } from "./parts.js";

/** @typedef {{entities: import("./types/api.d.ts").Entity[], next_cursor: string | null}} Answer */

const TYPING_MS = 150;

/** @param {{choose: (id: string) => void, close: () => void}} properties */
export function EntityFinder({ choose, close }) {
  const [typed, type] = useState("");
  const [q, askFor] = useState("");
  const { value, failure, isCurrent, reload } = useLoaded(q, (signal) => /** @type {Promise<Answer>} */ (ask("entities", { query: { q }, signal })));
  const [rest, setRest] = useState(/** @type {Answer | null} */ (null));
  const { run, isBusy, failure: moreFailure } = useAction();
  useEffect(() => {
    const timer = setTimeout(() => askFor(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => setRest(null), [q]);
  const all = [...(value?.entities ?? []), ...(rest?.entities ?? [])];
  const cursor = rest ? rest.next_cursor : value?.next_cursor;
  const latest = useRef(q);
  latest.current = q;
  const more = () =>
    run(async () => {
      /** @type {Answer} */
      const page = await ask("entities", { query: { q, cursor: cursor ?? undefined } });
      // Something else may be asked by now.
      if (latest.current !== q) return;
      setRest({ ...page, entities: [...(rest?.entities ?? []), ...page.entities] });
    });
  return html`<${Dialog} title="Choose an entity" close=${close}>
    <${Field} label="Find an entity">
      ${(/** @type {string} */ id) => html`<input id=${id} type="search" autofocus value=${typed} onInput=${(/** @type {any} */ event) => type(event.currentTarget.value)} />`}
    <//>
    <${Alert} failure=${failure} again=${reload} />
    ${isCurrent && !all.length && html`<p class="quiet" role="status">No entity is called so.</p>`}
    <ul class="found" aria-label="Entities">
      ${all.map(({ id, name, kind, thoughts }) => html`<li key=${id}>
        <button type="button" class="plain" onClick=${() => choose(id)}><span>${name} <span class="small quiet">${kind}</span></span><span class="small quiet number">${number(thoughts)}</span></button>
      </li>`)}
    </ul>
    <${Alert} failure=${moreFailure} />
    <div class="row">
      ${cursor && html`<button type="button" disabled=${isBusy} onClick=${more}>Show more</button>`}
      <button type="button" onClick=${close}>Cancel</button>
    </div>
  <//>`;
}
