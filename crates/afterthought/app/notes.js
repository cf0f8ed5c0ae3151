// The notes of a thought: text files that are attached, read and removed.

import { ask, Failure } from "./api.js";
import { html, useEffect, useId, useRef, useState } from "./page.js";
import { Alert, Loading, number, useAction, useLoaded, When } from "./parts.js";

/** @typedef {import("./types/api.d.ts").Note} Note */

const MOST_BYTES = 1_048_576;

/** @param {{id: string, notes: Note[], isMore: boolean, reload: () => void}} properties */
export function Notes({ id, notes, isMore, reload }) {
  const path = `thoughts/${encodeURIComponent(id)}/notes`;
  const [rest, setRest] = useState(/** @type {{notes: Note[], more_notes: boolean} | null} */ (null));
  const [said, say] = useState("");
  const [removed, setRemoved] = useState(/** @type {{name: string, text: string} | null} */ (null));
  const { run, isBusy, failure } = useAction();
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const inputId = useId();

  /** @param {File[]} files */
  const attach = (files) =>
    run(async () => {
      const done = [];
      try {
        for (const file of files) {
          if (file.size > MOST_BYTES) throw new Failure("too_large", `${file.name} is larger than 1 MiB, the most a note may be.`);
          await ask(path, { method: "POST", query: { name: file.name }, file }).catch((error) => {
            throw error instanceof Failure ? new Failure(error.code, `${file.name} was not attached: ${error.message}`) : error;
          });
          done.push(file.name);
        }
        setRemoved(null);
      } finally {
        say(done.length ? `Attached ${done.join(", ")}.` : "");
        if (input.current) input.current.value = "";
        reload();
      }
    });
  const isOver = useDropped((files) => void attach(files));

  /** @param {Note} note */
  const remove = (note) =>
    run(async () => {
      const { text } = await ask(`notes/${encodeURIComponent(note.id)}`);
      await ask(`notes/${encodeURIComponent(note.id)}`, { method: "DELETE" });
      setRemoved({ name: note.name, text });
      setRest(null);
      say(`Removed ${note.name}.`);
      reload();
    });
  const more = () =>
    run(async () => {
      const last = (rest?.notes ?? notes).at(-1)?.id;
      const page = await ask(path, { query: { after: last } });
      setRest({ notes: [...(rest?.notes ?? []), ...page.notes], more_notes: page.more_notes });
    });

  const all = [...notes, ...(rest?.notes ?? [])];
  return html`<section class="stack close">
    <h2>Notes</h2>
    ${all.length > 0 && html`<ul class="notes" aria-label="Notes">${all.map((note) => html`<${NoteRow} key=${note.id} note=${note} isBusy=${isBusy} remove=${() => remove(note)} />`)}</ul>`}
    ${(rest ? rest.more_notes : isMore) && html`<p><button type="button" disabled=${isBusy} onClick=${more}>Show more notes</button></p>`}
    <div class=${isOver ? "drop over" : "drop"}>
      <label for=${inputId}>Attach a note</label>
      <input id=${inputId} ref=${input} type="file" multiple accept="text/*,.md,.txt,.csv,.json,.org,.log" disabled=${isBusy}
        onChange=${(/** @type {any} */ event) => attach([...event.currentTarget.files])} />
      <p class="small quiet">Text files of up to 1 MiB, or drop them anywhere on this page. Searched with the thought.</p>
    </div>
    <${Alert} failure=${failure} />
    <p class="small row" role="status">
      ${said}
      ${removed && html`<button class="plain" type="button" onClick=${() => attach([new File([removed.text], removed.name, { type: "text/plain" })])}>Put it back</button>`}
    </p>
  </section>`;
}

/** @param {{note: Note, isBusy: boolean, remove: () => void}} properties */
function NoteRow({ note, isBusy, remove }) {
  const [isOpen, open] = useState(false);
  return html`<li>
    <div class="row ends">
      <button class="plain" type="button" aria-expanded=${isOpen} onClick=${() => open(!isOpen)}>${note.name}</button>
      <button type="button" class="small" disabled=${isBusy} onClick=${remove} aria-label="Remove note" title=${`Remove ${note.name}`}>Remove</button>
    </div>
    <p class="facts"><span>${size(note.bytes)}</span><${When} at=${note.created_at} /></p>
    ${isOpen && html`<${NoteText} id=${note.id} />`}
  </li>`;
}

/** @param {{id: string}} properties */
function NoteText({ id }) {
  const { value, failure, reload } = useLoaded(id, (signal) => /** @type {Promise<{text: string}>} */ (ask(`notes/${encodeURIComponent(id)}`, { signal })));
  if (failure) return html`<${Alert} failure=${failure} again=${reload} />`;
  return value ? html`<pre tabindex="0">${value.text}</pre>` : html`<${Loading} what="the note" />`;
}

/** @param {number} bytes */
function size(bytes) {
  return bytes < 1024 ? `${number(bytes)} bytes` : `${number(Math.round(bytes / 1024))} kB`;
}

/**
 * Files dropped anywhere on the page.
 * @param {(files: File[]) => void} dropped
 * @returns {boolean} whether files are held over it
 */
function useDropped(dropped) {
  const [isOver, setOver] = useState(false);
  const latest = useRef(dropped);
  latest.current = dropped;
  useEffect(() => {
    const listening = new AbortController();
    /** @param {DragEvent} event */
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;
    /** @param {string} name @param {(event: DragEvent) => void} act */
    const on = (name, act) =>
      document.addEventListener(name, (event) => hasFiles(/** @type {DragEvent} */ (event)) && (event.preventDefault(), act(/** @type {DragEvent} */ (event))), { signal: listening.signal });
    on("dragover", () => setOver(true));
    on("dragleave", (event) => void (event.relatedTarget === null && setOver(false)));
    on("drop", (event) => {
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length) latest.current(files);
    });
    return () => listening.abort();
  }, []);
  return isOver;
}
