import { expect } from "vitest";
import type { Exchange } from "../servers/exchanges.ts";
import type { AnswerPart } from "./answer/answer-script.ts";
import type { DeployedServer } from "./deployed-server.ts";
import { ask, call, told } from "./routes/calling.ts";
import { linesOf } from "./exchange-shape.ts";
import type { ShownDocument } from "./world/search-document.ts";
import { customTool } from "./world/tools.ts";

type Json = Record<string, unknown>;

/** The script that has the double write an answer like the recorded one. */
function scriptOf(lines: readonly unknown[]): AnswerPart[] {
  let [searched, args]: [boolean, Json] = [false, {}];
  const kinds: Record<string, (obj: Json, documents: ShownDocument[] | undefined) => AnswerPart[]> = {
    message_start(_obj, documents) {
      const given = documents !== undefined && !searched ? [{ given: documents }] : [];
      searched ||= documents !== undefined;
      return given;
    },
    message_delta({ content }) {
      const cited = [...String(content).matchAll(/\[\[(\d+)\]\]\(/g)].map(([, number]) => number);
      return [cited.length > 0 ? `[${cited.join(", ")}]` : { piece: String(content) }];
    },
    search_tool_documents_delta(_obj, documents = []) {
      searched = true;
      return [{ found: documents }];
    },
    custom_tool_args({ tool_args }) {
      args = tool_args as Json;
      return [];
    },
    custom_tool_delta: ({ data }) => [{ tool: "getPet", args, gives: data }],
    error: () => [{ tool: "getPet", args, fails: true }],
    memory_tool_delta: ({ memory_text }) => [{ remember: String(memory_text) }],
    reasoning_done: () => [{ reasoning: "one more to go" }],
  };
  return lines.flatMap((line): AnswerPart[] => {
    const { obj = {}, error, error_code } = line as { obj?: Json; error?: string; error_code?: string };
    if (error !== undefined) return [{ error: error_code ?? "", message: error }];
    const documents = (obj["documents"] ?? obj["final_documents"] ?? undefined) as ShownDocument[] | undefined;
    return kinds[String(obj["type"])]?.(obj, documents) ?? [];
  });
}

/** Keys of the recordings, as the double has them; a key without an account stays what it is. */
function keysFor(server: DeployedServer): Record<string, string> {
  const accountType = "SERVICE_ACCOUNT";
  const permissions = ["add:agents", "read:chat", "write:chat"];
  return {
    on_TESTKEY_ADMIN: server.keys.service,
    on_TESTKEY_BASIC: server.addKey({ user: "basic", accountType }),
    on_TESTKEY_NOGROUP: server.addKey({ user: "nogroup", accountType, permissions }),
    onyx_pat_TESTPAT_CHAT: server.keys.scoped,
  };
}

/** What a request says in place of what was recorded, because the double's numbers are others. */
interface Prepared {
  path?: string;
  /** Fields of the body. */
  body?: Json;
}

/** Sends one request as the recording has it, with the double's own keys. */
export async function send(server: DeployedServer, { request, name }: Exchange, prepared: Prepared): Promise<Response> {
  const { authorization, ...headers } = request.headers;
  if (authorization !== undefined)
    headers["authorization"] = Object.entries(keysFor(server)).reduce(
      (text, [recorded, own]) => text.replace(recorded, own),
      authorization,
    );
  const init: RequestInit = { method: request.method, headers, redirect: "manual" };
  if (request.multipart !== undefined) {
    delete headers["content-type"];
    init.body = formOf(request.multipart);
  } else if (request.bodyText !== undefined) init.body = request.bodyText;
  else if (prepared.body !== undefined) init.body = JSON.stringify({ ...(request.body as Json), ...prepared.body });
  else if (request.body !== undefined) init.body = JSON.stringify(request.body);
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
  server.answerNext("Leave is accrued monthly.");
  const { body } = await told(ask(server, "How is leave accrued?", { key, stream: false }));
  const { chat_session_id, message_id } = body as { chat_session_id: string; message_id: number };
  return { session: chat_session_id, answer: message_id };
}

/** Brings a double where the real server was, and says how a request is told what the double's numbers are. */
type Preparation = (server: DeployedServer, exchange: Exchange) => Promise<Prepared | void> | Prepared | void;

/** A question in a conversation that there is. */
function followUp(more: (answer: number) => Json = () => ({})): Preparation {
  return async (server) => {
    const { session, answer } = await conversation(server);
    return { body: { chat_session_id: session, ...more(answer) } };
  };
}

/** A path of a conversation that there is. */
function ofSession(path: string, key: "admin" | "service" = "service"): Preparation {
  return async (server) => ({ path: path.replace("{}", (await conversation(server, server.keys[key])).session) });
}

const withoutSearch: Preparation = (server) => {
  server.faults.ingestion = "missing";
};
const inNoSession: Preparation = () => ({ body: { chat_session_info: undefined } });
const asRecorded: Preparation = () => {};

const preparations: Record<string, Preparation> = {
  "auth-anonymous": (server) => {
    server.settings.allowAnonymous = true;
  },
  "err-429": (server) => {
    server.faults.rateLimit = { resetAt: new Date(Date.now() + 3_600_000) };
  },
  "chat-json-followup": followUp(),
  "chat-stream-citations": inNoSession,
  "chat-stream-citations-followup": followUp(),
  "chat-stream-followup-parent": followUp((answer) => ({ parent_message_id: answer })),
  "chat-stream-regenerate": followUp((answer) => ({ parent_message_id: answer - 1 })),
  "chat-stream-resume-none": (server, exchange) => {
    server.settings.bufferMs = 0;
    return ofSession("/chat/chat-session/{}/resume-stream?cursor=0")(server, exchange);
  },
  "chat-stream-resume": ofSession("/chat/chat-session/{}/resume-stream?cursor=0"),
  "chat-json-citations-off": inNoSession,
  "chat-json-stopped": (server) => {
    void stopOnceAsked(server);
    return { body: { chat_session_id: undefined } };
  },
  "chat-stream-stopped": (server) => void stopOnceAsked(server),
  "session-delete": ofSession("/chat/delete-chat-session/{}"),
  "session-stop-idle": ofSession("/chat/stop-chat-session/{}"),
  "session-get-foreign": ofSession("/chat/get-chat-session/{}", "admin"),
  "session-get": ofSession("/chat/get-chat-session/{}"),
  "session-get-stopped": async (server) => {
    const session = await answering(server);
    await call(server, "POST", `/chat/stop-chat-session/${session}`, { key: server.keys.service });
    await expect.poll(() => server.questions[0]?.outcome).toBe("stopped");
    return { path: `/chat/get-chat-session/${session}` };
  },
  "session-get-not-uuid": asRecorded,
  "session-get-running": async (server) => ({ path: `/chat/get-chat-session/${await answering(server)}` }),
  "session-list": async (server) => {
    for (let count = 0; count < 6; count++) await conversation(server);
  },
  feedback: async (server, { name }) => {
    const { answer } = await conversation(server);
    const id = name === "feedback-unknown" ? 999_999 : name === "feedback-user-message" ? answer - 1 : answer;
    return { body: { chat_message_id: id } };
  },
  "ingest-lite": withoutSearch,
  "misc-search-lite": withoutSearch,
  "misc-connector-status-lite": withoutSearch,
  "ingest-embed-failure": (server) => {
    server.faults.embedder = "down";
  },
  "ingest-unchanged": async (server, exchange) => void (await send(server, exchange, {})),
  "ingest-user-file-id": async (server, { request }) => {
    const form = new FormData();
    form.append("files", new File(["text"], "a.txt", { type: "text/plain" }));
    const headers = { authorization: `Bearer ${server.keys.service}` };
    await fetch(`${server.url}/user/projects/file/upload`, { method: "POST", headers, body: form });
    const { document } = request.body as { document: Json };
    return { body: { document: { ...document, id: [...server.uploads.keys()][0] } } };
  },
  "ingest-delete": (server) => server.addDocument({ id: "leave-59072", text: "Leave." }),
  "ingest-delete-again": asRecorded,
  "html-dev-only-json-404": (server, { request }) => {
    server.settings.frontEnd = "unproxied";
    return { path: `/api${request.path}` };
  },
  "proxy-wrong-base": (server) => {
    server.settings.frontEnd = "down";
  },
};

/** A session in which an answer is being written, until the test ends. */
async function answering(server: DeployedServer): Promise<string> {
  server.answerNext(["One two", { until: new Promise(() => {}) }]);
  await ask(server, "Short story please", { key: server.keys.service });
  return server.questions[0]?.sessionId ?? "";
}

/** Has the next answer wait, and stops it once it does. */
async function stopOnceAsked(server: DeployedServer): Promise<void> {
  server.answerNext(["One two ", { until: new Promise(() => {}) }]);
  await expect.poll(() => server.questions.length).toBe(1);
  await call(server, "POST", `/chat/stop-chat-session/${server.questions[0]?.sessionId}`, { key: server.keys.service });
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
  const getPet = customTool(12, "getPet", () => ({ id: 1 }));
  server.tools.splice(3, 1, getPet);
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
