// Hostile share links: a changed word is decoded or refused, whatever was changed. Run by node's runner.
import assert from "node:assert/strict";
import { test } from "node:test";
import { env } from "node:process";

const { packed, unpacked } = await import(`${env.PAGE}/share.js`);
const MAP = 'forge 1\ntitle "Brücke"\nboard 10x10\nstack C3..E5 height 2\nstart red at B1..I1\n';
const SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const STRANGE = ["", "%", "\0", "=", " ", "é", "\ud800", "+/", "__proto__", "\n", "&map=", "🂡"];
const MOST = 1_000_000;

// Draws in a fixed order, so that a failure comes again.
let last = 11;
const draw = (below) => { last = (last * 16807) % 2147483647; return last % below; };
const one = (list) => list[draw(list.length)];

const CHANGES = [
  (word, at) => word.slice(0, at) + one(SIGNS) + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word.slice(at + 1 + draw(8)),
  (word, at) => word.slice(0, at) + one(SIGNS) + word.slice(at),
  (word, at) => word.slice(0, at) + one(STRANGE) + word.slice(at),
  (word, at) => word.slice(0, at),
  (word, at) => word.slice(at) + word.slice(0, at),
  (word, at) => word + word.slice(at),
];

function changed(word) {
  let found = word;
  for (let times = 1 + draw(3); times > 0; times -= 1) found = one(CHANGES)(found, draw(found.length + 1));
  return found;
}

test("a map comes back as it was", async () => {
  for (const text of [MAP, "", "\ufeffx", "é\r\n🂡", "x".repeat(MOST)]) {
    assert.equal(await unpacked(await packed(text)), text);
  }
});

test("a changed link is a text or an error, and never more", async () => {
  const word = await packed(MAP), told = new Set();
  let refused = 0;
  for (let i = 0; i < Number(env.AMOUNT); i += 1) {
    const hostile = changed(word);
    try {
      const text = await unpacked(hostile);
      assert.equal(typeof text, "string");
      assert.ok(new TextEncoder().encode(text).length <= MOST);
      assert.ok(text.isWellFormed());
    } catch (error) {
      assert.ok(error instanceof Error, hostile);
      assert.notEqual(error.code, "ERR_ASSERTION", hostile);
      refused += 1;
      told.add(error.constructor.name);
    }
  }
  assert.ok(refused > env.AMOUNT / 2);
});

test("a link that grows without end is refused at the limit", async () => {
  const word = await packed("x".repeat(MOST + 1));
  assert.ok(word.length < 5000);
  await assert.rejects(unpacked(word), /too large/);
});
