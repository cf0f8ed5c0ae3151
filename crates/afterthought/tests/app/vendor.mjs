// Takes the page's libraries out of their npm packages into `app/vendor`, or checks that what lies there is what they give.
//
//   node vendor.mjs PACKAGES VENDOR [--check]
//
// PACKAGES is the folder `node_modules` of an installation by `package-lock.json`, VENDOR the folder `app/vendor`. The page's policy
// allows no import map, so that the names of packages in imports become relative addresses; comments that point at source maps go.
// Nothing else is changed. `vendor.json` tells what came from where, with the SHA-256 of the package's file and of ours.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Our file: the import it stands for, its package, and the file there. */
const FILES = {
  "preact.js": ["preact", "preact", "dist/preact.mjs"],
  "hooks.js": ["preact/hooks", "preact", "hooks/dist/hooks.mjs"],
  "signals-core.js": ["@preact/signals-core", "@preact/signals-core", "dist/signals-core.mjs"],
  "signals.js": ["@preact/signals", "@preact/signals", "dist/signals.mjs"],
  "htm.js": ["htm", "htm", "dist/htm.mjs"],
  "d3-dispatch.js": ["d3-dispatch", "d3-dispatch", "dist/d3-dispatch.min.mjs"],
  "d3-quadtree.js": ["d3-quadtree", "d3-quadtree", "dist/d3-quadtree.min.mjs"],
  "d3-timer.js": ["d3-timer", "d3-timer", "dist/d3-timer.min.mjs"],
  "d3-force.js": ["d3-force", "d3-force", "dist/d3-force.min.mjs"],
};
const OURS = new Map(Object.entries(FILES).map(([file, [name]]) => [name, file]));
const ALLOWED = ["MIT", "ISC", "Apache-2.0"];

const [packages, vendor, check] = process.argv.slice(2);
const results = new Map();
const record = [];
const licences = new Map();

for (const [file, [, name, path]] of Object.entries(FILES)) {
  const original = readFileSync(join(packages, name, path), "utf8");
  const text = original
    .replace(/\b(from|import) ?"([^".][^"]*)"/g, (_, word, imported) => {
      assert(OURS.has(imported), `${file} imports ${imported}, which is not vendored`);
      return `${word}"./${OURS.get(imported)}"`;
    })
    .replace(/\n?\/\/# sourceMappingURL=.*\n?$/, "\n");
  const { version, license } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8"));
  assert(ALLOWED.includes(license), `${name} is licensed ${license}`);
  record.push({ file, package: name, version, licence: license, path, package_sha256: sha256(original), sha256: sha256(text) });
  licences.set(`${name} ${version}`, readFileSync(join(packages, name, "LICENSE"), "utf8").trim());
  results.set(file, text);
}
results.set("vendor.json", `${JSON.stringify(record, null, 2)}\n`);
results.set("licences.txt", `${[...licences].map(([name, text]) => `# ${name}\n\n${text}`).join("\n\n\n")}\n`);

for (const [file, text] of results) {
  if (check) assert.equal(readFileSync(join(vendor, file), "utf8"), text, `${file} is not what the packages give`);
  else writeFileSync(join(vendor, file), text);
}

function sha256(text) {
  return createHash("sha256").update(text).digest("hex");
}
