// Getting in, and out again.

import assert from "node:assert/strict";
import { createServer } from "node:http";

import { alerted, eventually, goTo, isSignedIn, signInButton, withKey } from "../stage.mjs";

/** The token of a tab's session. */
const tokenOf = (page) => page.evaluate(() => Object.values(sessionStorage).find((value) => value.startsWith("afs_")));

async function status(origin, path, token, options = {}) {
  const headers = { ...(token ? { Authorization: `Bearer ${token}` } : {}), ...options.headers };
  return (await fetch(`${origin}${path}`, { ...options, headers })).status;
}

export default {
  async "the first start prints a link that works"(stage) {
    const link = new RegExp(`${stage.service.origin}/#sign-in=\\S+`).exec(stage.service.greeting)?.[0];
    assert(link, stage.service.greeting);
    const page = await (await stage.window()).newPage();
    await page.goto(link);
    await isSignedIn(page, "default");
  },

  async "a link signs in once and leaves the address"(stage) {
    const account = await stage.service.account();
    const link = await account.link();
    const page = await (await stage.window()).newPage();
    await page.goto(link);
    await page.getByRole("textbox", { name: "New thought" }).waitFor();
    assert(!page.url().includes("sign-in"), page.url());
    await page.reload();
    await page.getByRole("textbox", { name: "New thought" }).waitFor();
    const other = await (await stage.window()).newPage();
    await other.goto(link);
    assert.match(await alerted(other), /link/i);
    await signInButton(other).waitFor();
  },

  async "a link works in a tab that shows the app already"(stage) {
    const [one, two] = [await stage.service.account(), await stage.service.account()];
    const page = await (await stage.window()).newPage();
    await page.goto(stage.service.origin);
    await signInButton(page).waitFor();
    await page.evaluate((link) => void (location.href = link), await one.link());
    await isSignedIn(page, one.name);
    const before = await tokenOf(page);
    await page.evaluate((link) => void (location.href = link), await two.link());
    await isSignedIn(page, two.name);
    await eventually(async () => assert.equal(await status(stage.service.origin, "/api/app/session", before), 401));
  },

  async "an older link stays valid beside a newer one"(stage) {
    const account = await stage.service.account();
    const older = await account.link();
    await account.link();
    const page = await (await stage.window()).newPage();
    await page.goto(older);
    await page.getByRole("textbox", { name: "New thought" }).waitFor();
  },

  async "a key signs in and may read keys but not make them"(stage) {
    const account = await stage.service.account("bench");
    const page = await (await stage.window()).newPage();
    await withKey(page, stage.service.origin, account.key);
    await isSignedIn(page, account.name);
    await goTo(page, "Keys");
    await page.getByRole("row").filter({ hasText: "bench" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Create key" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Revoke" }).count(), 0);
    const body = JSON.stringify({ name: "more" });
    const made = await status(stage.service.origin, "/api/app/keys", await tokenOf(page), { method: "POST", body, headers: { "Content-Type": "application/json" } });
    assert.equal(made, 403);
  },

  async "a wrong key is refused and still there"(stage) {
    const page = await (await stage.window()).newPage();
    await withKey(page, stage.service.origin, "aft_nobodyhasthiskeynobodyhasthiskey");
    assert.match(await alerted(page), /key/i);
    assert.equal(await page.getByLabel("API key").inputValue(), "aft_nobodyhasthiskeynobodyhasthiskey");
  },

  async "signing out ends the session at once"(stage) {
    const page = await stage.visit(await stage.service.account());
    const token = await tokenOf(page);
    assert.equal(await status(stage.service.origin, "/api/app/session", token), 200);
    await page.getByRole("button", { name: "Sign out" }).click();
    await signInButton(page).waitFor();
    await eventually(async () => assert.equal(await status(stage.service.origin, "/api/app/session", token), 401));
    assert.equal(await tokenOf(page), undefined);
  },

  async "the token stays in its tab, and is no cookie"(stage) {
    const page = await stage.visit(await stage.service.account());
    const token = await tokenOf(page);
    assert.deepEqual(await page.context().cookies(), []);
    assert(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(token));
    const other = await page.context().newPage();
    await other.goto(stage.service.origin);
    await signInButton(other).waitFor();
  },

  async "keys and sessions open only their own doors"(stage) {
    const { origin } = stage.service;
    const account = await stage.service.account();
    const page = await stage.visit(account);
    assert.equal(await status(origin, "/api/app/session", account.key), 401);
    assert.equal(await status(origin, "/api/app/session", null), 401);
    assert.equal((await account.tell("retrieve_thoughts", {}, await tokenOf(page))).status, 401);
  },

  async "requests of other origins are refused"(stage) {
    const { origin } = stage.service;
    const page = await stage.visit(await stage.service.account());
    const token = await tokenOf(page);
    for (const other of ["http://127.0.0.1:1", "http://localhost", "https://example.org", "null"]) {
      assert.equal(await status(origin, "/api/app/session", token, { headers: { Origin: other } }), 403, other);
    }
    assert.equal(await status(origin, "/api/app/session", token, { headers: { Origin: origin } }), 200);
    const stranger = createServer((_, answer) => answer.writeHead(200, { "Content-Type": "text/html" }).end("<title>another</title>"));
    await new Promise((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const foreign = `http://127.0.0.1:${stranger.address().port}`;
    stage.strangers = new Set([foreign]);
    try {
      const elsewhere = await (await stage.window()).newPage();
      await elsewhere.goto(foreign);
      const read = await elsewhere.evaluate(
        async ([address, bearer]) => {
          const tries = [{ headers: { Authorization: `Bearer ${bearer}` } }, {}, { mode: "no-cors" }];
          return Promise.all(tries.map((options) => fetch(`${address}/api/app/session`, options).then((answer) => answer.text(), () => "nothing")));
        },
        [origin, token],
      );
      assert.deepEqual(read, ["nothing", "nothing", ""]);
    } finally {
      stranger.close();
    }
  },
};
