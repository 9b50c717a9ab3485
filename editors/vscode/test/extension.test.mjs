// The extension without an editor: what it ships, its colours, its snippets, and its server.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { advice, serverOptions } from "../dist/server.mjs";

const require = createRequire(import.meta.url);
const json = (path) => JSON.parse(readFileSync(path, "utf-8"));
const manifest = json("package.json");
const snippets = json("snippets.json");
const command = (process.env.FDFORGE ?? "fdforge").split(" ");
const installed = spawnSync(command[0], [...command.slice(1), "--version"]).status === 0;
const needs = installed ? false : "fdforge is missing; set FDFORGE to where it is";

test("everything the manifest names is there", () => {
  const named = [
    manifest.main,
    ...manifest.contributes.languages.map((one) => one.configuration),
    ...manifest.contributes.grammars.map((one) => one.path),
    ...manifest.contributes.snippets.map((one) => one.path),
  ];
  for (const path of named) assert.ok(existsSync(path), path);
  assert.doesNotThrow(() => json("language-configuration.json"));
});

test("the bundle asks the editor for nothing but its API", () => {
  const wanted = [...readFileSync(manifest.main, "utf-8").matchAll(/require\("([^"]+)"\)/g)].map((m) => m[1]);
  const builtin = new Set(require("node:module").builtinModules);
  const strangers = wanted.filter((name) => name !== "vscode" && !builtin.has(name.replace("node:", "")));
  assert.deepEqual(strangers, []);
});

async function grammar() {
  const { Registry, parseRawGrammar } = require("vscode-textmate");
  const oniguruma = require("vscode-oniguruma");
  const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const path = manifest.contributes.grammars[0].path;
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => parseRawGrammar(readFileSync(path, "utf-8"), path),
  });
  return registry.loadGrammar("source.forge");
}

test("colours: words, tiles, numbers, texts and comments", async () => {
  const colours = await grammar();
  const line = 'bridge B4 -> E4 level 2 arch  # "high" D4';
  const scopes = new Map(
    colours.tokenizeLine(line).tokens.map((one) => [line.slice(one.startIndex, one.endIndex).trim(), one.scopes.at(-1)]),
  );
  assert.match(scopes.get("bridge"), /^keyword\.control/);
  assert.match(scopes.get("B4"), /^constant\.other\.tile/);
  assert.match(scopes.get("arch"), /^keyword\.other/);
  assert.match(scopes.get("2"), /^constant\.numeric/);
  assert.match(scopes.get('# "high" D4'), /^comment/);
});

test("every statement of the reference is coloured as one", async () => {
  const colours = await grammar();
  const ask = "from falldamage_forge.lang.language_service import reference; print(*reference())";
  const words = execFileSync("python", ["-c", ask], { encoding: "utf-8" }).trim().split(" ");
  assert.ok(words.length > 25);
  for (const word of words) {
    const [first] = colours.tokenizeLine(`${word} x`).tokens;
    assert.match(first.scopes.at(-1), /^keyword\.control/, word);
  }
});

/** A snippet as one gets it by pressing Tab: placeholders become their texts. */
function filled(body) {
  const texts = new Map();
  const text = body.join("\n");
  for (const [, number, first] of text.matchAll(/\$\{(\d+)[:|]([^}|,]*)[^}]*\}/g)) texts.set(number, first);
  return text.replace(/\$\{(\d+)[^}]*\}|\$(\d+)/g, (_, a, b) => texts.get(a ?? b) ?? "");
}

test("every snippet is a map that checks", { skip: needs }, () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-"));
  for (const [name, snippet] of Object.entries(snippets)) {
    let text = filled(snippet.body);
    if (!text.includes("forge 1")) text = `forge 1\n${text}`;
    if (!text.includes("start red")) text += "\nstart red at B1..I1\nstart blue at B10..I10";
    const path = join(folder, `${snippet.prefix}.forge`);
    writeFileSync(path, `${text}\n`);
    const run = spawnSync(command[0], [...command.slice(1), "check", path], { encoding: "utf-8" });
    assert.equal(run.status, 0, `${name}\n${text}\n${run.stdout}${run.stderr}`);
  }
});

test("the server answers with diagnostics, words and what they mean", { skip: needs }, async () => {
  const options = serverOptions([...command, "lsp"]);
  const server = spawn(options.command, options.args, { stdio: ["pipe", "pipe", "inherit"] });
  const talk = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  try {
    const told = new Promise((resolve) => talk.onNotification("textDocument/publishDiagnostics", resolve));
    talk.listen();
    const started = await talk.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
    assert.ok(started.capabilities.hoverProvider);
    await talk.sendNotification("initialized", {});
    const uri = "file:///m.forge";
    const text = "forge 1\nstak D4 height 1\nbridge B4 -> E4 level 2\n";
    await talk.sendNotification("textDocument/didOpen", { textDocument: { uri, languageId: "forge", version: 1, text } });
    const { diagnostics } = await told;
    assert.equal(diagnostics[0].code, "FDF002");
    const hover = await talk.sendRequest("textDocument/hover", { textDocument: { uri }, position: { line: 2, character: 2 } });
    assert.match(hover.contents.value, /bridge A -> B level N/);
    const found = await talk.sendRequest("textDocument/completion", { textDocument: { uri }, position: { line: 3, character: 0 } });
    assert.ok(found.items.some((item) => item.label === "stack"));
  } finally {
    talk.dispose();
    server.kill();
  }
});

test("a wrong setting and a missing server are told with what to do", () => {
  assert.throws(() => serverOptions("fdforge lsp"), /must be a list/);
  assert.deepEqual(serverOptions(["a", "b", "c"]), { command: "a", args: ["b", "c"] });
  assert.match(advice(["fdforge", "lsp"], new Error("ENOENT")), /ENOENT.*pip install/);
});
