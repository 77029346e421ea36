import type { CallWatch } from "./call-watch.ts";

/** Longest error body that is read; the rest says nothing new. */
const MAX_ERROR_BYTES = 1_000_000;
/** An error body that takes longer is done without. */
const ERROR_BODY_MS = 10_000;

/** The text of an error body as far as it can be had soon; empty when it cannot. */
export async function readErrorText(response: Response, watch: CallWatch): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ERROR_BODY_MS)));
  try {
    return (await Promise.race([readText(response.body, watch, MAX_ERROR_BYTES), late])) ?? "";
  } catch {
    return "";
  } finally {
    clearTimeout(timer);
    discard(response);
  }
}

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
