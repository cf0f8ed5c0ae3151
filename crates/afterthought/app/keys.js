// Keys: made, shown once, and revoked after a question.

import { ask } from "./api.js";
import { clients } from "./clients.js";
import { html, useId, useRef, useState } from "./page.js";
import { Alert, Copy, Dialog, Empty, Loading, useAction, useLoaded, useTitle, When } from "./parts.js";

/** @typedef {import("./types/api.d.ts").Key} Key */
/** @typedef {{keys: Key[], may_change: boolean}} Answer */

export function Keys() {
  const { value, failure, reload } = useLoaded("keys", (signal) => /** @type {Promise<Answer>} */ (ask("keys", { signal })));
  const [made, setMade] = useState(/** @type {{key: Key, secret: string} | null} */ (null));
  const [doomed, doom] = useState(/** @type {Key | null} */ (null));
  useTitle("Keys");
  const mayChange = value?.may_change ?? false;
  const keys = [...(value?.keys ?? [])].sort((one, other) => Number(!!one.revoked_at) - Number(!!other.revoked_at) || other.created_at.localeCompare(one.created_at));
  return html`
    <div class="stack close">
      <h1>Keys</h1>
      <p class="lead">Each assistant gets a key of its own. What it captures carries the key's name, and a revoked key is refused from that moment on.</p>
    </div>
    ${mayChange && html`<${Create} made=${(/** @type {any} */ fresh) => (setMade(fresh), reload())} />`}
    ${value && !mayChange && html`<p class="note-to-user">You are signed in with a key, which may not make or revoke keys. For that, sign in with a link: run <code>afterthought open</code> where the service runs.</p>`}
    <div role="status">${made && html`<${Made} key=${made.key.id} made=${made} />`}</div>
    <${Alert} failure=${failure} again=${reload} />
    ${!value && !failure && html`<${Loading} what="the keys" />`}
    ${value && !keys.length && html`<${Empty} title="No keys yet"><p>Create one for your first assistant.</p><//>`}
    ${keys.length > 0 && html`<table class="keys">
      <caption class="hidden">Keys</caption>
      <thead><tr><th scope="col">Name</th><th scope="col">Prefix</th><th scope="col">Created</th><th scope="col">Last used</th><th scope="col"><span class="hidden">What to do</span></th></tr></thead>
      <tbody>
        ${keys.map((key) => html`<tr key=${key.id} class=${key.revoked_at ? "quiet" : ""}>
          <th scope="row" class="key-name">${key.name}</th>
          <td><code>${key.prefix}…</code></td>
          <td><span class="on-phone">created </span><${When} at=${key.created_at} /></td>
          <td>${key.last_used_at ? html`<span class="on-phone">used </span><${When} at=${key.last_used_at} />` : html`<span class="quiet">never used</span>`}</td>
          <td>${key.revoked_at ? html`<span class="small">revoked <${When} at=${key.revoked_at} /></span>` : mayChange && html`<button type="button" class="danger" onClick=${() => doom(key)}>Revoke</button>`}</td>
        </tr>`)}
      </tbody>
    </table>`}
    ${doomed && html`<${Revoke} doomed=${doomed} close=${() => doom(null)} revoked=${() => (doom(null), doomed.id === made?.key.id && setMade(null), reload())} />`}
  `;
}

/** @param {{made: (fresh: {key: Key, secret: string}) => void}} properties */
function Create({ made }) {
  const [name, setName] = useState("");
  const { run, isBusy, failure } = useAction();
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const id = useId();
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!name.trim()) return input.current?.focus();
    void run(async () => {
      made(await ask("keys", { method: "POST", json: { name: name.trim() } }));
      setName("");
    });
  };
  return html`<form class="stack close" onSubmit=${submit}>
    <label for=${id}>Name</label>
    <div class="ask">
      <input id=${id} ref=${input} type="text" autocomplete="off" placeholder="claude-code, cursor, laptop…" value=${name} onInput=${(/** @type {any} */ event) => setName(event.currentTarget.value)} />
      <button class="main" disabled=${isBusy}>Create key</button>
    </div>
    <${Alert} failure=${failure} />
  </form>`;
}

/** The new key, this once. @param {{made: {key: Key, secret: string}}} properties */
function Made({ made: { key, secret } }) {
  return html`<div class="secret">
    <p><strong>${key.name}</strong> has a key. It is shown this once and never again:</p>
    <p><code>${secret}</code></p>
    <${Copy} text=${secret} label="Copy key" />
    <div>
      ${clients(`${location.origin}/api/mcp`, secret).map(({ heading, block }) => html`<details key=${heading}>
        <summary>${heading}</summary>
        <div class="block"><pre tabindex="0">${block}</pre><${Copy} text=${block} label="Copy" /></div>
      </details>`)}
    </div>
  </div>`;
}

/** @param {{doomed: Key, close: () => void, revoked: () => void}} properties */
function Revoke({ doomed, close, revoked }) {
  const { run, isBusy, failure } = useAction();
  const revoke = () =>
    run(async () => {
      await ask(`keys/${encodeURIComponent(doomed.id)}`, { method: "DELETE" });
      revoked();
    });
  return html`<${Dialog} title=${`Revoke ${doomed.name}?`} close=${close}>
    <p>Whoever uses the key <code>${doomed.prefix}…</code> is refused from now on, and its sessions end. What it captured stays. This cannot be undone.</p>
    <${Alert} failure=${failure} />
    <div class="row">
      <button type="button" onClick=${close}>Keep it</button>
      <button type="button" class="danger main" disabled=${isBusy} onClick=${revoke}>Revoke key</button>
    </div>
  <//>`;
}
