// The history of a thought, revision by revision, with what each changed.

import { ask } from "./api.js";
import { author, STATUS } from "./list.js";
import { html, useState } from "./page.js";
import { Alert, Difference, Loading, useAction, useLoaded, When } from "./parts.js";

/** @typedef {import("./types/api.d.ts").Revision} Revision */
/** @typedef {{revisions: Revision[], more: boolean}} Answer */

const DONE = { completed: "marked it done", archived: "archived it" };

/** @param {{thought: import("./types/api.d.ts").Thought}} properties */
export function History({ thought }) {
  const path = `thoughts/${encodeURIComponent(thought.id)}/history`;
  const { value, failure, reload } = useLoaded(`${thought.id} ${thought.revision} ${thought.updated_at}`, (signal) => /** @type {Promise<Answer>} */ (ask(path, { signal })));
  const [earlier, setEarlier] = useState(/** @type {Answer | null} */ (null));
  const { run, isBusy, failure: moreFailure } = useAction();
  const recent = value?.revisions ?? [];
  const oldest = Math.min(...recent.map((revision) => revision.number));
  // What was loaded once stays, unless so much has come since that something between is not known.
  const joined = earlier && (earlier.revisions[0]?.number ?? 0) >= oldest - 1 ? earlier : null;
  const revisions = [...recent, ...(joined?.revisions ?? []).filter(({ number }) => number < oldest)];
  const isMore = joined ? joined.more : value?.more;
  const more = () =>
    run(async () => {
      const before = revisions.at(-1)?.number;
      /** @type {Answer} */
      const page = await ask(path, { query: { before } });
      setEarlier({ revisions: [...revisions, ...page.revisions], more: page.more });
    });
  return html`<section class="stack close">
    <h2>History</h2>
    <${Alert} failure=${failure} again=${reload} />
    ${!value && !failure && html`<${Loading} what="the history" />`}
    ${value && html`<ol class="timeline" aria-label="History">
      ${revisions.map((revision) => html`<li key=${revision.number}>
        <p class="facts"><span>${said(revision)}</span><${When} at=${revision.at} /></p>
        ${revision.difference && html`<${Difference} parts=${revision.difference} />`}
      </li>`)}
      ${!isMore && html`<li key="captured"><p class="facts"><span>Captured by ${author(thought)}</span><${When} at=${thought.created_at} /></p></li>`}
    </ol>`}
    ${isMore && html`<p><button type="button" disabled=${isBusy} onClick=${more}>Show earlier</button></p>`}
    <${Alert} failure=${moreFailure} />
  </section>`;
}

/** @param {Revision} revision */
function said({ by, kind, status, difference }) {
  const who = by === "owner" ? "You" : by;
  const again = status ? `: it is ${STATUS[status.after]} again` : "";
  if (kind === "undo") return `${who} took back a change${again}`;
  if (kind === "redo") return `${who} made a change again${again}`;
  const text = difference && (kind === "model_change" ? "changed the text through the language model" : "changed the text");
  const state = status && (status.after === "open" ? (status.before === "archived" ? "restored it" : "reopened it") : DONE[status.after]);
  return `${who} ${[text, state].filter(Boolean).join(" and ") || "changed it"}`;
}
