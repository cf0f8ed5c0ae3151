// Choosing one of all entities by its name: the list of the filter offers only those of most thoughts.

import { useEntities } from "./entities.js";
import { html, useState } from "./page.js";
import { Alert, Dialog, number, Seek } from "./parts.js";

/** @param {{choose: (id: string) => void, close: () => void}} properties */
export function EntityFinder({ choose, close }) {
  const [q, askFor] = useState("");
  const { all, isCurrent, failure, reload, more, isBusy, moreFailure } = useEntities(q);
  return html`<${Dialog} title="Choose an entity" close=${close}>
    <${Seek} label="Find an entity" question=${q} askFor=${askFor} isFirst />
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
