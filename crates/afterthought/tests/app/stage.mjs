// Plays the scenes of a chapter in a real browser: each with accounts and tabs of its own, and none may leave a fault behind.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

import { Service } from "./service.mjs";

const BROWSER = process.env.AFTERTHOUGHT_CHROMIUM;
/** Enough on a machine several times slower than a laptop: what has to be quick says so in its scene. */
const SCENE_MS = 180_000;
const STEP_MS = 30_000;

/** What a browser reports when a page's own policy had to stop something. */
const STOPPED = /Content Security Policy|Trusted ?Type|Refused to|TypeError|ReferenceError/;

class Stage {
  #contexts = [];
  faults = [];

  constructor(service, browser) {
    this.service = service;
    this.browser = browser;
  }

  /** A new window: tabs of one window share what a browser shares. */
  async window(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
    context.setDefaultTimeout(STEP_MS);
    this.#contexts.push(context);
    context.on("page", (page) => this.#watch(page));
    return context;
  }

  /** A tab where the account is signed in by a link, at its thoughts. */
  async visit(account, { window, ...options } = {}) {
    const context = window ?? (await this.window(options));
    const page = await context.newPage();
    await page.goto(await account.link());
    await page.getByRole("textbox", { name: "New thought" }).waitFor();
    return page;
  }

  #watch(page) {
    page.on("pageerror", (error) => this.faults.push(`an error in the page: ${error.stack}`));
    page.on("console", (message) => STOPPED.test(message.text()) && this.faults.push(`the console says: ${message.text()}`));
    page.on("dialog", (dialog) => this.faults.push(`a dialog of the browser's: ${dialog.message()}`));
    page.on("request", (request) => {
      const url = new URL(request.url());
      const isOurs = url.origin === this.service.origin || ["data:", "blob:"].includes(url.protocol) || this.strangers?.has(url.origin);
      if (!isOurs) this.faults.push(`a request elsewhere: ${url}`);
    });
  }

  async leave() {
    for (const context of this.#contexts) await context.close();
  }
}

/** Plays all scenes, tells which failed, and ends the process accordingly. */
export async function play(scenes) {
  assert(BROWSER, "AFTERTHOUGHT_CHROMIUM names the browser to use");
  const chosen = Object.entries(scenes).filter(([promise]) => !process.argv[3] || promise.includes(process.argv[3]));
  assert(chosen.length, "there are scenes to play");
  const service = await Service.start();
  // The sandbox needs rights that root gives up and containers often lack; nothing but our own page is opened.
  const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  let failed = 0;
  for (const [promise, scene] of chosen) {
    const stage = new Stage(service, browser);
    const began = Date.now();
    let timer;
    try {
      const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`took longer than ${SCENE_MS} ms`)), SCENE_MS)));
      await Promise.race([scene(stage), late]);
      assert.deepEqual(stage.faults, []);
      console.log(`ok      ${promise} (${Date.now() - began} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${promise}\n${error.stack}\n${stage.faults.join("\n")}`);
    } finally {
      clearTimeout(timer);
      await stage.leave();
    }
  }
  await browser.close();
  await service.end();
  assert.equal(failed, 0, `${failed} of ${chosen.length} scenes failed`);
}

/** Looks again until the claim holds, and fails with its last complaint. */
export async function eventually(claim, withinMs = STEP_MS) {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return await claim();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The texts of the list of thoughts, as they stand there. */
export function texts(page) {
  return page.getByRole("list", { name: "Thoughts" }).getByRole("article").evaluateAll((all) => all.map((one) => one.querySelector("a").textContent));
}

/** Goes to a place by its link in the navigation. */
export async function goTo(page, place) {
  await page.getByRole("navigation").getByRole("link", { name: place, exact: true }).click();
}

/** Opens the thought with these words from the list. */
export async function open(page, words) {
  await page.getByRole("article").filter({ hasText: words }).getByRole("link").first().click();
  await page.getByRole("heading", { name: "History" }).waitFor();
}

/** The one sentence of the alert. */
export async function alerted(page) {
  const alert = page.getByRole("alert");
  await alert.waitFor();
  return (await alert.innerText()).trim();
}

export const signInButton = (page) => page.getByRole("button", { name: "Sign in", exact: true });

/** Signs in with a key. */
export async function withKey(page, origin, key) {
  await page.goto(origin);
  await page.getByLabel("API key").fill(key);
  await signInButton(page).click();
}

/** Waits until the page shows whose memory it is. */
export async function isSignedIn(page, account) {
  await page.locator(".who").filter({ hasText: account }).waitFor();
}
