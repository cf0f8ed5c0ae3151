// The memory as a whole: how much of what there is, what is there twice, and how to take it along or bring it in.

import { ask, send } from "./api.js";
import { useChanges } from "./live.js";
import { Article } from "./list.js";
import { html, useId, useRef, useState } from "./page.js";
import { Alert, counted, Loading, number, useAction, useLoaded, useTitle } from "./parts.js";
import { to } from "./route.js";

/** @typedef {import("./types/api.d.ts").Counts} Counts */
/** @typedef {import("./types/api.d.ts").Duplicates} Repeated */

export function Memory() {
  const { value, failure, reload } = useLoaded("memory", (signal) => /** @type {Promise<Counts>} */ (ask("memory", { signal })));
  useChanges(reload);
  useTitle("Memory");
  return html`
    <h1>Memory</h1>
    <${Alert} failure=${failure} again=${reload} />
    ${!value && !failure && html`<${Loading} what="the counts" />`}
    ${value && html`<${Figures} counts=${value} />`}
    <${Duplicates} />
    <${Transfer} imported=${reload} />
  `;
}

/** @param {{counts: Counts}} properties */
function Figures({ counts }) {
  const { total, status, authors, categories, months, notes, entities, pending, given_up } = counts;
  return html`
    <div>
      <p><span class="big">${number(total)}</span> ${total === 1 ? "thought" : "thoughts"}</p>
      <p class="facts">
        <span>${counted(notes, "note")}</span><span>${counted(entities, "entity", "entities")}</span>
        ${pending > 0 && html`<span>${number(pending)} being looked into</span>`}
        ${given_up > 0 && html`<span>${number(given_up)} given up on</span>`}
      </p>
    </div>
    <div class="figures">
      <${Bars} title="By status" rows=${[["Open", status.open, to("thoughts")], ["Done", status.completed, to("thoughts", "", { status: "completed" })], ["Archived", status.archived, to("thoughts", "", { status: "archived" })]]} />
      <${Bars} title="By category" rows=${Object.entries(categories).map(([name, count]) => [name.charAt(0).toUpperCase() + name.slice(1), count, to("thoughts", "", { status: "all", category: name })])} />
      <${Bars} title="By author" rows=${authors.map(({ author, agent_name: name, thoughts }) => (author === "user" ? ["You", thoughts, to("thoughts", "", { status: "all", author: "user" })] : [name ?? "an agent", thoughts, to("thoughts", "", { status: "all", author: `agent:${name}` })]))} />
    </div>
    <${Months} months=${months} />
  `;
}

/** @param {{title: string, rows: [string, number, string][]}} properties */
function Bars({ title, rows }) {
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return html`<section class="stack close">
    <h2>${title}</h2>
    <ul class="bars">
      ${rows.map(([label, count, address]) => html`<li key=${label}>
        <a href=${address}>${label}</a>
        <svg aria-hidden="true"><rect class="track" width="100%" height="100%" rx="5" /><rect class="bar" width=${`${(100 * count) / most}%`} height="100%" rx="5" /></svg>
        <span class="number quiet">${number(count)}</span>
      </li>`)}
      ${!rows.length && html`<li class="quiet">Nobody yet.</li>`}
    </ul>
  </section>`;
}

const MONTH = new Intl.DateTimeFormat("en-GB", { month: "short", year: "2-digit", timeZone: "UTC" });
/** Fewer columns than this look like walls, and more are too thin to see: then the latest are shown. */
const [LEAST_MONTHS, MOST_MONTHS] = [12, 36];

/** @param {{months: Counts["months"]}} properties */
function Months({ months }) {
  const all = filled(months);
  const most = Math.max(1, ...all.map(({ thoughts }) => thoughts));
  const [first, last] = [all[0], all.at(-1)];
  const told = first && last ? `Thoughts by month, ${name(first.month)} to ${name(last.month)}: ${all.filter(({ thoughts }) => thoughts).map(({ month, thoughts }) => `${name(month)} ${thoughts}`).join(", ")}` : "";
  return html`<section class="stack close">
    <h2>By month</h2>
    ${!first || !last
      ? html`<p class="quiet">Nothing yet.</p>`
      : html`<div class="months" role="img" aria-label=${told}>
            ${all.map(({ month, thoughts }) => {
              const height = thoughts ? Math.max(2, (100 * thoughts) / most) : 0;
              return html`<svg key=${month}><title>${name(month)}: ${number(thoughts)}</title><rect y=${`${100 - height}%`} width="100%" height=${`${height}%`} rx="2" /></svg>`;
            })}
          </div>
          <p class="small quiet row ends"><span>${name(first.month)}</span><span>at most ${number(most)} in a month</span><span>${name(last.month)}</span></p>`}
  </section>`;
}

/** @param {string} month */
function name(month) {
  return MONTH.format(new Date(`${month}-01T00:00:00Z`));
}

/**
 * The months in between, which have nothing, belong to the picture too.
 * @param {Counts["months"]} months
 */
function filled(months) {
  const counts = new Map(months.map(({ month, thoughts }) => [month, thoughts]));
  const last = months.at(-1)?.month;
  if (!last) return [];
  const [year = 0, number = 1] = last.split("-").map(Number);
  /** @type {Counts["months"]} */
  const all = [];
  for (let back = 0; back < MOST_MONTHS; back += 1) {
    const month = new Date(Date.UTC(2000, 0, 1));
    month.setUTCFullYear(year, number - 1 - back, 1);
    const key = month.toISOString().slice(0, 7);
    all.unshift({ month: key, thoughts: counts.get(key) ?? 0 });
    if (key <= (months[0]?.month ?? "") && all.length >= LEAST_MONTHS) break;
  }
  return all;
}

function Duplicates() {
  const { value, failure, reload } = useLoaded("duplicates", (signal) => /** @type {Promise<Repeated>} */ (ask("duplicates", { signal })));
  const [rest, setRest] = useState(/** @type {Repeated | null} */ (null));
  const { run, isBusy, failure: actionFailure } = useAction();
  const [archived, setArchived] = useState("");
  useChanges(() => !rest && reload());
  const groups = [...(value?.groups ?? []), ...(rest?.groups ?? [])];
  const cursor = rest ? rest.next_cursor : value?.next_cursor;
  const more = () =>
    run(async () => {
      /** @type {Repeated} */
      const page = await ask("duplicates", { query: { cursor: cursor ?? undefined } });
      setRest({ ...page, groups: [...(rest?.groups ?? []), ...page.groups] });
    });
  /** @param {string} id @param {string} to */
  const set = (id, to) =>
    run(async () => {
      await ask(`thoughts/${encodeURIComponent(id)}/status`, { method: "POST", json: { status: to } });
      setArchived(to === "archived" ? id : "");
      setRest(null);
      reload();
    });
  return html`<section class="stack close">
    <h2>Duplicates</h2>
    <${Alert} failure=${failure} again=${reload} />
    <${Alert} failure=${actionFailure} />
    ${value && !groups.length && html`<p class="quiet">No two thoughts say the same.</p>`}
    ${value && groups.length > 0 && html`<p class="quiet">${counted(value.total, "text is", "texts are")} there more than once. Keep the one you like and archive the others.</p>`}
    <p class="small row" role="status">${archived && html`Archived one. <button class="plain" type="button" onClick=${() => set(archived, "open")}>Take it back</button>`}</p>
    <ul class="pairs" aria-label="Duplicates">
      ${groups.map((group) => html`<li key=${group.thoughts[0]?.id}>
        <div class="pair">
          ${group.thoughts.map((thought) => html`<div key=${thought.id} class="sheet thoughts">
            <${Article} thought=${thought} />
            <p><button type="button" disabled=${isBusy} onClick=${() => set(thought.id, "archived")}>Archive this one</button></p>
          </div>`)}
        </div>
        ${group.more > 0 && html`<p class="small quiet">and ${number(group.more)} more like these</p>`}
      </li>`)}
    </ul>
    ${cursor && html`<p><button type="button" disabled=${isBusy} onClick=${more}>Show more</button></p>`}
  </section>`;
}

/** @param {{imported: () => void}} properties */
function Transfer({ imported }) {
  const { run, isBusy, failure } = useAction();
  const [said, say] = useState("");
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const isAsked = useRef(false);
  const id = useId();
  const take = () =>
    run(async () => {
      say("Exporting…");
      const answer = await send("export");
      const file = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "afterthought.jsonl";
      const address = URL.createObjectURL(await answer.blob());
      const link = document.createElement("a");
      link.href = address;
      link.download = file;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
      say(`Exported as ${file}.`);
    });
  const bring = () => {
    const file = input.current?.files?.[0];
    if (!file) {
      // Whoever presses the button first has asked for what they then choose.
      isAsked.current = true;
      return input.current?.click();
    }
    isAsked.current = false;
    void run(async () => {
      say("Importing…");
      try {
        const { imported: fresh, known, left_out: left } = await ask("import", { method: "POST", file });
        say(`Imported ${number(fresh)}, known already ${number(known)}, left out ${number(left)}.`);
      } catch (error) {
        say("");
        throw error;
      } finally {
        imported();
      }
      if (input.current) input.current.value = "";
    });
  };
  return html`<section class="stack close">
    <h2>Take it along</h2>
    <p class="quiet">Everything in this account, its history and notes included, as one file; without keys. What such a file holds and is not here yet is added by importing it.</p>
    <div class="row">
      <button type="button" disabled=${isBusy} onClick=${take}>Export</button>
      <button type="button" disabled=${isBusy} onClick=${bring}>Import</button>
      <span class="chosen"><label class="hidden" for=${id}>Choose a file</label>
        <input id=${id} ref=${input} type="file" accept=".jsonl,application/x-ndjson,application/json" onChange=${() => isAsked.current && bring()} /></span>
    </div>
    <${Alert} failure=${failure} />
    <p class="small" role="status">${said}</p>
  </section>`;
}
