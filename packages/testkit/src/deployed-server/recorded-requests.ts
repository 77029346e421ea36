import { expect } from "vitest";
import type { Exchange } from "../servers/exchanges.ts";
import type { AnswerPart } from "./answer/answer-script.ts";
import type { DeployedServer } from "./deployed-server.ts";
import { linesOf } from "./exchange-shape.ts";
import type { ShownDocument } from "./world/search-document.ts";
import { customTool } from "./world/tools.ts";

type Json = Record<string, unknown>;

/** The script that has the double write an answer like the recorded one. */
function scriptOf(lines: readonly unknown[]): AnswerPart[] {
  const parts: AnswerPart[] = [];
  let [searched, args]: [boolean, Json] = [false, {}];
  for (const line of lines) {
    const { obj, error, error_code } = line as { obj?: Json; error?: string; error_code?: string };
    if (error !== undefined) parts.push({ error: error_code ?? "", message: error });
    const documents = (obj?.["documents"] ?? obj?.["final_documents"]) as ShownDocument[] | null | undefined;
    const text = String(obj?.["content"] ?? "");
    switch (obj?.["type"]) {
      case "message_start":
        if (documents && !searched) parts.push({ given: documents });
        searched = searched || Boolean(documents);
        break;
      case "message_delta": {
        const cited = [...text.matchAll(/\[\[(\d+)\]\]\(/g)].map(([, number]) => number);
        parts.push(cited.length > 0 ? `[${cited.join(", ")}]` : { piece: text });
        break;
      }
      case "search_tool_documents_delta":
        parts.push({ found: documents ?? [] });
        searched = true;
        break;
      case "custom_tool_args":
        args = obj["tool_args"] as Json;
        break;
      case "custom_tool_delta":
        parts.push({ tool: "getPet", args, gives: obj["data"] });
        break;
      case "error":
        parts.push({ tool: "getPet", args, fails: true });
        break;
      case "memory_tool_delta":
        parts.push({ remember: String(obj["memory_text"]) });
        break;
      case "reasoning_done":
        parts.push({ reasoning: "one more to go" });
        break;
      default:
    }
  }
  return parts;
}

/** Keys of the recordings, as the double has them; a key without an account stays what it is. */
function keysFor(server: DeployedServer): Record<string, string> {
  return {
    on_TESTKEY_ADMIN: server.keys.service,
    on_TESTKEY_BASIC: server.addKey({ user: "basic", accountType: "SERVICE_ACCOUNT" }),
    on_TESTKEY_NOGROUP: server.addKey({
      user: "nogroup",
      accountType: "SERVICE_ACCOUNT",
      permissions: ["add:agents", "read:chat", "write:chat"],
    }),
    onyx_pat_TESTPAT_CHAT: server.keys.scoped,
  };
}

/** What a request says in place of what was recorded, because the double's numbers are others. */
interface Prepared {
  path?: string;
  body?: unknown;
}

/** Sends one request as the recording has it, with the double's own keys. */
export async function send(server: DeployedServer, { request, name }: Exchange, prepared: Prepared): Promise<Response> {
  const headers = { ...request.headers };
  for (const [recorded, own] of Object.entries(keysFor(server)))
    headers["authorization"] = headers["authorization"]?.replace(recorded, own) ?? "";
  if (request.headers["authorization"] === undefined) delete headers["authorization"];
  const sent = prepared.body ?? request.body;
  const init: RequestInit = { method: request.method, headers, redirect: "manual" };
  if (request.multipart !== undefined) {
    delete headers["content-type"];
    init.body = formOf(request.multipart);
  } else if (request.bodyText !== undefined) init.body = request.bodyText;
  else if (sent !== undefined) init.body = JSON.stringify(sent);
  const atOrigin = /^(html|proxy)-/.test(name);
  return fetch((atOrigin ? server.origin : server.url) + (prepared.path ?? request.path), init);
}

function formOf(parts: NonNullable<Exchange["request"]["multipart"]>): FormData {
  const form = new FormData();
  for (const { name, text = "", base64, filename, contentType = "" } of parts) {
    const bytes = base64 === undefined ? text : Buffer.from(base64, "base64");
    if (filename === undefined) form.append(name, text);
    else form.append(name, new File([bytes], filename, { type: contentType }));
  }
  return form;
}

/** Where questions go. */
const chat = "/chat/send-chat-message";

/** A session with one answered question, and what to ask on with. */
async function conversation(server: DeployedServer, key = server.keys.service) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ message: "How is leave accrued?", stream: false });
  server.answerNext("Leave is accrued monthly.");
  const reply = await (await fetch(server.url + chat, { method: "POST", headers, body })).json();
  const { chat_session_id, message_id } = reply as { chat_session_id: string; message_id: number };
  return { session: chat_session_id, answer: message_id };
}

/** What must be so before some of the requests, and how they are told what the double's numbers are. */
const preparations: Record<string, (server: DeployedServer, exchange: Exchange) => Promise<Prepared> | Prepared> = {
  "auth-anonymous": (server) => {
    server.settings.allowAnonymous = true;
    return {};
  },
  "err-429": (server) => {
    server.faults.rateLimit = { resetAt: new Date(Date.now() + 3_600_000) };
    return {};
  },
  "chat-json-followup": async (server, { request }) => {
    const { session } = await conversation(server);
    return { body: { ...(request.body as Json), chat_session_id: session } };
  },
  "chat-stream-citations": (_server, { request }) => ({
    body: { ...(request.body as Json), chat_session_info: undefined },
  }),
  "chat-stream-citations-followup": async (server, { request }) => {
    const { session } = await conversation(server);
    return { body: { ...(request.body as Json), chat_session_id: session } };
  },
  "chat-stream-followup-parent": async (server, { request }) => {
    const { session, answer } = await conversation(server);
    return { body: { ...(request.body as Json), chat_session_id: session, parent_message_id: answer } };
  },
  "chat-stream-regenerate": async (server, { request }) => {
    const { session, answer } = await conversation(server);
    return { body: { ...(request.body as Json), chat_session_id: session, parent_message_id: answer - 1 } };
  },
  "chat-stream-resume-none": async (server) => {
    server.settings.bufferMs = 0;
    const { session } = await conversation(server);
    return { path: `/chat/chat-session/${session}/resume-stream?cursor=0` };
  },
  "chat-stream-resume": async (server) => {
    const { session } = await conversation(server);
    server.answerNext(["Once ", "twice"]);
    return { path: `/chat/chat-session/${session}/resume-stream?cursor=0` };
  },
  "chat-json-citations-off": (_server, { request }) => ({
    body: { ...(request.body as Json), chat_session_info: undefined },
  }),
  "chat-json-stopped": (server, { request }) => {
    void stopOnceAsked(server);
    return { body: { ...(request.body as Json), chat_session_id: undefined } };
  },
  "chat-stream-stopped": (server) => {
    void stopOnceAsked(server);
    return {};
  },
  "session-delete": async (server) => ({
    path: `/chat/delete-chat-session/${(await conversation(server)).session}`,
  }),
  "session-stop-idle": async (server) => ({
    path: `/chat/stop-chat-session/${(await conversation(server)).session}`,
  }),
  "session-get-foreign": async (server) => ({
    path: `/chat/get-chat-session/${(await conversation(server, server.keys.admin)).session}`,
  }),
  "session-get": async (server) => ({ path: `/chat/get-chat-session/${(await conversation(server)).session}` }),
  "session-get-stopped": async (server) => {
    const { session } = await answering(server);
    await fetch(`${server.url}/chat/stop-chat-session/${session}`, { method: "POST", headers: serviceKey(server) });
    await expect.poll(() => server.questions[0]?.outcome).toBe("stopped");
    return { path: `/chat/get-chat-session/${session}` };
  },
  "session-get-not-uuid": () => ({}),
  "session-get-running": async (server) => ({ path: `/chat/get-chat-session/${(await answering(server)).session}` }),
  "session-list": async (server) => {
    for (let count = 0; count < 6; count++) await conversation(server);
    return {};
  },
  feedback: async (server, { request, name }) => {
    const { answer } = await conversation(server);
    const id = name === "feedback-unknown" ? 999_999 : name === "feedback-user-message" ? answer - 1 : answer;
    return { body: { ...(request.body as Json), chat_message_id: id } };
  },
  "ingest-lite": (server) => {
    server.faults.ingestion = "missing";
    return {};
  },
  "misc-search-lite": (server) => {
    server.faults.ingestion = "missing";
    return {};
  },
  "misc-connector-status-lite": (server) => {
    server.faults.ingestion = "missing";
    return {};
  },
  "ingest-embed-failure": (server) => {
    server.faults.embedder = "down";
    return {};
  },
  "ingest-unchanged": async (server, exchange) => {
    await send(server, exchange, {});
    return {};
  },
  "ingest-user-file-id": async (server, { request }) => {
    const form = new FormData();
    form.append("files", new File(["text"], "a.txt", { type: "text/plain" }));
    const init = { method: "POST", headers: serviceKey(server), body: form };
    const reply = await (await fetch(`${server.url}/user/projects/file/upload`, init)).json();
    const [file] = (reply as { user_files: { id: string }[] }).user_files;
    const { document } = request.body as { document: Json };
    return { body: { document: { ...document, id: file?.id } } };
  },
  "ingest-delete": (server) => {
    server.addDocument({ id: "leave-59072", text: "Leave." });
    return {};
  },
  "ingest-delete-again": () => ({}),
  "html-dev-only-json-404": (server, { request }) => {
    server.settings.frontEnd = "unproxied";
    return { path: `/api${request.path}` };
  },
  "proxy-wrong-base": (server) => {
    server.settings.frontEnd = "down";
    return {};
  },
};

function serviceKey(server: DeployedServer): Record<string, string> {
  return { authorization: `Bearer ${server.keys.service}` };
}

/** A session in which an answer is being written, until the test ends. */
async function answering(server: DeployedServer): Promise<{ session: string }> {
  server.answerNext(["One two", { until: new Promise(() => {}) }]);
  const headers = { ...serviceKey(server), "content-type": "application/json" };
  await fetch(server.url + chat, { method: "POST", headers, body: JSON.stringify({ message: "Short story please" }) });
  return { session: server.questions[0]?.sessionId ?? "" };
}

/** Has the next answer wait, and stops it once it does. */
async function stopOnceAsked(server: DeployedServer): Promise<void> {
  server.answerNext(["One two ", { until: new Promise(() => {}) }]);
  await expect.poll(() => server.questions.length).toBe(1);
  const path = `/chat/stop-chat-session/${server.questions[0]?.sessionId}`;
  await fetch(server.url + path, { method: "POST", headers: serviceKey(server) });
}

/** Brings the double where the real server was when this was recorded. */
export async function prepare(server: DeployedServer, exchange: Exchange): Promise<Prepared> {
  const { name, request } = exchange;
  const kind = Object.keys(preparations).find((start) => name.startsWith(`${start}-`)) ?? "";
  const prepared = (await (preparations[name] ?? preparations[kind])?.(server, exchange)) ?? {};
  if (request.path.endsWith(chat)) prepareAnswer(server, exchange);
  return prepared;
}

/** Sets the double up to answer like the recorded stream, or like the stream a recorded whole answer came from. */
function prepareAnswer(server: DeployedServer, { response, request }: Exchange): void {
  server.tools.splice(
    3,
    1,
    customTool(12, "getPet", () => ({ id: 1 })),
  );
  if (response.status !== 200) return;
  const text = Buffer.from(response.body).toString("utf8");
  const whole = (request.body as Json)["stream"] === false;
  server.answerNext(whole ? wholeScript(JSON.parse(text)) : scriptOf(linesOf(text)));
}

interface WholeAnswer {
  answer: string;
  tool_calls: { tool_arguments: Json; search_docs: ShownDocument[] | null }[];
  error_msg: string | null;
  pre_answer_reasoning: string | null;
}

/** The script of an answer that was recorded in one piece. */
function wholeScript({ answer, tool_calls, error_msg, pre_answer_reasoning }: WholeAnswer): AnswerPart[] {
  const calls = tool_calls.map(({ tool_arguments: args, search_docs: found }): AnswerPart =>
    found === null ? { tool: "getPet", args } : { found },
  );
  const reasoning: AnswerPart[] = pre_answer_reasoning === null ? [] : [{ reasoning: pre_answer_reasoning }];
  const texts = answer === "" ? [] : [answer.replace(/\[\[(\d+)\]\]\([^)]*\)+/g, "[$1]")];
  const error: AnswerPart[] = error_msg === null ? [] : [{ error: "RATE_LIMIT", message: error_msg }];
  return [...calls.slice(0, 1), ...reasoning, ...calls.slice(1), ...texts, ...error];
}
