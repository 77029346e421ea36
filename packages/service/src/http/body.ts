import type * as z from "zod/mini";
import type { ServiceContext } from "../context.ts";
import { invalid, Problem, Problems, refusal } from "./problem.ts";

/** Deepest nesting of arrays and objects in a JSON body. */
const DEPTH = 64;

/** How the body of a request that was let in is read. */
interface Reading {
  /** Most bytes, counted after gzip was undone. */
  readonly limit: number;
  readonly gzip: boolean;
  /** It says that there are few bytes: over a socket there are no more than it says. */
  readonly isSmall: boolean;
}

/** Bytes up to which a body is taken in one piece: of a large one fewer copies are made piece by piece. */
const SMALL_BODY = 1_000_000;

const READINGS = new WeakMap<Request, Reading>();

/**
 * Lets a request's body in if it is of the expected type: it can be read with `bytesOfBody`, up to `limit` bytes, counted
 * after gzip was undone (docs/threats.md, T26). Throws 415 for another type or encoding, 413 if the size is announced.
 */
export function guardBody(request: Request, expected: string, limit: number): void {
  const announced = request.headers.get("content-length");
  if (!hasBody(request, announced)) return;
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== expected) {
    throw refusal(415, "UNSUPPORTED_MEDIA_TYPE", `Send the body as ${expected}, and say so in Content-Type.`);
  }
  if (Number(announced ?? 0) > limit) throw tooLarge(limit);
  const encoding = request.headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (!["", "identity", "gzip"].includes(encoding)) {
    throw refusal(415, "UNSUPPORTED_ENCODING", "Send the body as it is, or compressed with gzip.");
  }
  const length = Number(announced ?? 0);
  const isSmall = length > 0 && length <= SMALL_BODY && !request.headers.has("transfer-encoding");
  READINGS.set(request, { limit, gzip: encoding === "gzip", isSmall });
}

/** Asking a request for its body makes a stream of it, which takes longer than to read what most people send. */
function hasBody(request: Request, announced: string | null): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  return Number(announced ?? 0) > 0 || request.body !== null;
}

/** What is refused is not read on, but not cancelled either: Node's own body streams fail loudly when they are. */
const LEAVE = { preventCancel: true };

function tooLarge(limit: number): Problem {
  return refusal(413, "REQUEST_TOO_LARGE", `The body is larger than ${limit} bytes. Send less at once.`);
}

/** The bytes of a guarded body; 413 where there are too many, 422 where they broke off or could not be unpacked. */
export async function bytesOfBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const reading = READINGS.get(request);
  if (reading === undefined) return new Uint8Array();
  const { limit, gzip, isSmall } = reading;
  try {
    if (isSmall && !gzip) return within(new Uint8Array(await request.arrayBuffer()), limit);
    const { body } = request;
    return body === null ? new Uint8Array() : await readAll(gzip ? inflated(body) : body, limit);
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw invalid(["body"], "The body broke off, or is not the gzip it says it is", "body_unreadable");
  }
}

function inflated(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const inflate = new DecompressionStream("gzip") as TransformStream<Uint8Array, Uint8Array>;
  return body.pipeThrough(inflate, LEAVE);
}

/** What was announced may be wrong where no socket brought it. */
function within(bytes: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  if (bytes.byteLength > limit) throw tooLarge(limit);
  return bytes;
}

async function readAll(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body.values(LEAVE)) {
    length += chunk.byteLength;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** The JSON value of a body; a 422 where it is none, or nested deeper than 64 levels. */
export function jsonOfBody(bytes: Uint8Array): unknown {
  const text = textOfBody(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(["body"], "The body is not valid JSON", "json_invalid");
  }
}

/** The text of a JSON body, for who reads it in another way; a 422 where it is empty, not UTF-8 or nested too deep. */
export function textOfBody(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid(["body"], "The body is not valid UTF-8", "json_invalid");
  }
  if (text.trim() === "") throw invalid(["body"], "Field required", "missing");
  if (isTooDeep(text)) {
    throw invalid(["body"], `The body is nested deeper than ${DEPTH} levels`, "json_invalid");
  }
  return text;
}

/** Counts brackets outside strings, before anything is built from them. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      if (++depth > DEPTH) return true;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** Where the string that begins at `from` ends: at a quote that an even number of backslashes stands before. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** Entries of one list or object in a body, and values in all of it. */
const MAX_ENTRIES = 20_000;
const MAX_VALUES = 500_000;

/** Refuses, with a 422, a value with so many entries that checking each would hold everybody else up. */
function checkSizes(body: unknown): void {
  const open: { value: object; loc: (string | number)[] }[] = [];
  let values = 0;
  const visit = (value: unknown, loc: (string | number)[]): void => {
    if (typeof value === "object" && value !== null) open.push({ value, loc });
  };
  visit(body, ["body"]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, loc } = next;
    const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
    values += entries.length;
    if (entries.length > MAX_ENTRIES) {
      throw invalid(loc, `Send at most ${MAX_ENTRIES} entries here, not ${entries.length}`, "too_long");
    }
    if (values > MAX_VALUES) {
      throw invalid(["body"], `The body holds more than ${MAX_VALUES} values`, "too_long");
    }
    for (const [key, member] of entries) {
      if (typeof member === "object" && member !== null) visit(member, [...loc, key]);
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The words and kinds callers of deployed servers know, by the type that was expected. */
const EXPECTED: Readonly<Record<string, readonly [msg: string, type: string]>> = {
  string: ["Input should be a valid string", "string_type"],
  number: ["Input should be a valid number", "float_type"],
  int: ["Input should be a whole number", "int_type"],
  boolean: ["Input should be true or false", "bool_type"],
  array: ["Input should be a list", "list_type"],
  object: ["Input should be a JSON object", "model_attributes_type"],
  record: ["Input should be a JSON object", "dict_type"],
};

/** What a schema says of one wrong place, in these words. */
function worded(value: unknown, issue: z.core.$ZodIssue): readonly [msg: string, type: string] {
  if (issue.code !== "invalid_type") return [issue.message, issue.code === "invalid_value" ? "enum" : "value_error"];
  if (valueAt(value, issue.path) === undefined) return ["Field required", "missing"];
  return EXPECTED[issue.expected] ?? [issue.message, "value_error"];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = Reflect.get(at, part);
  }
  return at;
}

/** A form of texts as an object; of a field that stands there twice the first counts. */
export async function parseForm<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const fields = [...new URLSearchParams(new TextDecoder().decode(await bytesOfBody(request)))];
  const result = schema.safeParse(Object.fromEntries(fields.toReversed()));
  if (result.success) return result.data;
  const problems = new Problems();
  for (const { path, message } of result.error.issues) problems.add(["body", ...path.map(String)], message);
  throw problems.refusal();
}

/** Bytes. */
const LARGE_BODY = 500_000;

/** The request's JSON body as the model says it must be, or a 422 that tells each place where it is not. */
export async function parseBody<Schema extends z.ZodMiniType>(
  { questions }: ServiceContext,
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const bytes = await bytesOfBody(request);
  const value = jsonOfBody(bytes);
  // Each step over a large body takes its time, and so does what follows; others get their turn between them.
  const pause = async () => (bytes.byteLength > LARGE_BODY ? questions.quiet() : undefined);
  await pause();
  checkSizes(value);
  await pause();
  const result = schema.safeParse(value);
  await pause();
  if (result.success) return result.data;
  const problems = new Problems();
  for (const issue of result.error.issues) {
    if (problems.full) break;
    const place = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
    problems.add(["body", ...place], ...worded(value, issue));
  }
  throw problems.refusal();
}
