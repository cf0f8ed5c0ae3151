// What an open page notices by itself: changes, sessions that end, a service that goes away.

import assert from "node:assert/strict";

import { alerted, eventually, open, signInButton, texts, withKey } from "../stage.mjs";

const box = (page) => page.getByRole("textbox", { name: "New thought" });

export default {
  async "what others capture and change appears by itself"(stage) {
    const account = await stage.service.account();
    const [one, two] = [await stage.visit(account), await stage.visit(account)];
    const id = await account.capture("said by an assistant", { as: "agent" });
    for (const page of [one, two]) await page.getByRole("article").filter({ hasText: "said by an assistant" }).waitFor({ timeout: 5000 });
    await open(two, "said by an assistant");
    await account.edit(id, "replace 'assistant' with 'machine'");
    for (const page of [one, two]) await page.getByText("said by an machine").first().waitFor({ timeout: 5000 });
    await account.edit(id, "mark as done");
    await one.getByText("said by an machine").waitFor({ state: "detached", timeout: 5000 });
    await two.getByRole("button", { name: "Reopen" }).waitFor({ timeout: 5000 });
  },

  async "changes are heard in browsers that read streams only by hand"(stage) {
    const account = await stage.service.account();
    const window = await stage.window();
    await window.addInitScript(() => {
      delete ReadableStream.prototype[Symbol.asyncIterator];
      delete ReadableStream.prototype.values;
    });
    const page = await stage.visit(account, { window });
    await page.getByText("Nothing here yet").waitFor();
    await account.capture("heard all the same");
    await page.getByRole("article").filter({ hasText: "heard all the same" }).waitFor({ timeout: 5000 });
    assert.equal(await page.getByText("cannot be reached").count(), 0);
  },

  async "a revoked key's open page goes to the door by itself"(stage) {
    const account = await stage.service.account();
    const page = await (await stage.window()).newPage();
    await withKey(page, stage.service.origin, account.key);
    await page.getByRole("textbox", { name: "New thought" }).fill("half a though");
    await stage.service.run("key", "revoke", account.key.slice(0, 10));
    await signInButton(page).waitFor({ timeout: 6000 });
    await page.getByText("session has ended").waitFor();
    // What was typed is there again for whoever comes back to that account.
    await page.goto(await account.link());
    await eventually(async () => assert.equal(await page.getByRole("textbox", { name: "New thought" }).inputValue(), "half a though"));
  },

  async "all of an owner's sessions and unused links can be ended"(stage) {
    const account = await stage.service.account();
    const page = await stage.visit(account);
    const unused = await account.link();
    await stage.service.run("open", "--revoke", "--account", account.name);
    await signInButton(page).waitFor({ timeout: 6000 });
    const other = await (await stage.window()).newPage();
    await other.goto(unused);
    await alerted(other);
  },

  async "a tab nobody looks at leaves its connection to others"(stage) {
    const account = await stage.service.account();
    const page = await (await stage.window()).newPage();
    await page.clock.install();
    const follows = () => page.waitForRequest("**/api/app/changes");
    await Promise.all([follows(), page.goto(await account.link())]);
    await page.getByText("Nothing here yet").waitFor();
    const look = (state) =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, "visibilityState", { value: visibility, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, state);
    await look("hidden");
    await Promise.all([page.waitForEvent("requestfailed", (request) => request.url().endsWith("/changes")), page.clock.fastForward(31_000)]);
    await account.capture("while nobody looked");
    assert.equal(await page.getByText("while nobody looked").count(), 0);
    await Promise.all([follows(), look("visible")]);
    await page.getByText("while nobody looked").waitFor({ timeout: 5000 });
    assert.equal(await page.getByText("cannot be reached").count(), 0);
  },

  async "a service that goes away is waited for"(stage) {
    const account = await stage.service.account();
    const page = await stage.visit(account);
    await page.getByText("Nothing here yet").waitFor();
    await stage.service.kill();
    await page.getByText("The service cannot be reached. Trying again").waitFor();
    await box(page).fill("typed while it was away");
    await page.getByRole("button", { name: "Capture" }).click();
    assert.match(await alerted(page), /cannot be reached/);
    assert.equal(await box(page).inputValue(), "typed while it was away");
    await stage.service.serve(new URL(stage.service.origin).host);
    await page.getByText("The service cannot be reached. Trying again").waitFor({ state: "detached", timeout: 15_000 });
    await page.getByRole("button", { name: "Capture" }).click();
    await eventually(async () => assert.deepEqual(await texts(page), ["typed while it was away"]));
  },
};
