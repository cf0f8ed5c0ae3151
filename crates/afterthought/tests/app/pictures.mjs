// Makes the pictures of the README from made-up thoughts: `node pictures.mjs FOLDER`, with the variables the chapters need.

import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

import { Service } from "./service.mjs";
import { eventually, open } from "./stage.mjs";

const folder = resolve(process.argv[2]);
const DAY_MS = 86_400_000;

/** Who said what how many days ago. */
const TOLD = [
  ["you", 41, "Marta Oliveira runs the Falcon project from Lisbon, and answers mail before nine"],
  ["you", 33, "Idea: a map of every café where I wrote something worth keeping"],
  ["cursor", 27, "The staging certificate expired and the deployment failed; it is renewed every sixty days now"],
  ["you", 20, "Bruno Silva moved from Porto to Lisbon and works with Marta Oliveira on Falcon"],
  ["claude-code", 16, "The user prefers short answers with the reason first"],
  ["you", 11, "Grandmother's lemon cake: 200 g butter, 4 eggs, the zest of two lemons, 40 minutes at 170 °C"],
  ["claude-code", 8, "The tests of Falcon take nine minutes because each starts a database of its own"],
  ["you", 5, "Swimming on Tuesdays helps with the back, the early lane is nearly empty"],
  ["you", 3, "Ask Bruno Silva for the Falcon budget before the board meets in Porto"],
  ["cursor", 2, "Falcon's service reads its settings once at the start; a change needs a restart"],
  ["you", 1, "Dana Weber moved the Falcon launch to 14 May, the venue in Lisbon is still open"],
];

await mkdir(folder, { recursive: true });
const service = await Service.start();
const browser = await chromium.launch({ executablePath: process.env.AFTERTHOUGHT_CHROMIUM, args: ["--no-sandbox"] });
try {
  const account = await service.account("claude-code", "ada");
  const keys = { "claude-code": account.key, cursor: await account.anotherKey("cursor") };
  let last = "";
  for (const [who, days, text] of TOLD) {
    const at = new Date(Date.now() - days * DAY_MS).toISOString();
    last = await account.capture(text, who === "you" ? { at } : { as: "agent", key: keys[who], at });
  }
  await account.edit(last, "it's 16 May, not 14 May");
  await account.edit(last, "replace 'is still open' with 'is the old mill'", keys.cursor);
  await account.edit(last, "mark as done");
  await account.edit(last, "undo");

  const context = await browser.newContext({ viewport: { width: 1200, height: 780 }, deviceScaleFactor: 1.5, colorScheme: "light" });
  const page = await context.newPage();
  await page.goto(await account.link());
  await page.getByRole("article").first().waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("when is the launch of Falcon, and where?");
  await page.getByText("Found by").first().waitFor();
  await eventually(async () => {
    if (!(await page.getByText(/Found by.*connections/).count())) throw new Error("links are still being found");
  }, 30_000).catch(() => {});
  await page.screenshot({ path: join(folder, "search.png") });

  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByRole("searchbox", { name: "Search" }).fill("");
  await open(page, "Dana Weber");
  await page.getByRole("list", { name: "Related" }).waitFor({ timeout: 30_000 });
  await page.getByLabel("Attach a note").setInputFiles({ name: "launch.md", mimeType: "text/markdown", buffer: Buffer.from("# Launch\n\nDoors at six, talk at seven.") });
  await page.getByRole("list", { name: "Notes" }).waitFor();
  await page.screenshot({ path: join(folder, "thought.png") });
} finally {
  await browser.close();
  await service.end();
}
