// Compiles the page into graphbus_core/http/page, or with --check says whether what stands there is what it would make.
import { build } from "esbuild";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "graphbus_core", "http", "page");
const check = process.argv.includes("--check");

const SOURCES = { preact: "https://github.com/preactjs/preact", elkjs: "https://github.com/kieler/elkjs" };
const common = { bundle: true, minify: true, write: false, legalComments: "none", logLevel: "warning", absWorkingDir: here };
const script = await build({ ...common, entryPoints: ["src/main.tsx"], format: "esm", target: "es2022", jsx: "automatic", jsxImportSource: "preact", charset: "utf8" });
const sheet = await build({ ...common, entryPoints: ["src/style.css"] });
const made = new Map([
  ["app.js", script.outputFiles[0].text],
  ["style.css", sheet.outputFiles[0].text],
  ["index.html", readFileSync(join(here, "src", "index.html"), "utf8")],
  ["seat.html", readFileSync(join(here, "src", "seat.html"), "utf8")], // a seat of a consent negotiation: small enough as it is
  ["seat.js", readFileSync(join(here, "src", "seat.js"), "utf8")],
  // Laid out in a worker, loaded after the first picture. As its authors publish it: its licence is another than ours.
  ["elk.js", readFileSync(join(here, "node_modules", "elkjs", "lib", "elk-worker.min.js"), "utf8")],
  ["LICENSES.txt", [["preact", "LICENSE"], ["elkjs", "LICENSE.md"]].map(([name, file]) => `${name} (its source: ${SOURCES[name]})\n\n${readFileSync(join(here, "node_modules", name, file), "utf8")}`).join("\n\n")],
]);

const stale = [...made].filter(([name, text]) => !existsSync(join(out, name)) || readFileSync(join(out, name), "utf8") !== text).map(([name]) => name);
const extra = existsSync(out) ? readdirSync(out).filter((name) => !made.has(name)) : [];
if (check) {
  for (const name of [...stale, ...extra]) console.error(`graphbus_core/http/page/${name} is not what page/ compiles to; run \`make page\`.`);
  process.exit(stale.length + extra.length ? 1 : 0);
}
mkdirSync(out, { recursive: true });
for (const name of extra) rmSync(join(out, name), { recursive: true });
for (const [name, text] of made) writeFileSync(join(out, name), text);
console.log(`${made.size} files in graphbus_core/http/page, ${[...made].map(([name, text]) => `${name} ${Buffer.byteLength(text)}`).join(", ")}`);
