import { type Chunk, type RecordedRequest, type Reply, startFaultServer } from "@threadlore/testkit";
import type { ExtensionBrowser } from "../../testing/chromium.ts";

/** What a scripted answer says. */
export interface ScriptedAnswer {
  /** Markdown, sent in pieces of `piece` characters. */
  readonly text: string;
  /** Default 8. */
  readonly piece?: number;
  /** Pause before each piece, milliseconds. Default 0. */
  readonly everyMs?: number;
  /** What is waited for before the last piece; where that is the only one, before anything is said. Default: nothing. */
  readonly heldBy?: Promise<unknown>;
  /** Documents that were found, by number from 1; each is tied to its number. */
  readonly documents?: readonly ScriptedDocument[];
  /** How it stands to its question, as the embedded service says it. */
  readonly finding?: object;
  /** The stream ends without a word of the answer's end. */
  readonly isCut?: boolean;
  /** An error line instead of the end. */
  readonly error?: { readonly message: string; readonly code: string };
}

/** A document that was found. */
export interface ScriptedDocument {
  readonly id: string;
  readonly title: string;
  readonly link: string;
  readonly passage: string;
}

/** A service that says exactly what a test wants. */
export interface ScriptedService {
  readonly url: string;
  /** Bodies of the questions that came, oldest first. */
  readonly questions: readonly Record<string, unknown>[];
  /** Judgements that came. */
  readonly judgements: readonly Record<string, unknown>[];
  /** Sessions somebody asked to stop. */
  readonly stopped: readonly string[];
  /** Paths of everything that came, oldest first. */
  readonly paths: readonly string[];
  close(): Promise<void>;
}

const SESSION = "3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f";
const place = { turn_index: 0, tab_index: 0, sub_turn_index: null, model_index: null };

/**
 * Starts it. `answer` is asked for every question; a reply of its own (a status, say) is sent as it is. `also` comes before all
 * else that is no question, for what only one test is about.
 */
export async function startScriptedService(
  answer: (question: Record<string, unknown>, number: number) => ScriptedAnswer | Reply,
  also: (request: RecordedRequest) => Reply | undefined = () => undefined,
): Promise<ScriptedService> {
  const questions: Record<string, unknown>[] = [];
  const judgements: Record<string, unknown>[] = [];
  const stopped: string[] = [];
  const paths: string[] = [];
  const respond = (request: RecordedRequest): Reply => {
    const path = request.path.split("?")[0] ?? "";
    paths.push(path);
    if (request.method === "OPTIONS") return { status: 204 };
    const own = also(request);
    if (own !== undefined) return own;
    // As servers say it that have a model and know no other way to answer.
    if (path === "/me") return { json: { id: "u1", role: "basic" } };
    if (path === "/health") return { json: { success: true, message: "ok", data: null } };
    if (path === "/tool")
      return {
        json: [
          { id: 1, name: "search", in_code_tool_id: "SearchTool" },
          { id: 2, name: "desk" },
        ],
      };
    if (path === "/chat/get-user-chat-sessions") return { json: { sessions: [] } };
    if (path.startsWith("/chat/stop-chat-session/")) {
      stopped.push(path.slice(path.lastIndexOf("/") + 1));
      return { json: { message: "Chat session stopped" } };
    }
    if (path === "/chat/create-chat-message-feedback") {
      judgements.push(JSON.parse(request.text) as Record<string, unknown>);
      return { json: null };
    }
    if (path !== "/chat/send-chat-message") return { status: 404, json: { detail: "Not Found" } };
    const question = JSON.parse(request.text) as Record<string, unknown>;
    questions.push(question);
    const scripted = answer(question, questions.length);
    return "text" in scripted ? { framing: "chunked", ...streamOf(scripted, questions.length) } : scripted;
  };
  const server = await startFaultServer((request) => withAccess(request, respond(request)));
  return { url: server.url, questions, judgements, stopped, paths, close: () => server.close() };
}

/** Sets the extension up with it, as the person would. */
export async function useScriptedService(
  browser: ExtensionBrowser,
  service: Pick<ScriptedService, "url">,
  settings: Record<string, unknown> = {},
): Promise<void> {
  const worker = await browser.worker();
  await worker.evaluate(
    async ([url, chosen]) => {
      const { chrome } = globalThis as unknown as {
        chrome: { storage: { local: { set(values: object): Promise<void> } } };
      };
      await chrome.storage.local.set({
        settings: { version: 1, baseUrl: url, pairId: 1, pairName: "Pages", pairIsPublic: false, ...chosen },
        keys: { origin: url, askKey: "tl_TEST_panel", ingestKey: "" },
      });
    },
    [service.url, settings] as const,
  );
}

/** What a service sends that lets the extension in. */
function withAccess(request: RecordedRequest, reply: Reply): Reply {
  const access = {
    "access-control-allow-origin": request.headers["origin"] ?? "*",
    "access-control-allow-headers": "authorization, content-type",
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
  };
  return { ...reply, headers: { "content-type": "application/json", ...reply.headers, ...access } };
}

function streamOf(
  { text, piece = 8, everyMs = 0, heldBy, documents = [], finding, isCut, error }: ScriptedAnswer,
  number: number,
): Reply {
  const found = documents.map(({ id, title, link, passage }) => ({
    document_id: id,
    semantic_identifier: title,
    link,
    blurb: passage,
    source_type: "web",
    updated_at: "2026-10-02T10:00:00Z",
  }));
  const opening = [
    { chat_session_id: SESSION },
    { user_message_id: number * 2, reserved_assistant_message_id: number * 2 + 1 },
    ...(found.length === 0
      ? []
      : [
          packet({ type: "search_tool_start" }),
          packet({ type: "search_tool_queries_delta", queries: ["what was asked"] }),
          packet({ type: "search_tool_documents_delta", documents: found }),
          packet({ type: "section_end" }),
        ]),
    packet({ type: "message_start", final_documents: found, finding }),
    ...found.map(({ document_id }, index) =>
      packet({ type: "citation_info", citation_number: index + 1, document_id }),
    ),
  ];
  const pieces: Chunk[] = [];
  for (let at = 0; at < text.length; at += piece) {
    const content = text.slice(at, at + piece);
    pieces.push({
      bytes: lines([packet({ type: "message_delta", content })]),
      ...(everyMs > 0 ? { afterMs: everyMs } : {}),
      ...(heldBy !== undefined && at + piece >= text.length ? { after: heldBy } : {}),
    });
  }
  const end =
    error === undefined
      ? isCut === true
        ? []
        : [packet({ type: "stop" })]
      : [{ error: error.message, error_code: error.code, is_retryable: true }];
  const body =
    everyMs > 0 || heldBy !== undefined
      ? [{ bytes: lines(opening), after: text.length <= piece ? heldBy : undefined }, ...pieces, { bytes: lines(end) }]
      : joined([lines(opening), ...pieces.map(({ bytes }) => bytes), lines(end)]);
  return { headers: { "content-type": "text/event-stream; charset=utf-8" }, body };
}

const packet = (obj: object) => ({ placement: place, obj });
const lines = (values: readonly unknown[]): Uint8Array =>
  new TextEncoder().encode(values.map((value) => `${JSON.stringify(value)}\n`).join(""));

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}
