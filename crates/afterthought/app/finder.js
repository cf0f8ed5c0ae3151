// Choosing one of all entities by its name: the list of the filter offers only those of most thoughts.

import { useEntities } from "./entities.js";
import { html, useEffect, useState } from "./page.js";
import { Alert, Dialog, Field, number } from "./parts.js";

const TYPING_MS = 150;

/** @param {{choose: (id: string) => void, close: () => void}} properties */
export function EntityFinder({ choose, close }) {
  const [typed, type] = useState("");
  const [q, askFor] = useState("");
  const { all, isCurrent, failure, reload, more, isBusy, moreFailure } = useEntities(q);
  useEffect(() => {
    const timer = setTimeout(() => askFor(typed.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
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
      ${more && html`<button type="button" disabled=${isBusy} onClick=${more}>Show more</button>`}
      <button type="button" onClick=${close}>Cancel</button>
    </div>
  <//>`;
}
