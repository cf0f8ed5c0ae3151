// One thought: changing it, its history, its notes and what is around it.

import assert from "node:assert/strict";

import { alerted, eventually, goTo, open, texts } from "../stage.mjs";

const LAUNCH = "Dana moved the Falcon launch to 14 May, the venue is still open";
const words = (page, text) => page.locator(".words").filter({ hasText: text }).waitFor();
const button = (page, name) => page.getByRole("button", { name, exact: true });
const isEnabled = (page, name, is) => eventually(async () => assert.equal(await button(page, name).isEnabled(), is, `${name} is enabled: ${!is}`));

async function visitLaunch(stage, account) {
  await account.capture(LAUNCH);
  const page = await stage.visit(account);
  await open(page, "Falcon");
  return page;
}

async function ask(page, request) {
  await page.getByRole("textbox", { name: "What should change?" }).fill(request);
  await button(page, "Apply").click();
}

export default {
  async "a request in plain words changes the text and shows what changed"(stage) {
    const page = await visitLaunch(stage, await stage.service.account());
    assert.match(page.url(), /#\/thought\//);
    await ask(page, "it's 16 May, not 14 May");
    await words(page, "to 16 May,");
    const changed = page.getByRole("status").filter({ hasText: "The text changed" });
    await changed.getByRole("deletion").filter({ hasText: "14" }).waitFor();
    await changed.getByRole("insertion").filter({ hasText: "16" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "What should change?" }).inputValue(), "");
    const history = page.getByRole("list", { name: "History" }).getByRole("listitem");
    await eventually(async () => assert.equal(await history.count(), 2));
    await history.first().getByRole("insertion").filter({ hasText: "16" }).waitFor();
    assert.match(await history.first().innerText(), /^You changed the text/);
    assert.match(await history.last().innerText(), /^Captured by you/);
  },

  async "a request that is refused says why and stays"(stage) {
    const page = await visitLaunch(stage, await stage.service.account());
    await ask(page, "make it better");
    assert.match(await alerted(page), /does not say what the text should become/);
    assert.equal(await page.getByRole("textbox", { name: "What should change?" }).inputValue(), "make it better");
    await words(page, LAUNCH);
    await page.getByRole("textbox", { name: "What should change?" }).fill("mark it done");
    await button(page, "Apply").click();
    await button(page, "Reopen").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
  },

  async "every state leads to the others, and undo takes it back"(stage) {
    const page = await visitLaunch(stage, await stage.service.account());
    await isEnabled(page, "Undo", false);
    await button(page, "Mark done").click();
    await button(page, "Reopen").click();
    await button(page, "Archive").click();
    await button(page, "Restore").click();
    await button(page, "Mark done").waitFor();
    await isEnabled(page, "Redo", false);
    await button(page, "Undo").click();
    await button(page, "Restore").waitFor();
    await isEnabled(page, "Redo", true);
    await button(page, "Redo").click();
    await button(page, "Mark done").waitFor();
    await goTo(page, "Thoughts");
    await eventually(async () => assert.deepEqual(await texts(page), [LAUNCH]));
  },

  async "a text edited by hand is saved, undone and told in the history"(stage) {
    const page = await visitLaunch(stage, await stage.service.account());
    await button(page, "Edit text").click();
    const box = page.getByRole("textbox", { name: "Text", exact: true });
    assert.equal(await box.inputValue(), LAUNCH);
    await box.fill("Dana moved the Falcon launch to June,\nthe venue is the old mill");
    await page.reload();
    await button(page, "Edit text").click();
    assert.match(await box.inputValue(), /old mill/);
    await button(page, "Save").click();
    await words(page, "old mill");
    await button(page, "Undo").click();
    await words(page, "still open");
    await button(page, "Redo").click();
    await words(page, "old mill");
    const history = page.getByRole("list", { name: "History" }).getByRole("listitem");
    await eventually(async () => {
      const told = (await history.allInnerTexts()).map((text) => text.split("\n")[0].replace(/\s*·.*/, ""));
      assert.deepEqual(told.map((line) => line.trim()), ["You made a change again", "You took back a change", "You changed the text", "Captured by you"]);
    });
  },

  async "who begins to edit a text types in it from the first letter on"(stage) {
    const page = await visitLaunch(stage, await stage.service.account());
    const typesIn = await button(page, "Edit text").evaluate(async (button) => {
      button.click();
      await Promise.resolve();
      return document.activeElement?.tagName;
    });
    assert.equal(typesIn, "TEXTAREA");
  },

  async "a text that somebody changed meanwhile is not overwritten unasked"(stage) {
    const account = await stage.service.account();
    const page = await visitLaunch(stage, account);
    const id = /thought\/([^?]+)/.exec(page.url())[1];
    await button(page, "Edit text").click();
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("what I make of it");
    await account.edit(id, "it's 20 May, not 14 May");
    await button(page, "Save").click();
    await alerted(page);
    await page.getByRole("list", { name: "History" }).getByText("laptop changed the text").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Text", exact: true }).inputValue(), "what I make of it");
    await button(page, "Save mine over it").click();
    await words(page, "what I make of it");
    await page.getByRole("list", { name: "History" }).getByText("20 May").first().waitFor();
  },

  async "a thought marked done while its text is edited is saved without a question"(stage) {
    const page = await visitLaunch(stage, await stage.service.account());
    await button(page, "Edit text").click();
    await page.getByRole("textbox", { name: "Text", exact: true }).fill("launched");
    await button(page, "Mark done").click();
    await button(page, "Reopen").waitFor();
    await button(page, "Save").click();
    await words(page, "launched");
    assert.equal(await page.getByRole("alert").count(), 0);
    await button(page, "Reopen").waitFor();
  },

  async "a text gone on with later is not saved over what was changed since"(stage) {
    const account = await stage.service.account();
    const page = await visitLaunch(stage, account);
    const id = /thought\/([^?]+)/.exec(page.url())[1];
    const text = page.getByRole("textbox", { name: "Text", exact: true });
    await button(page, "Edit text").click();
    await text.fill("what I make of it");
    await goTo(page, "Memory");
    await account.edit(id, "it's 20 May, not 14 May");
    await page.reload();
    await page.goto(`${stage.service.origin}/#/thought/${id}`);
    await words(page, "20 May");
    await button(page, "Edit text").click();
    assert.equal(await text.inputValue(), "what I make of it");
    await button(page, "Save").click();
    await alerted(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await words(page, "20 May");
    await button(page, "Edit text").click();
    assert.match(await text.inputValue(), /20 May/);
    await text.fill("after all");
    await button(page, "Save").click();
    await words(page, "after all");
  },

  async "a long history comes page by page"(stage) {
    const account = await stage.service.account();
    const id = await account.capture("state 0");
    for (let at = 0; at < 30; at += 1) await account.edit(id, at % 2 ? "reopen" : "mark as done");
    const page = await stage.visit(account);
    await page.goto(`${stage.service.origin}/#/thought/${id}`);
    const history = page.getByRole("list", { name: "History" }).getByRole("listitem");
    await eventually(async () => assert.equal(await history.count(), 20));
    await button(page, "Show earlier").click();
    await eventually(async () => assert.equal(await history.count(), 31));
    // What comes on top pushes nothing out of the middle.
    await button(page, "Mark done").click();
    await eventually(async () => assert.equal(await history.count(), 32));
    await button(page, "Reopen").click();
    await eventually(async () => assert.equal(await history.count(), 33));
  },

  async "notes are chosen, dropped, read, found, removed and put back"(stage) {
    const account = await stage.service.account();
    const page = await visitLaunch(stage, account);
    await page.getByLabel("Attach a note").setInputFiles({ name: "plan.md", mimeType: "text/markdown", buffer: Buffer.from("# Plan\n\nThe walrus sleeps in the attic.") });
    const notes = page.getByRole("list", { name: "Notes" }).getByRole("listitem");
    await notes.filter({ hasText: "plan.md" }).waitFor();
    const drop = await page.evaluateHandle(() => {
      const held = new DataTransfer();
      held.items.add(new File(["the second one"], "dropped.txt", { type: "text/plain" }));
      return held;
    });
    await page.dispatchEvent("main", "drop", { dataTransfer: drop });
    await notes.filter({ hasText: "dropped.txt" }).waitFor();
    await button(page, "plan.md").click();
    await page.getByText("The walrus sleeps in the attic.").waitFor();
    await page.getByLabel("Attach a note").setInputFiles({ name: "picture.png", mimeType: "image/png", buffer: Buffer.from([137, 80, 78, 71, 0, 255, 254]) });
    assert.match(await alerted(page), /picture\.png/);
    await goTo(page, "Thoughts");
    await page.getByRole("searchbox", { name: "Search" }).fill("walrus attic");
    const found = page.getByRole("article").filter({ hasText: "Falcon" });
    await found.getByText(/Found by .*note/).waitFor();
    await found.getByText("plan.md").waitFor();
    await open(page, "Falcon");
    await notes.filter({ hasText: "plan.md" }).getByRole("button", { name: "Remove note" }).click();
    await notes.filter({ hasText: "plan.md" }).waitFor({ state: "detached" });
    await page.route("**/notes?name=*", (route) => route.abort(), { times: 1 });
    await button(page, "Put it back").click();
    assert.match(await alerted(page), /cannot be reached/);
    await button(page, "Put it back").click();
    await notes.filter({ hasText: "plan.md" }).waitFor();
  },

  async "enrichment that was given up can be tried again"(stage) {
    const account = await stage.service.account();
    const id = await account.capture("nobody could make sense of this");
    const page = await stage.visit(account);
    // Giving up takes many failures; here the answer says that it has come to that.
    let state = "given_up";
    await page.route(`**/api/app/thoughts/${id}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), enrichment: state } });
    });
    await page.goto(`${stage.service.origin}/#/thought/${id}`);
    const [asked] = await Promise.all([page.waitForRequest(`**/api/app/thoughts/${id}/retry`), button(page, "Try again").click().then(() => void (state = "pending"))]);
    assert.equal(asked.method(), "POST");
    assert.equal((await asked.response()).status(), 200);
    await page.getByText("Looking for entities").waitFor();
    state = "done";
    await page.getByText("Looking for entities").waitFor({ state: "detached" });
    assert.equal(await button(page, "Try again").count(), 0);
  },

  async "entities and linked thoughts stand beside it"(stage) {
    const account = await stage.service.account();
    await account.capture("Marta Oliveira runs the Falcon project from Lisbon");
    await account.capture("Marta Oliveira wants the Falcon budget on Friday in Lisbon");
    const page = await stage.visit(account);
    await open(page, "budget");
    for (const heading of ["Entities", "Linked", "Notes", "History"]) await page.getByRole("heading", { name: heading, exact: true }).waitFor();
    await page.getByRole("link", { name: /Marta/ }).first().waitFor({ timeout: 20_000 });
    const linked = page.getByRole("list", { name: "Related" }).getByRole("article").filter({ hasText: "runs the Falcon project" });
    await linked.waitFor({ timeout: 20_000 });
    await linked.getByRole("link").first().click();
    await words(page, "runs the Falcon project");
    await page.getByRole("complementary").getByRole("link", { name: "Lisbon", exact: true }).click();
    await page.getByRole("heading", { name: "Lisbon", level: 1 }).waitFor();
    await eventually(async () => assert.equal((await texts(page)).length, 2));
  },

  async "what replaced what is told in lists, in searches and beside both"(stage) {
    const account = await stage.service.account();
    const [before, after] = ["Choir practice is in the parish hall", "Choir practice is in the school hall now"];
    await account.capture(before, { at: "2026-05-04T00:00:00Z" });
    await account.capture(after, { at: "2026-06-04T00:00:00Z" });
    const page = await stage.visit(account);
    const listed = page.getByRole("article").filter({ hasText: before });
    await eventually(async () => {
      await page.reload();
      await listed.getByText("replaced by a later thought").waitFor({ timeout: 3000 });
    }, 60_000);
    assert.equal(await page.getByText("replaced by a later thought").count(), 1);
    await page.getByRole("searchbox", { name: "Search" }).fill("where is choir practice?");
    await listed.getByText(/Found by/).waitFor();
    await listed.getByRole("link", { name: "replaced by a later thought" }).click();
    await words(page, after);
    const replaced = page.getByRole("list", { name: "Replaces" }).getByRole("article");
    await replaced.filter({ hasText: before }).getByRole("link").first().click();
    await words(page, before);
    await page.getByRole("list", { name: "Replaced by" }).getByRole("article").filter({ hasText: after }).waitFor();
    await page.getByText("A later thought says what has become of this").getByRole("link", { name: after }).click();
    await words(page, after);
    await button(page, "Archive").click();
    await button(page, "Restore").waitFor();
    await page.goBack();
    await words(page, before);
    await eventually(async () => assert.equal(await page.getByText("A later thought says").count(), 0));
  },
};
