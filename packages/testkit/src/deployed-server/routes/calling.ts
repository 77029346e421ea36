import { afterThisTest } from "../../tidying.ts";
import { startDeployedServer, type DeployedServer } from "../deployed-server.ts";
import type { Settings } from "../world/settings.ts";

type Json = Record<string, unknown>;

/** A line of an answer, with what tests look at. */
export interface Line extends Json {
  obj?: Json & { type: string };
  error?: string;
}

/** A double that is closed when the test is over. */
export async function started(options: Partial<Settings> = {}): Promise<DeployedServer> {
  const server = await startDeployedServer(options);
  afterThisTest(() => server.close());
  return server;
}

/** A request with a key and, where there is one, a JSON body. */
export function call(
  server: DeployedServer,
  method: string,
  path: string,
  { key, body, signal }: { key?: string | undefined; body?: unknown; signal?: AbortSignal } = {},
): Promise<Response> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(server.url + path, { method, headers, redirect: "manual", ...sent, ...(signal ? { signal } : {}) });
}

/** Status and JSON body of a reply. */
export async function told(response: Promise<Response>): Promise<{ status: number; body: unknown }> {
  const reply = await response;
  return { status: reply.status, body: await reply.json() };
}

/** Asks a question, with the administrator's key unless another is given. */
export function ask(
  server: DeployedServer,
  message: string,
  { key = server.keys.admin, ...more }: Json & { key?: string } = {},
): Promise<Response> {
  return call(server, "POST", "/chat/send-chat-message", { key, body: { message, ...more } });
}

/** What of an answer's lines arrived, and whether that was all of it. */
export async function readLines(response: Response): Promise<{ lines: Line[]; rest: string; whole: boolean }> {
  let text = "";
  let whole = true;
  const decoder = new TextDecoder();
  try {
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch {
    whole = false;
  }
  const parts = text.split("\n");
  const rest = parts.pop() ?? "";
  return { lines: parts.map((line): Line => JSON.parse(line)), rest, whole };
}

/** The text of an answer's lines. */
export function textOf(lines: readonly Line[]): string {
  return lines.map(({ obj }) => (obj?.type === "message_delta" ? String(obj["content"]) : "")).join("");
}

/** Kinds of the packets among an answer's lines, like ones next to each other once. */
export function kindsOf(lines: readonly Line[]): string[] {
  const kinds = lines.flatMap(({ obj }) => (obj === undefined ? [] : [obj.type]));
  return kinds.filter((kind, index) => kind !== kinds[index - 1]);
}

/** A promise, and what settles it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** A document of a handbook, findable by its words. */
export const leavePage = {
  id: "https://wiki.example.com/leave",
  title: "Leave",
  text: "Everybody has 27 days of paid leave. Ask early.",
  link: "https://wiki.example.com/leave",
};
