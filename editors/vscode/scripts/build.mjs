// Bundle the client, and take over the grammar that the language itself writes.
import { copyFile, mkdir } from "node:fs/promises";
import { build } from "esbuild";

await mkdir("syntaxes", { recursive: true });
await copyFile("../../docs/forge.tmLanguage.json", "syntaxes/forge.tmLanguage.json");
for (const [source, target, format] of [
  ["src/extension.js", "dist/extension.js", "cjs"],
  ["src/server.js", "dist/server.mjs", "esm"],
]) {
  await build({
    entryPoints: [source],
    outfile: target,
    bundle: true,
    format,
    platform: "node",
    target: "node20",
    external: ["vscode"],
    minify: true,
    legalComments: "eof",
    logLevel: "warning",
  });
}
