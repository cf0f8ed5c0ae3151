// The people, places and things that thoughts mention, and one of them with its thoughts and neighbours.

import { ask } from "./api.js";
import { useChanges } from "./live.js";
import { List, useList } from "./list.js";
import { html, useEffect, useRef, useState } from "./page.js";
import { Alert, Choice, counted, Empty, Loading, number, Seek, useAction, useLoaded, useTitle } from "./parts.js";
import { askAt, route, to } from "./route.js";

/** @typedef {import("./types/api.d.ts").Entity} Listed */
/** @typedef {import("./types/api.d.ts").EntityDetail} EntityDetail */
/** @typedef {{entities: Listed[], next_cursor: string | null, total: number}} Answer */

const KINDS = ["person", "organisation", "place", "product", "work", "date", "url", "email", "handle", "hashtag", "ticket", "version"];

/**
 * Entities by a part of their name and by kind, as many pages of them as were asked for.
 * @param {string} typed
 * @param {string} kind
 */
export function useEntities(typed, kind = "") {
  // A blank at the end is the beginning of the next word, and in no name.
  const q = typed.trim();
  const key = `${kind} ${q}`;
  const { value, failure, isCurrent, reload } = useLoaded(key, (signal) => /** @type {Promise<Answer>} */ (ask("entities", { query: { q, kind }, signal })));
  const [rest, setRest] = useState(/** @type {Answer | null} */ (null));
  const { run, isBusy, failure: moreFailure } = useAction();
  useEffect(() => setRest(null), [key]);
  const all = [...(value?.entities ?? []), ...(rest?.entities ?? [])];
  const cursor = rest ? rest.next_cursor : value?.next_cursor;
  const latest = useRef(key);
  latest.current = key;
  const more = () =>
    run(async () => {
      /** @type {Answer} */
      const page = await ask("entities", { query: { q, kind, cursor: cursor ?? undefined } });
      // Something else may be asked by now.
      if (latest.current !== key) return;
      setRest({ ...page, entities: [...(rest?.entities ?? []), ...page.entities] });
    });
  return { all, isLoaded: value !== null, isCurrent, isFirstPage: !rest, failure, reload, more: cursor ? more : null, isBusy, moreFailure };
}

export function Entities() {
  const q = route.value.query.get("q") ?? "";
  const kind = route.value.query.get("kind") ?? "";
  const { all, isLoaded, isCurrent, isFirstPage, failure, reload, more, isBusy, moreFailure } = useEntities(q, kind);
  useTitle("Entities");
  useChanges(() => isFirstPage && reload());
  return html`
    <div class="stack close">
      <h1>Entities</h1>
      <p class="lead">Who and what your thoughts mention, most often first.</p>
    </div>
    <div class="finding">
      <${Seek} label="Find an entity" question=${q} askFor=${(/** @type {string} */ sought) => askAt("entities", { q: sought, kind: route.value.query.get("kind") ?? "" })} />
      <${Choice} label="Kind" value=${kind} choose=${(/** @type {string} */ chosen) => askAt("entities", { q, kind: chosen })}
        options=${[["", "All"], ...[...new Set([...KINDS, ...(kind ? [kind] : [])])].map((name) => [name, name.charAt(0).toUpperCase() + name.slice(1)])]} />
    </div>
    <${Alert} failure=${failure} again=${reload} />
    ${!isLoaded && !failure && html`<${Loading} what="entities" />`}
    ${isLoaded && isCurrent && !all.length && (q || kind
      ? html`<${Empty} title="Nothing found"><p>No entity is called so.</p><//>`
      : html`<${Empty} title="No entities yet"><p>They are found in your thoughts a moment after each capture.</p><//>`)}
    ${all.length > 0 && html`<ul class="tiles" aria-label="Entities">
      ${all.map(({ id, name, kind: of, thoughts }) => html`<li key=${id}>
        <a href=${to("entity", id)}><span><span class="name">${name}</span> <span class="small quiet">${of}</span></span><span class="small quiet number">${number(thoughts)}</span></a>
      </li>`)}
    </ul>`}
    <${Alert} failure=${moreFailure} />
    ${more && html`<p class="more"><button type="button" disabled=${isBusy} onClick=${more}>Show more</button></p>`}
  `;
}

/** @param {{id: string}} properties */
export function Entity({ id }) {
  const { value, failure, reload } = useLoaded(id, (signal) => /** @type {Promise<EntityDetail>} */ (ask(`entities/${encodeURIComponent(id)}`, { signal })));
  const list = useList({ entity: id, status: "all" });
  useChanges(reload);
  useTitle(value?.entity.name ?? "Entity");
  const back = html`<p><a href=${to("entities")}>← Back</a></p>`;
  if (!value) return html`${back}<h1 class="hidden">Entity</h1>${failure ? html`<${Alert} failure=${failure} again=${reload} />` : html`<${Loading} what="the entity" />`}`;
  const { entity, neighbours } = value;
  const others = (entity.also ?? []).filter((name) => name !== entity.name);
  return html`
    ${back}
    <div class="stack close">
      <h1>${entity.name}</h1>
      <p class="facts">
        <span>${entity.kind}</span><span>in ${counted(entity.thoughts, "thought")}</span>
        ${others.length > 0 && html`<span>also ${others.join(", ")}</span>`}
        <span><a href=${to("graph", "", { entity: id })}>See as a picture</a></span>
      </p>
    </div>
    <div class="open-thought has-aside">
      <section class="stack close">
        <h2>Thoughts</h2>
        <${List} list=${list} label="Thoughts" empty=${html`<p class="quiet">None.</p>`} />
      </section>
      <aside class="stack close" aria-label="Neighbours">
        <h2>Together with</h2>
        ${neighbours.length
          ? html`<ul class="row chips">${neighbours.map((other) => html`<li key=${other.id}>
              <a class="chip" href=${to("entity", other.id)}>${other.name} <span class="number">${number(other.together)}<span class="hidden"> thoughts together</span></span></a>
            </li>`)}</ul>`
          : html`<p class="small quiet">Nobody and nothing else yet.</p>`}
      </aside>
    </div>
  `;
}
