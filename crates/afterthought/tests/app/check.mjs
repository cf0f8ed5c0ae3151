// What can be said of the page's files without a browser: their types, their size, and that the libraries are what npm gives.
//
//   node check.mjs PACKAGES APP

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

const [packages, app] = process.argv.slice(2).map((folder) => resolve(folder));
const MOST_BYTES = 300_000;

execFileSync(process.execPath, [join(import.meta.dirname, "vendor.mjs"), packages, join(app, "vendor"), "--check"], { stdio: "inherit" });

const files = readdirSync(app, { recursive: true }).filter((file) => [".html", ".css", ".js", ".svg", ".txt", ".json"].includes(extname(file)) && !file.includes("tsconfig"));
const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(app, file))).length, 0);
assert(files.length > 20 && bytes < MOST_BYTES, `${files.length} files are ${bytes} bytes on the wire`);
console.log(`${files.length} files, ${bytes} bytes on the wire`);

// Modules name each other in a chain; the page names them all, so that a browser far away asks for them at once.
const page = readFileSync(join(app, "index.html"), "utf8");
for (const file of files.filter((name) => name.endsWith(".js"))) assert(page.includes(`"/app/${file}"`), `index.html does not name ${file}`);

// The policy would stop each of these in the browser; here the line is named.
for (const file of files.filter((name) => /^[^/]+\.(js|html)$/.test(name))) {
  readFileSync(join(app, file), "utf8").split("\n").forEach((line, at) => {
    const found = /innerHTML|outerHTML|insertAdjacentHTML|dangerously|\beval\b|new Function|document\.write|\sstyle=|https?:\/\/(?!127|www\.w3\.org|unset)[a-z]/.exec(line);
    assert(!found, `${file}:${at + 1} has ${found}`);
  });
}

const folder = mkdtempSync(join(tmpdir(), "afterthought-types-"));
try {
  const paths = { "*": [join(packages, "@types/*"), join(packages, "*")] };
  const settings = { extends: join(app, "tsconfig.json"), compilerOptions: { paths, types: [] }, include: [join(app, "*.js")] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
  execFileSync(process.execPath, [join(packages, "typescript/bin/tsc"), "--project", folder], { stdio: "inherit" });
} finally {
  rmSync(folder, { recursive: true });
}
