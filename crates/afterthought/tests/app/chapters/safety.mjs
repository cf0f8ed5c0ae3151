// Nothing stored ever runs or loads anything, and the page looks right to everybody.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { goTo, open } from "../stage.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const HOSTILE = [
  `<img src=x onerror="window.hurt=1"> and <script>window.hurt=2</script>`,
  `</textarea></p></main><svg onload="window.hurt=3"><style>*{display:none}</style>`,
  `[click](javascript:window.hurt=4) javascript:window.hurt=5 https://evil.example/?q=1 //evil.example/x.png`,
  `<iframe src="https://evil.example"></iframe><link rel=stylesheet href="https://evil.example/x.css"><base href="https://evil.example/">`,
  `\u202Eright to left\u202C {{constructor.constructor('window.hurt=6')()}} \${window.hurt=7} <a href="data:text/html,<script>1</script>">x</a>`,
];

/** Every place, as somebody with a full memory sees it. */
const PLACES = {
  Thoughts: async () => {},
  search: async (page) => {
    await goTo(page, "Thoughts");
    await page.getByRole("searchbox", { name: "Search" }).fill("Falcon budget");
    await page.getByText("Found by").first().waitFor();
  },
  "a thought": async (page) => {
    await open(page, "Marta");
    await page.getByRole("button", { name: "Edit text" }).click();
    await page.getByRole("textbox", { name: "What should change?" }).fill("make it better");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("alert").waitFor();
  },
  Entities: async (page) => {
    await goTo(page, "Entities");
    await page.getByRole("list", { name: "Entities" }).waitFor();
  },
  "an entity": async (page) => {
    await page.getByRole("list", { name: "Entities" }).getByRole("link").first().click();
    await page.getByRole("list", { name: "Thoughts" }).waitFor();
  },
  Graph: async (page) => {
    await goTo(page, "Graph");
    await page.locator("canvas[data-settled]").waitFor();
  },
  Keys: async (page) => {
    await goTo(page, "Keys");
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("a-key-with-a-rather-long-name");
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByText("shown this once").waitFor();
  },
  "the question before revoking": async (page) => {
    await page.getByRole("button", { name: "Revoke" }).first().click();
    await page.getByRole("dialog").waitFor();
  },
  Memory: async (page) => {
    await page.keyboard.press("Escape");
    await goTo(page, "Memory");
    await page.getByRole("list", { name: "Duplicates" }).getByRole("article").first().waitFor();
  },
  help: async (page) => {
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Help" }).waitFor();
  },
};

/** An account with something of everything. */
async function full(stage) {
  const account = await stage.service.account();
  await account.capture("buy oat milk");
  await account.capture("buy oat milk", { as: "agent" });
  await account.capture(`a word without an end: ${"Donaudampfschifffahrtsgesellschaft".repeat(8)}`);
  await account.capture("Bruno Silva moved from Porto to Lisbon", { at: "2025-03-01T12:00:00Z" });
  await account.edit(await account.capture("Marta Oliveira met Bruno Silva in Lisbon about the Falcon budget of 2,000"), "it's 3,000, not 2,000");
  const page = await stage.visit(account);
  await goTo(page, "Entities");
  await page.getByRole("list", { name: "Entities" }).getByText("Lisbon").waitFor({ timeout: 20_000 });
  return account;
}

async function eachPlace(stage, options, look) {
  const account = await full(stage);
  const door = await (await stage.window(options)).newPage();
  await door.goto(stage.service.origin);
  await door.getByRole("button", { name: "Sign in" }).waitFor();
  await look(door, "the door");
  const page = await stage.visit(account, options);
  await page.getByRole("article").first().waitFor();
  for (const [place, go] of Object.entries(PLACES)) {
    await go(page);
    await look(page, place);
  }
}

async function axe(page, place) {
  // Colours on their way from one to another are no fault.
  await page.evaluate(() => document.getAnimations().filter((animation) => animation.effect?.getTiming().iterations !== Infinity).forEach((animation) => animation.finish()));
  await page.evaluate(AXE);
  const found = await page.evaluate(async (rules) => {
    const { violations } = await window.axe.run(document, { runOnly: rules });
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`);
  }, RULES);
  assert.deepEqual(found, [], place);
}

export default {
  async "hostile texts are shown and do nothing"(stage) {
    const account = await stage.service.account("<b>agent</b>");
    for (const text of HOSTILE) await account.capture(text, { as: "agent" });
    const victim = await account.capture(`Marta Oliveira met <img src=x onerror=window.hurt=8> in Lisbon`);
    const page = await stage.visit(account);
    for (const text of HOSTILE) await page.getByRole("article").filter({ hasText: text.slice(0, 40) }).waitFor();
    await page.getByRole("article").getByText("<b>agent</b>").first().waitFor();
    for (const text of HOSTILE) {
      await open(page, text.slice(0, 40));
      await page.locator(".words").filter({ hasText: text.slice(0, 40) }).waitFor();
      await page.getByRole("button", { name: "Edit text" }).click();
      await page.getByRole("button", { name: "Cancel" }).click();
      assert.equal(await page.locator(".words a, .words img, .words script, .words svg").count(), 0);
      await page.goBack();
      await page.getByRole("article").first().waitFor();
    }
    await page.goto(`${stage.service.origin}/#/thought/${victim}`);
    await page.getByLabel("Attach a note").setInputFiles({ name: "<img src=x onerror=window.hurt=9>.html", mimeType: "text/html", buffer: Buffer.from(HOSTILE.join("\n")) });
    await page.getByRole("list", { name: "Notes" }).getByRole("button").first().click();
    await page.locator("pre").filter({ hasText: "evil.example" }).waitFor();
    await page.getByRole("textbox", { name: "What should change?" }).fill(`replace 'Lisbon' with '<script>window.hurt=10</script>'`);
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("insertion").first().waitFor();
    await goTo(page, "Thoughts");
    await page.getByRole("searchbox", { name: "Search" }).fill("<script>window.hurt=11</script> evil.example");
    await page.getByText("Found by").first().waitFor();
    await page.goto(`${stage.service.origin}/#/entity/${encodeURIComponent("<img src=x onerror=window.hurt=12>")}`);
    await page.getByRole("alert").waitFor();
    for (const place of ["Entities", "Graph", "Keys", "Memory"]) {
      await goTo(page, place);
      await page.getByRole("heading", { name: place, level: 1 }).waitFor();
      // As long as something is still loading, its bones are shown.
      await page.locator(".bones").waitFor({ state: "detached" });
      assert.equal(await page.evaluate(() => window.hurt), undefined, place);
    }
    assert.equal(await page.locator("iframe, base, link[href*=evil], img").count(), 0);
  },

  async "every place is accessible, in light"(stage) {
    await eachPlace(stage, { colorScheme: "light" }, axe);
  },

  async "every place is accessible in dark on a phone, 360 pixels wide"(stage) {
    await eachPlace(stage, { colorScheme: "dark", viewport: { width: 360, height: 740 } }, async (page, place) => {
      await axe(page, place);
      const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert(wide <= room, `${place} is ${wide} pixels wide in ${room}`);
      // Whoever searches sees what was found, above the places at the bottom.
      const first = place === "search" && (await page.getByText("Found by").first().boundingBox());
      assert(!first || first.y + first.height < 740 - 56, `the first hit ends at ${first.y + first.height}`);
    });
  },
};
