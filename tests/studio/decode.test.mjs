// What the page decodes: meshes that the Python encoder wrote, each beside what went in.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { env } from "node:process";

const { unbaked } = await import(`${env.PAGE}/baked.js`);
const files = readdirSync(env.MESHES).filter((name) => name.endsWith(".json"));

test("a mesh comes out as it went in", async () => {
  assert.ok(files.length > 2);
  for (const name of files) {
    const { places, open, faces } = JSON.parse(readFileSync(`${env.MESHES}/${name}`));
    const { vertices, corners } = await unbaked(readFileSync(`${env.MESHES}/${name}.mesh`));
    const words = new Int16Array(vertices.buffer);
    places.forEach((place, i) => assert.deepEqual([...words.slice(4 * i, 4 * i + 3)], place));
    assert.deepEqual(open.map((_, i) => vertices[8 * i + 6]), open);
    assert.deepEqual([...corners], faces.flat());
  }
});

test("bytes that are no mesh are refused", async () => {
  const whole = readFileSync(`${env.MESHES}/${files[0]}.mesh`);
  for (const broken of [whole.subarray(0, -4), Buffer.from("mesh"), Buffer.alloc(0)]) {
    await assert.rejects(unbaked(broken));
  }
});
