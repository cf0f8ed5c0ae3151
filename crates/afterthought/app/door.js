// Before there is a session: signing in with a key, or being told how to get a link.

import { farewell, signIn } from "./api.js";
import { html, useId, useLayoutEffect, useRef, useState } from "./page.js";
import { Alert, Mark, useAction, useTitle } from "./parts.js";

/** @param {{failure: import("./api.js").Failure | null}} properties why a link did not work */
export function Door({ failure: linkFailure }) {
  const [key, setKey] = useState("");
  const { run, isBusy, failure } = useAction();
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const id = useId();
  useTitle("Sign in");
  useLayoutEffect(() => input.current?.focus(), []);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!key.trim()) return input.current?.focus();
    void run(() => signIn({ key: key.trim() }));
  };
  return html`<main class="door">
    <div class="stack">
      <p class="brand"><${Mark} />afterthought</p>
      <div class="stack close">
        <h1>Sign in</h1>
        <p class="quiet">Your memory is on your own service. Open it with a link: run <code>afterthought open</code> where the service runs.</p>
      </div>
      ${farewell.value && !failure && !linkFailure && html`<p class="note-to-user" role="status">${farewell.value}</p>`}
      <${Alert} failure=${failure ?? linkFailure} />
      <form onSubmit=${submit}>
        <div class="field">
          <label for=${id}>API key</label>
          <input id=${id} ref=${input} type="password" autocomplete="off" spellcheck=${false} placeholder="aft_…" value=${key}
            onInput=${(/** @type {any} */ event) => setKey(event.currentTarget.value)} />
        </div>
        <div class="row"><button class="main" disabled=${isBusy}>Sign in</button></div>
        <p class="small quiet">A key reads and writes everything; making and revoking keys needs a link.</p>
      </form>
    </div>
  </main>`;
}
