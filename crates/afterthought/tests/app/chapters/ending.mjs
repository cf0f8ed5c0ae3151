// Sessions that end from elsewhere: an open page notices by itself.

import assert from "node:assert/strict";

import { alerted, eventually, signInButton, withKey } from "../stage.mjs";

export default {
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
};
