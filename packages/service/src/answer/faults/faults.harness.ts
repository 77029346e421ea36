import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type ModelReply, startScriptedModel } from "@threadlore/testkit";
import { type ChatSubject, openChat } from "../../chat.harness.ts";
import { OWNER_KEY, overSocket } from "../../service.harness.ts";

export const QUESTION = { message: "How many days of leave do employees get?" };
/** How the question is answered without a model. */
export const EXTRACTED = "Employees accrue 27 days of paid leave per year. [[1]](https://docs.example.com/leave)";

/** A service with one document and a model that follows a script. */
export async function openWithModel(
  script: readonly ModelReply[],
  options: Parameters<typeof openChat>[0] = {},
  carrier: Parameters<typeof openChat>[2] = undefined,
) {
  const model = await startScriptedModel(script);
  const chat = await openChat({ model: { baseUrl: model.url, name: "scripted" }, ...options }, undefined, carrier);
  await chat.ingest("leave", "Employees accrue 27 days of paid leave per year. Unused days expire on 31 March.");
  const close = async () => {
    await chat.close();
    await model.close();
  };
  return { model, chat, close };
}

/** Sends a question and reads until `text` came; the response stays open. */
export async function readUntil(
  chat: Pick<ChatSubject, "url" | "fetch">,
  text: string,
  request: object,
  signal?: AbortSignal,
) {
  const headers = { authorization: `Bearer ${OWNER_KEY}`, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(request), signal };
  const response = await chat.fetch(`${chat.url}/chat/send-chat-message`, init);
  const reader = response.body?.getReader();
  if (reader === undefined) throw new Error("no body");
  const decoder = new TextDecoder();
  let seen = "";
  const more = async () => {
    const { done, value } = await reader.read();
    if (!done) seen += decoder.decode(value, { stream: true });
    return !done;
  };
  while (!seen.includes(text) && (await more()));
  const rest = async () => {
    while (await more());
    return seen;
  };
  const sessionId = /"chat_session_id":"([^"]+)"/.exec(seen)?.[1] ?? "";
  return { reader, rest, sessionId };
}

/** The newest message of a session, as its owner reads it. */
export const lastMessage = async (chat: ChatSubject, sessionId: string) => {
  const { body } = await chat.call("GET", `/chat/get-chat-session/${sessionId}`);
  return (body as { messages: { message: string; status: string; error: string | null }[] }).messages.at(-1);
};

/** What many aborted answers left behind. */
interface AbortReport {
  /** Connections to the model that are still open. */
  readonly connections: number;
  /** Growth of the process from the first quarter of the rounds to the end. */
  readonly grownBytes: number;
  readonly grownHandles: number;
  readonly lastStatus: string | undefined;
}

/** Asks over a socket and vanishes in the middle of the answer, over and over, on one session. */
export async function abortMany(times: number): Promise<AbortReport> {
  const { chat, model, close } = await openWithModel([{ text: "word ".repeat(200), everyMs: 5 }], {}, overSocket);
  let sessionId = "";
  let settled = { bytes: 0, handles: 0 };
  for (let round = 0; round < times; round++) {
    if (round === Math.floor(times / 4)) settled = await usage();
    const gone = new AbortController();
    const request = sessionId === "" ? QUESTION : { ...QUESTION, chat_session_id: sessionId };
    const opened = await readUntil(chat, round % 2 === 0 ? "message_delta" : "user_message_id", request, gone.signal);
    sessionId ||= opened.sessionId;
    gone.abort();
    // What the scripted model recorded is its own to keep, and would look like a leak.
    if (round % 50 === 0) for (const recorded of [model.chats, model.server.requests]) recorded.splice(0);
  }
  // A connection that was opened for a call aborted at once stays in the pool until it has been idle for 4 s.
  for (const until = performance.now() + 8_000; model.server.openConnections > 0 && performance.now() < until;)
    await delay(20);
  const { bytes, handles } = await usage();
  const report = {
    connections: model.server.openConnections,
    grownBytes: bytes - settled.bytes,
    grownHandles: handles - settled.handles,
    lastStatus: (await lastMessage(chat, sessionId))?.status,
  };
  await close();
  return report;
}

const COLLECTIONS = 10;

/**
 * What the process holds. Whatever is watched for its end (bodies of replies, their buffers) goes only once the event loop
 * went on after a collection, and may free more by going: it is collected several times, and the least of them is meant.
 */
async function usage(): Promise<{ bytes: number; handles: number }> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  let bytes = Number.POSITIVE_INFINITY;
  for (let time = 0; time < COLLECTIONS; time++) {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    bytes = Math.min(bytes, heapUsed + external);
    await delay(20);
  }
  return { bytes, handles: process.getActiveResourcesInfo().length };
}
