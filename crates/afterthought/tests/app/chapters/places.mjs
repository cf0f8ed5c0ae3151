// Entities, graph, keys and memory.

import assert from "node:assert/strict";

import { alerted, eventually, goTo } from "../stage.mjs";

const TOLD = [
  "Marta Oliveira runs the Falcon project from Lisbon",
  "Marta Oliveira met Bruno Silva in Lisbon about the Falcon budget",
  "Bruno Silva moved from Porto to Lisbon in spring",
  "buy oat milk",
];

/** An account whose thoughts have all been looked into. */
async function told(stage) {
  const account = await stage.service.account();
  for (const text of TOLD) await account.capture(text);
  const page = await stage.visit(account);
  await eventually(async () => {
    const memory = await page.evaluate(async () => {
      const token = Object.values(sessionStorage)[0];
      return (await fetch("/api/app/memory", { headers: { Authorization: `Bearer ${token}` } })).json();
    });
    assert.equal(memory.pending, 0);
    assert(memory.entities >= 4, JSON.stringify(memory));
  }, 30_000);
  return { account, page };
}

export default {
  async "entities are listed, found, and lead to their thoughts and neighbours"(stage) {
    const { page } = await told(stage);
    await goTo(page, "Entities");
    const list = page.getByRole("list", { name: "Entities" });
    await list.getByRole("link", { name: /Lisbon/ }).waitFor();
    assert.match(await list.getByRole("link").first().innerText(), /Lisbon[\s\S]*3/);
    await page.getByRole("searchbox", { name: "Find an entity" }).fill("brun");
    await eventually(async () => assert.equal(await list.getByRole("link").count(), 1));
    await goTo(page, "Entities");
    await eventually(async () => assert.equal(await page.getByRole("searchbox", { name: "Find an entity" }).inputValue(), ""));
    await page.getByRole("searchbox", { name: "Find an entity" }).fill("brun");
    await eventually(async () => assert.equal(await list.getByRole("link").count(), 1));
    await list.getByRole("link").click();
    await page.getByRole("heading", { name: "Bruno Silva", level: 1 }).waitFor();
    await eventually(async () => assert.equal(await page.getByRole("list", { name: "Thoughts" }).getByRole("article").count(), 2));
    await page.getByRole("complementary", { name: "Neighbours" }).getByRole("link", { name: /Lisbon/ }).click();
    await page.getByRole("heading", { name: "Lisbon", level: 1 }).waitFor();
    await page.getByRole("link", { name: "See as a picture" }).click();
    await page.getByRole("heading", { name: "Graph", level: 1 }).waitFor();
    await page.getByText("Around").waitFor();
  },

  async "more entities that come late are not shown under another question"(stage) {
    const { page } = await told(stage);
    let letGo;
    const held = new Promise((resolve) => (letGo = resolve));
    await page.route(/\/api\/app\/entities\?/, async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.has("cursor")) await held;
      else url.searchParams.set("limit", "1");
      return route.continue({ url: url.href });
    });
    await page.route(/\/api\/app\/entities$/, (route) => route.continue({ url: `${route.request().url()}?limit=1` }));
    await goTo(page, "Entities");
    const list = page.getByRole("list", { name: "Entities" }).getByRole("link");
    await eventually(async () => assert.equal(await list.count(), 1));
    const asked = page.waitForRequest(/cursor=/);
    await page.getByRole("button", { name: "Show more" }).click();
    const late = await asked;
    await page.getByRole("searchbox", { name: "Find an entity" }).fill("porto");
    await eventually(async () => assert.match((await list.allInnerTexts()).join(), /^Porto/));
    letGo();
    await (await late.response()).finished();
    await page.waitForTimeout(300);
    assert.deepEqual((await list.allInnerTexts()).map((text) => text.split(/\s/)[0]), ["Porto"]);
  },

  async "the graph is a picture one can touch, and the same as a list"(stage) {
    const { page } = await told(stage);
    await goTo(page, "Graph");
    const list = page.getByRole("list", { name: "Graph as a list" });
    await list.getByRole("link", { name: "Lisbon", exact: true }).waitFor();
    assert.match(await page.locator("figcaption").innerText(), /showing \d+ of \d+/);
    const canvas = page.locator("canvas[data-settled]");
    await canvas.waitFor();
    const colours = () => canvas.evaluate((element) => {
      const { data } = element.getContext("2d").getImageData(0, 0, element.width, element.height);
      const seen = new Set();
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) seen.add(data.slice(at, at + 3).join());
      return seen.size;
    });
    assert((await colours()) > 4, "something is drawn");
    const box = await canvas.boundingBox();
    const hint = page.locator(".hint");
    // Somewhere in the picture there are nodes: sweep over it until one is under the pointer.
    const at = await canvas.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      for (let y = top + 10; y < top + height; y += 6) {
        for (let x = left + 10; x < left + width; x += 6) {
          element.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y }));
          if (element.classList.contains("pointing")) return { x, y };
        }
      }
      return null;
    });
    assert(at, "a node can be pointed at");
    await page.mouse.move(at.x + 1, at.y + 1);
    const label = (await hint.innerText()).trim();
    const picture = () => canvas.evaluate((element) => element.toDataURL());
    const before = await picture();
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + 65, box.y + 45, { steps: 3 });
    await page.mouse.up();
    const changed = (from, how) => eventually(async () => assert.notEqual(await picture(), from, how));
    await changed(before, "dragging moves it");
    const panned = await picture();
    await page.mouse.wheel(0, -400);
    await changed(panned, "the wheel zooms");
    await page.getByRole("button", { name: "Fit" }).click();
    await page.mouse.click(at.x, at.y);
    await eventually(async () => assert.match(page.url(), /#\/(entity|thought)\//));
    await page.getByText(label.slice(0, 5)).first().waitFor();
    await page.goBack();
    await list.getByRole("link", { name: "Lisbon", exact: true }).click();
    await page.getByRole("heading", { name: "Lisbon", level: 1 }).waitFor();
  },

  async "a key is made, shown once, ready for each client, and revoked after a question"(stage) {
    const account = await stage.service.account();
    const page = await stage.visit(account);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await goTo(page, "Keys");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("claude-code");
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByRole("status").filter({ hasText: "aft_" });
    await shown.waitFor();
    const secret = /aft_[A-Za-z0-9]{32,}/.exec(await shown.innerText())[0];
    await page.getByRole("button", { name: "Copy key" }).click();
    await eventually(async () => assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret));
    const blocks = await shown.locator("details").evaluateAll((all) => all.map((one) => `${one.querySelector("summary").textContent}\n${one.querySelector("pre").textContent}`));
    // The program prints the same when it first starts, but for Claude Desktop, which it makes run the program itself.
    const printed = stage.service.greeting.split(/\n\n# /).slice(1).map((part) => part.split(/\n\n|\nlistening/)[0].trim());
    const first = /aft_[A-Za-z0-9]{32,}/.exec(stage.service.greeting)[0];
    const meant = (texts, key) => Object.fromEntries(texts.map((text) => {
      const [heading, block] = text.replaceAll(key, "KEY").split(/\n(.*)/s);
      return [heading, block.startsWith("{") ? JSON.parse(block) : block];
    }));
    const [here, there] = [meant(blocks, secret), meant(printed, first)];
    const desktop = Object.keys(here).find((heading) => heading.startsWith("Claude Desktop"));
    assert.equal(here[desktop].mcpServers.afterthought.env.AUTH_HEADER, "Bearer KEY");
    delete here[desktop];
    delete there[Object.keys(there).find((heading) => heading.startsWith("Claude Desktop"))];
    assert.deepEqual(here, there);
    assert.equal(Object.keys(here).length, 5);
    assert.equal((await account.tell("retrieve_thoughts", {}, secret)).status, 200);
    await page.reload();
    const row = page.getByRole("row").filter({ hasText: "claude-code" });
    await row.filter({ hasText: secret.slice(0, 10) }).waitFor();
    assert(!(await page.content()).includes(secret), "it is never shown again");
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click();
    assert.equal((await account.tell("retrieve_thoughts", {}, secret)).status, 200);
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke key" }).click();
    await row.getByText("revoked").waitFor();
    assert.equal((await account.tell("retrieve_thoughts", {}, secret)).status, 401);
    assert.equal(await row.getByRole("button", { name: "Revoke" }).count(), 0);
  },

  async "a key without a usable name is refused and still there"(stage) {
    const page = await stage.visit(await stage.service.account());
    await goTo(page, "Keys");
    const name = "n".repeat(500);
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    await page.getByRole("button", { name: "Create key" }).click();
    await alerted(page);
    assert.equal(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue(), name);
  },

  async "memory tells how much there is, and what is there twice"(stage) {
    const account = await stage.service.account("cursor");
    await account.capture("say it once", { at: "2025-02-03T12:00:00Z" });
    await account.capture("say it twice");
    await account.capture("say it twice", { as: "agent" });
    await account.edit(await account.capture("call the plumber"), "mark as done");
    const page = await stage.visit(account);
    await goTo(page, "Memory");
    await page.locator(".big").filter({ hasText: /^4$/ }).waitFor();
    const bar = (name) => page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
    for (const [name, count] of [["Open", 3], ["Done", 1], ["Archived", 0], ["You", 3], ["cursor", 1]]) {
      assert.match(await bar(name).innerText(), new RegExp(`\\b${count}$`), name);
    }
    await page.getByRole("img", { name: /Thoughts by month.*Feb 25 1/ }).waitFor();
    const twice = page.getByRole("list", { name: "Duplicates" });
    await eventually(async () => assert.equal(await twice.getByRole("article").count(), 2));
    await twice.getByRole("button", { name: "Archive this one" }).last().click();
    await page.getByText("No two thoughts say the same.").waitFor();
    await page.getByRole("button", { name: "Take it back" }).click();
    await eventually(async () => assert.equal(await twice.getByRole("article").count(), 2));
    await bar("Done").getByRole("link").click();
    await page.getByRole("article").filter({ hasText: "plumber" }).waitFor();
  },
};
