import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { SignedRequest } from "./signature.ts";

/** The bytes that were posted; undefined: more than allowed. */
export async function bodyOf(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) continue;
    size += part.byteLength;
    if (size > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * What tells whether the platform posted this. Read as text, bytes that are no UTF-8 could pass for others that were
 * signed: of those there is no signature.
 */
export function signedRequest(request: IncomingMessage, body: Buffer): SignedRequest {
  return {
    timestamp: only(request, "x-slack-request-timestamp"),
    signature: isUtf8(body) ? only(request, "x-slack-signature") : "not of these bytes",
    body: body.toString("utf8"),
  };
}

/** A header that is there exactly once. */
function only(request: IncomingMessage, name: string): string | undefined {
  const values = request.headersDistinct[name];
  return values?.length === 1 ? values[0] : undefined;
}
