/** Calls one method of a custom tool over HTTP, with limits on time and size. */
import type { ToolMethod } from "@threadlore/client/models";
import { isTooDeep } from "../../http/body.ts";

/** A method of a tool an administrator added. */
export interface CustomMethod {
  readonly toolId: number;
  /** The one server of its definition. Trusted: only an administrator can add a tool. */
  readonly server: string;
  readonly method: ToolMethod;
}

/** What a call brought, as the packet `custom_tool_delta` carries it. */
interface ToolReply {
  readonly type: "json" | "text";
  readonly data: unknown;
  readonly error: {
    readonly is_auth_error: boolean;
    readonly status_code: number | null;
    readonly message: string;
  } | null;
}

/** Bytes of a reply that are read. */
const MAX_REPLY = 256 * 1024;

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Record<string, unknown>;
}

/** The method's arguments as a JSON schema: its path and query parameters by name, its JSON body as `body`. */
export function parametersOf(method: ToolMethod): Record<string, unknown> {
  const properties: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const required: string[] = [];
  for (const parameter of parameterList(method)) {
    properties[parameter.name] = parameter.schema;
    if (parameter.required) required.push(parameter.name);
  }
  const body = bodySchema(method);
  if (body !== undefined) {
    properties["body"] = body;
    required.push("body");
  }
  return { type: "object", properties: { ...properties }, required };
}

/** Calls the method. Every failure is part of the reply; only an aborted signal is thrown. */
export async function callMethod(
  { server, method }: CustomMethod,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<ToolReply> {
  const url = urlOf(server, method, args);
  if (typeof url === "string") return failed(null, url);
  const late = AbortSignal.timeout(timeoutMs);
  const stop = AbortSignal.any([signal, late]);
  try {
    return await replyOf(await fetch(url, { ...requestOf(method, args), redirect: "manual", signal: stop }));
  } catch {
    signal.throwIfAborted();
    return failed(null, late.aborted ? `It did not answer within ${timeoutMs / 1000} s.` : "It could not be reached.");
  }
}

/** Where to call, or why nowhere. */
function urlOf(server: string, method: ToolMethod, args: Readonly<Record<string, unknown>>): URL | string {
  const parameters = parameterList(method);
  let refused: string | undefined;
  const path = method.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = args[name];
    // A dot segment would lead out of the method's own path.
    if (value === undefined || value === null || [".", "..", ""].includes(String(value)))
      refused = `The argument ${name} is missing.`;
    return encodeURIComponent(textOf(value));
  });
  if (refused !== undefined) return refused;
  const address = `${server.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}`;
  if (!URL.canParse(address)) return "Its server is not a full URL.";
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:") return "Its server is neither http nor https.";
  for (const { name, in: where } of parameters) {
    const value = args[name];
    if (where !== "query" || value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, textOf(one));
  }
  return url;
}

function requestOf(method: ToolMethod, args: Readonly<Record<string, unknown>>): RequestInit {
  const accept = { accept: "application/json, text/plain;q=0.5" };
  const name = method.method.toUpperCase();
  if (bodySchema(method) === undefined || name === "GET") return { method: name, headers: accept };
  return {
    method: name,
    headers: { ...accept, "content-type": "application/json" },
    body: JSON.stringify(args["body"] ?? {}),
  };
}

async function replyOf(response: Response): Promise<ToolReply> {
  const text = await limitedText(response);
  if (text === undefined) return failed(response.status, `Its reply was larger than ${MAX_REPLY / 1024} KB.`);
  const parsed = parsedJson(text);
  // It could be read, but not be written out again.
  if (parsed !== undefined && isTooDeep(text)) return failed(response.status, "Its reply is nested too deep.");
  const found = parsed === undefined ? { type: "text" as const, data: text } : { type: "json" as const, data: parsed };
  if (response.ok) return { ...found, error: null };
  return { ...found, error: errorOf(response.status, `It answered with status ${response.status}.`) };
}

async function limitedText(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const bytes of response.body ?? []) {
    size += bytes.length;
    if (size > MAX_REPLY) return undefined;
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(status: number | null, message: string): ToolReply {
  return { type: "text", data: null, error: errorOf(status, message) };
}

function errorOf(status: number | null, message: string) {
  return { is_auth_error: status === 401 || status === 403, status_code: status, message };
}

function parameterList({ spec }: ToolMethod): Parameter[] {
  const list: unknown = spec["parameters"];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: unknown) => {
    if (!isObject(entry) || typeof entry["name"] !== "string" || typeof entry["in"] !== "string") return [];
    if (entry["in"] !== "path" && entry["in"] !== "query") return [];
    const schema = isObject(entry["schema"]) && !("$ref" in entry["schema"]) ? entry["schema"] : { type: "string" };
    const described = typeof entry["description"] === "string" ? { description: entry["description"] } : {};
    const required = entry["in"] === "path" || entry["required"] === true;
    return [{ name: entry["name"], in: entry["in"], required, schema: { ...schema, ...described } }];
  });
}

function bodySchema({ spec }: ToolMethod): Record<string, unknown> | undefined {
  const body: unknown = spec["requestBody"];
  if (!isObject(body)) return undefined;
  const content = isObject(body["content"]) ? body["content"]["application/json"] : undefined;
  const schema = isObject(content) ? content["schema"] : undefined;
  return isObject(schema) && !("$ref" in schema) ? schema : { type: "object" };
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
