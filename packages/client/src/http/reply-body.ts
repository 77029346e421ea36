import type * as z from "zod/mini";
import { readable } from "../errors/error-body.ts";
import { ProtocolError } from "../errors/errors.ts";
import { wrongBaseUrl } from "../errors/reply-error.ts";
import { parseWireJson } from "./wire-json.ts";
import type { CallWatch } from "./call-watch.ts";

/** A reply read whole. */
export interface TextReply {
  status: number;
  headers: Headers;
  text: string;
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

/** Most places named where a reply has another shape. */
const MAX_PLACES = 3;

/** A JSON reply of the shape it must have. Throws WrongBaseUrlError for a web page, ProtocolError for anything else. */
export function readJson<Schema extends z.ZodMiniType>(
  reply: TextReply,
  schema: Schema,
  host: string,
): z.output<Schema> {
  const facts = { status: reply.status, host };
  const type = reply.headers.get("content-type") ?? "no content type";
  if (/^\s*</.test(reply.text)) throw wrongBaseUrl(host, reply.status, facts);
  let value: unknown;
  try {
    value = parseWireJson(reply.text);
  } catch (cause) {
    throw new ProtocolError(`${host} answered with ${type} that is no JSON.`, facts, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map(({ path }) => readable(path.join(".")) || "the whole reply");
  const more = places.length > MAX_PLACES ? ` and ${places.length - MAX_PLACES} more places` : "";
  const where = `${places.slice(0, MAX_PLACES).join(", ")}${more}`;
  throw new ProtocolError(`${host} answered with JSON of another shape than agreed (at ${where}).`, facts);
}
