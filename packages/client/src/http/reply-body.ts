import type { CallWatch } from "./call-watch.ts";

/** The body as text; undefined when it is longer than `maxBytes`. */
export async function readText(
  body: ReadableStream<Uint8Array> | null,
  watch: CallWatch,
  maxBytes: number,
): Promise<string | undefined> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  try {
    for (let bytes = 0; bytes <= maxBytes;) {
      const { done, value } = await watch.race(reader.read());
      if (done) return parts.join("") + decoder.decode();
      bytes += value.length;
      parts.push(decoder.decode(value, { stream: true }));
    }
    return undefined;
  } finally {
    reader.cancel().catch(() => {});
    reader.releaseLock();
  }
}

/** Gives up a body nobody will read, so that its connection is free. */
export function discard({ body }: Response): void {
  if (body !== null && !body.locked) body.cancel().catch(() => {});
}
