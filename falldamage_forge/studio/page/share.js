// A map in the fragment of an address: it never leaves the browser that made it. Files handed out.
import { $ } from "./dom.js";

const LIMIT = 1_000_000; // bytes of a text, as the studio takes it

const pipe = (bytes, through) => new Blob([bytes]).stream().pipeThrough(through);

export async function packed(text) {
  const squeezed = pipe(text, new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(squeezed).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpacked(word) {
  const binary = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
  const reader = pipe(bytes, new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > LIMIT) {
      reader.cancel().catch(() => {});
      throw new Error("the map in this link is too large");
    }
    parts.push(value);
  }
  const whole = await new Blob(parts).arrayBuffer();
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(whole);
}

// The name of the map as that of a file.
export function fileName() {
  return (
    $("title")
      .textContent.toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "map"
  );
}

export function hand(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
