import type { IncomingMessage } from "node:http";
import { type Arguments, isObject, parseJson } from "../fields.ts";

/** Arguments that forms carry as JSON. */
const JSON_ARGUMENTS = new Set(
  [
    ["attachments", "blocks", "channel_types", "chunks", "content_types", "entities", "entity", "error", "files"],
    ["loading_messages", "manifest", "metadata", "outputs", "prompts", "source", "unfurls", "user_auth_blocks", "view"],
  ].flat(),
);

/** The whole body of a request. Throws an Error with these words when it is longer than `most` bytes. */
export async function readBody(
  request: IncomingMessage,
  most = 64_000_000,
  words = `The body is longer than ${most} bytes.`,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.byteLength;
    if (length > most) throw new Error(words);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Arguments of a call from its address and body, whichever of the two forms it has. */
export function argumentsOf(request: IncomingMessage, query: URLSearchParams, body: Buffer): Arguments {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  const fields = Object.fromEntries(query);
  if (type === "application/json") {
    const parsed = parseJson(body.toString("utf8"));
    return isObject(parsed) ? { ...fields, ...parsed } : fields;
  }
  if (type === "application/x-www-form-urlencoded")
    Object.assign(fields, Object.fromEntries(new URLSearchParams(body.toString("utf8"))));
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, parseArgument(name, value)]));
}

/** A broken JSON argument stays a text, so that the method refuses it by name. */
function parseArgument(name: string, value: string): unknown {
  return JSON_ARGUMENTS.has(name) ? (parseJson(value) ?? value) : value;
}

/** The bearer of a request, or the argument `token`. */
export function bearerOf(request: IncomingMessage, args: Arguments): string | undefined {
  const [, bearer] = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "") ?? [];
  const { token } = args;
  return bearer ?? (typeof token === "string" && token !== "" ? token : undefined);
}
