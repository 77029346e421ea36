import { startFaultServer, type Chunk, type FaultServer, type RecordedRequest, type Reply } from "./fault-server.ts";
import { seedOf } from "../made-vectors.ts";

/** A tool call the scripted model makes. Text arguments are sent as they are, so that they can be malformed. */
export interface ModelToolCall {
  name: string;
  arguments: Record<string, unknown> | string;
  /** Default `call_0`, `call_1`, … */
  id?: string;
}

/** What the scripted model does with one chat request. */
export interface ModelReply {
  /** The answer: one text, cut into word-sized deltas when streamed, or the deltas themselves. */
  text?: string | readonly string[];
  /** Tool calls after the text. */
  calls?: readonly ModelToolCall[];
  /** Default `stop`, or `tool_calls` when there are calls. */
  finishReason?: string;
  /** Pause between two streamed deltas. */
  everyMs?: number;
  /** A failure instead of an answer: 429, 500, 503, … */
  status?: number;
  /** `retry-after` of a failure, in seconds. */
  retryAfter?: number;
  /** A body of no use instead of an answer, with status 200 (or `status`). */
  garbage?: string;
  /** Streamed: the connection is reset after so many deltas. Not streamed: after half of the body. */
  cutAfter?: number;
  /** Silence with an open connection: at once, after the head, or after the deltas of `text`, before the end. */
  stall?: "before-head" | "after-head" | "before-end";
}

/** A chat request as the model saw it. */
export interface ModelRequest {
  model: string;
  stream: boolean;
  messages: readonly { role: string; content: unknown; [key: string]: unknown }[];
  tools?: readonly { function: { name: string; [key: string]: unknown }; [key: string]: unknown }[];
  [key: string]: unknown;
}

/** Replies in turn, one per chat request, the last one repeating; or a function of the request and its number from 0. */
export type ModelScript =
  | readonly ModelReply[]
  | ((request: ModelRequest, attempt: number) => ModelReply | Promise<ModelReply>);

/** Settings of a scripted model server. */
export interface ScriptedModelOptions {
  /** Names `/v1/models` lists. Default: `scripted`. */
  models?: readonly string[];
  /** The vector of a text. Default: a bag of words hashed into 64 numbers, so that like texts lie near each other. */
  embed?: (text: string) => readonly number[];
  /** When set, requests without this key as bearer get 401. */
  apiKey?: string;
}

/** A running scripted model. */
export interface ScriptedModel {
  /** Base URL as an OpenAI-compatible library wants it: `http://127.0.0.1:PORT/v1`. */
  url: string;
  /** The chat requests, in order. */
  chats: ModelRequest[];
  /** The server below, with every request it got. */
  server: FaultServer;
  close(): Promise<void>;
}

/**
 * Starts an OpenAI-compatible model server whose answers are prescribed: `/v1/models`, `/v1/chat/completions`
 * (streamed and not, with tool calls and every kind of failure) and `/v1/embeddings`.
 */
export async function startScriptedModel(
  script: ModelScript,
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const chats: ModelRequest[] = [];
  const server = await startFaultServer(async (request) => {
    if (options.apiKey !== undefined && request.headers["authorization"] !== `Bearer ${options.apiKey}`) {
      return failure(401, "Incorrect API key provided");
    }
    const path = request.path.replace(/\?.*$/, "");
    if (path === "/v1/models") {
      const { models = ["scripted"] } = options;
      const data = models.map((id) => ({ id, object: "model", created: 1_780_000_000, owned_by: "testkit" }));
      return { json: { object: "list", data } };
    }
    if (path === "/v1/embeddings") return embeddings(request, options.embed ?? hashedWords);
    if (path !== "/v1/chat/completions") return failure(404, `Unknown path ${path}`);
    const chat: ModelRequest = { stream: false, ...JSON.parse(request.text) };
    const attempt = chats.push(chat) - 1;
    const reply = typeof script === "function" ? await script(chat, attempt) : (script[attempt] ?? script.at(-1) ?? {});
    return chatReply(chat, reply);
  });
  return { url: `${server.url}/v1`, chats, server, close: () => server.close() };
}

function chatReply(chat: ModelRequest, reply: ModelReply): Reply {
  if (reply.stall === "before-head") return { stall: "before-head" };
  if (reply.garbage !== undefined) {
    const type = chat.stream ? "text/event-stream" : "application/json";
    return { status: reply.status ?? 200, headers: { "content-type": type }, body: reply.garbage };
  }
  if (reply.status !== undefined && reply.status !== 200)
    return failure(reply.status, "Scripted failure", reply.retryAfter);
  return chat.stream ? streamed(chat, reply) : complete(chat, reply);
}

function streamed(chat: ModelRequest, reply: ModelReply): Reply {
  const frame = (delta: object, finish: string | null = null): Chunk => {
    const choice = { index: 0, delta, finish_reason: finish };
    return event({ ...envelope(chat, "chat.completion.chunk"), choices: [choice] }, reply.everyMs);
  };
  const spoken = [frame({ role: "assistant", content: "" }), ...deltas(reply).map((content) => frame({ content }))];
  const called = (reply.calls ?? []).flatMap((call, index) => {
    const { id, function: fn } = wireCall(call, index);
    const half = Math.ceil(fn.arguments.length / 2);
    return [
      frame({ tool_calls: [{ index, id, type: "function", function: { name: fn.name, arguments: "" } }] }),
      frame({ tool_calls: [{ index, function: { arguments: fn.arguments.slice(0, half) } }] }),
      frame({ tool_calls: [{ index, function: { arguments: fn.arguments.slice(half) } }] }),
    ];
  });
  const ending = [frame({}, finishReason(reply))];
  const { include_usage } = { ...(chat["stream_options"] as { include_usage?: unknown } | undefined) };
  if (include_usage === true)
    ending.push(event({ ...envelope(chat, "chat.completion.chunk"), choices: [], usage: usage(reply) }));
  ending.push({ bytes: Buffer.from("data: [DONE]\n\n") });

  const base: Reply = { headers: { "content-type": "text/event-stream" }, framing: "chunked" };
  if (reply.stall === "after-head") return { ...base, stall: "after-head" };
  if (reply.stall === "before-end") {
    const body = [...spoken, ...called];
    return { ...base, body, stall: { afterBody: lengthOf(body) } };
  }
  if (reply.cutAfter !== undefined) {
    const body = [...spoken, ...called].slice(0, reply.cutAfter + 1);
    return { ...base, body, drop: { at: lengthOf(body), of: "body", how: "reset" } };
  }
  return { ...base, body: [...spoken, ...called, ...ending] };
}

function complete(chat: ModelRequest, reply: ModelReply): Reply {
  const calls = reply.calls?.map((call, index) => wireCall(call, index));
  const content = reply.text === undefined ? null : deltas(reply).join("");
  const message = { role: "assistant", content, ...(calls === undefined ? {} : { tool_calls: calls }) };
  const choices = [{ index: 0, message, finish_reason: finishReason(reply) }];
  const body = JSON.stringify({ ...envelope(chat, "chat.completion"), choices, usage: usage(reply) });
  if (reply.stall !== undefined) return { body, stall: "after-head" };
  if (reply.cutAfter !== undefined)
    return { body, drop: { at: Math.floor(body.length / 2), of: "body", how: "reset" } };
  return { body };
}

function deltas({ text = [] }: ModelReply): readonly string[] {
  return typeof text === "string" ? (text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) : text;
}

function wireCall(call: ModelToolCall, index: number) {
  const text = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
  return { id: call.id ?? `call_${index}`, type: "function", function: { name: call.name, arguments: text } };
}

function finishReason(reply: ModelReply): string {
  return reply.finishReason ?? (reply.calls === undefined ? "stop" : "tool_calls");
}

function envelope(chat: ModelRequest, object: string) {
  return { id: "chatcmpl-scripted", object, created: 1_780_000_000, model: chat.model };
}

function usage(reply: ModelReply) {
  const completion_tokens = deltas(reply).length;
  return { prompt_tokens: 1, completion_tokens, total_tokens: 1 + completion_tokens };
}

function event(value: object, afterMs?: number): Chunk {
  return { bytes: Buffer.from(`data: ${JSON.stringify(value)}\n\n`), ...(afterMs === undefined ? {} : { afterMs }) };
}

function lengthOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
}

function failure(status: number, message: string, retryAfter?: number): Reply {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return { status, headers, json: { error: { message, type: "scripted_failure", param: null, code: null } } };
}

function embeddings(request: RecordedRequest, embed: (text: string) => readonly number[]): Reply {
  const asked: { input: string | string[]; model: string; encoding_format?: string } = JSON.parse(request.text);
  const data = [asked.input].flat().map((text, index) => {
    const vector = embed(text);
    // The openai library asks for base64 of little-endian 32-bit floats unless told otherwise.
    const embedding =
      asked.encoding_format === "base64" ? Buffer.from(new Float32Array(vector).buffer).toString("base64") : vector;
    return { object: "embedding", index, embedding };
  });
  return { json: { object: "list", data, model: asked.model, usage: { prompt_tokens: 1, total_tokens: 1 } } };
}

function hashedWords(text: string): number[] {
  const vector: number[] = Array.from({ length: 64 }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const slot = (seedOf(word) >>> 0) % 64;
    vector[slot] = (vector[slot] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((number) => number / length);
}
