// A memory as a file: taken along, and brought in.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { alerted, goTo } from "../stage.mjs";

export default {
  async "an account is taken out as a file and brought into another"(stage) {
    const account = await stage.service.account();
    const id = await account.capture("travels as a file");
    await account.edit(id, "replace 'file' with 'letter'");
    const page = await stage.visit(account);
    await goTo(page, "Memory");
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Export", exact: true }).click()]);
    assert.match(download.suggestedFilename(), new RegExp(`^afterthought-${account.name}-.*\\.jsonl$`));
    const file = await readFile(await download.path());
    assert(!file.includes(account.key) && file.includes("travels as a letter"));

    const other = await stage.service.account();
    const there = await stage.visit(other);
    await goTo(there, "Memory");
    await there.getByLabel("Choose a file").setInputFiles({ name: "broken.jsonl", mimeType: "application/json", buffer: Buffer.from("{not json\n") });
    await there.getByRole("button", { name: "Import", exact: true }).click();
    assert.match(await alerted(there), /line|1/);
    const chosen = { name: "memory.jsonl", mimeType: "application/json", buffer: file };
    const [chooser] = await Promise.all([
      there.waitForEvent("filechooser"),
      (async () => {
        await there.getByLabel("Choose a file").setInputFiles([]);
        await there.getByRole("button", { name: "Import", exact: true }).click();
      })(),
    ]);
    await chooser.setFiles(chosen);
    await there.getByText(/Imported \d+, known/).waitFor();
    await goTo(there, "Thoughts");
    await there.getByRole("article").filter({ hasText: "travels as a letter" }).waitFor();
  },
};
