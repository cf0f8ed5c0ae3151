// The page itself: its policy, its size, its places.

import assert from "node:assert/strict";

import { eventually, goTo } from "../stage.mjs";

const POLICY = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
  "require-trusted-types-for": "'script'",
};

export default {
  async "the page's policy is as strict as promised, and unknown paths are no page"({ service: { origin } }) {
    const answer = await fetch(origin);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type"), /^text\/html/);
    const policy = Object.fromEntries(answer.headers.get("content-security-policy").split(";").map((part) => part.trim().split(/ (.*)/s).slice(0, 2)));
    for (const [directive, value] of Object.entries(POLICY)) assert.equal(policy[directive], value, directive);
    for (const extra of Object.keys(policy).filter((directive) => !POLICY[directive])) {
      assert(["font-src", "manifest-src", "worker-src", "trusted-types"].includes(extra) && ["'self'", "'none'"].includes(policy[extra]), `${extra} ${policy[extra]}`);
    }
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
    assert.equal(answer.headers.get("cross-origin-opener-policy"), "same-origin");
    assert.equal(answer.headers.get("set-cookie"), null);
    for (const path of ["/nothing", "/app/nothing.js", "/app/../Cargo.toml", "/app/types/api.d.ts", "/thoughts"]) assert.equal((await fetch(`${origin}${path}`)).status, 404, path);
  },

  async "all static files are small on the wire, and none comes from elsewhere"(stage) {
    const page = await (await stage.window()).newPage();
    const client = await page.context().newCDPSession(page);
    await client.send("Network.enable");
    let bytes = 0;
    let files = 0;
    client.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      files += 1;
    });
    await page.goto(await (await stage.service.account()).link());
    await page.getByRole("textbox", { name: "New thought" }).waitFor();
    await page.waitForTimeout(300);
    assert(files > 20, `${files} files`);
    assert(bytes < 300_000, `${bytes} bytes on the wire`);
  },

  async "the places have their names"(stage) {
    const page = await stage.visit(await stage.service.account());
    for (const place of ["Thoughts", "Entities", "Graph", "Keys", "Memory"]) {
      await goTo(page, place);
      await page.getByRole("heading", { name: place, level: 1 }).waitFor();
      await eventually(async () => assert.equal(await page.title(), `${place} – afterthought`));
    }
  },
};
