/** What somebody sends who looks around in a company, by every way there is, and what of a reply tells one person from another. */
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import type { Service } from "../index.ts";
import type { Corpus, Kept, Rights } from "./people-plan.harness.ts";

/** Ways by which somebody looks. */
export type Way = "search" | "answer" | "listing" | "document" | "session" | "mcp" | "panel";

/** An extension that was paired. */
export const PANEL_ORIGIN = `chrome-extension://${"p".repeat(32)}`;

/** What was answered. */
export interface Told {
  readonly status: number;
  readonly text: string;
}

/** A request, or some that belong together. */
export interface Asked {
  readonly way: Way;
  /** As it is named in what is found. */
  readonly to: string;
  /** What has to be in the reply. */
  readonly sought?: Kept | undefined;
  send(service: Service, key: string): Promise<Told>;
}

/** One request, and its reply without what is drawn or counted anew. */
export async function send(
  service: Pick<Service, "fetch">,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Told> {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const request = new Request(`http://127.0.0.1${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const reply = await service.fetch(request);
  return { status: reply.status, text: settled(await reply.text()) };
}

/** Without what is drawn or counted anew for each reply. */
function settled(text: string): string {
  return (
    text
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/\d+)?/g, "UUID")
      .replaceAll(/"((?:user_|reserved_assistant_)?message_id|parent_message|latest_child_message)":\d+/g, '"$1":0')
      // What quotes documents to assistants stands between marks nobody can know.
      .replaceAll(/(answer|passages?|document|thread|file)-[0-9a-f]{16}/g, "$1-MARK")
      .replaceAll(/"time_(sent|created|updated)":"[^"]*"/g, '"time_$1":"THEN"')
  );
}

/** What a look begins with. */
interface Look {
  readonly corpus: Corpus;
  readonly rights: Rights;
  /** Looks before this one: what is looked at changes by turns. */
  readonly turn: number;
}

const WORDS_OF_MANY = "Where is the roof, the lift and the garden that is kept by somebody?";

const askedFor = ({ mark }: Kept): string => `Who is the ${mark} kept by?`;

/** What is asked in one look, by turns: what is seen is the same whoever looks how. */
export function asksOf({ corpus, rights, turn }: Look): Asked[] {
  const [sought] = corpus.documents.filter(({ pair }) => rights.pairs.has(pair)).slice(turn % 4);
  const [hidden] = corpus.documents.filter(({ pair }) => !rights.pairs.has(pair)).slice(turn % 3);
  const asked: Asked[] = [
    one("search", "POST", "/search", { query: WORDS_OF_MANY }),
    one("listing", "GET", "/query/valid-tags?limit=1000"),
    one("listing", "GET", "/service-api/ingestion"),
    one("listing", "GET", "/manage/admin/connector/status"),
  ];
  if (hidden !== undefined) {
    const id = encodeURIComponent(hidden.id);
    asked.push(
      one("search", "POST", "/search", { query: askedFor(hidden) }),
      one("document", "GET", `/document/text?document_id=${id}`),
      one("document", "DELETE", `/service-api/ingestion/${id}?cc_pair_id=${hidden.pair}`),
      one("listing", "GET", `/manage/admin/cc-pair/${hidden.pair}`),
    );
  }
  const byTurns = asked.filter((_, index) => (index + turn) % 3 === 0);
  if (sought !== undefined) byTurns.push(one("search", "POST", "/search", { query: askedFor(sought) }, sought));
  // An answer takes longer than all else.
  if (turn % 6 === 0) {
    const of = turn % 12 === 0 ? (sought ?? hidden) : (hidden ?? sought);
    const message = of === undefined ? WORDS_OF_MANY : askedFor(of);
    const found = of === sought ? sought : undefined;
    byTurns.push(one("answer", "POST", "/chat/send-chat-message", { message, stream: turn % 18 === 0 }, found));
  }
  if (turn % 12 === 2) byTurns.push(...assistantAsks(sought, hidden, turn));
  if (turn % 12 === 4) byTurns.push(...panelAsks(sought, hidden, turn));
  return byTurns;
}

function one(way: Way, method: string, path: string, body?: unknown, sought?: Kept): Asked {
  const to = `${method} ${path} ${JSON.stringify(body ?? null)}`;
  return { way, to, sought, send: (service, key) => send(service, key, method, path, body) };
}

// ── As an assistant ─────────────────────────────────────────────────────────────────────────────────────────────

/** All that `/mcp` gives, two of it at a time. */
function assistantAsks(sought: Kept | undefined, hidden: Kept | undefined, turn: number): Asked[] {
  const call = (method: string, params: unknown, found?: Kept): Asked =>
    one("mcp", "POST", "/mcp", { jsonrpc: "2.0", id: 1, method, params }, found);
  const tool = (name: string, given: unknown, found?: Kept): Asked =>
    call("tools/call", { name, arguments: given }, found);
  const id = hidden?.id ?? "nothing.md";
  const all: Asked[] = [
    tool("search", { query: hidden === undefined ? WORDS_OF_MANY : askedFor(hidden) }),
    tool("ask", { question: hidden === undefined ? WORDS_OF_MANY : askedFor(hidden) }),
    tool("read", { document: `${id} (pair ${hidden?.pair ?? 9})` }),
    tool("read", { document: id }),
    call("resources/list", {}),
    call("resources/read", { uri: `threadlore://document/${encodeURIComponent(id)}` }),
    tool("ingest_status", { document: id }),
    tool("search", { query: WORDS_OF_MANY, limit: 30 }),
    ...(sought === undefined
      ? []
      : [
          tool("search", { query: askedFor(sought) }, sought),
          tool("ask", { question: askedFor(sought) }, sought),
          tool("read", { document: `${sought.id} (pair ${sought.pair})` }),
        ]),
  ];
  const at = Math.floor(turn / 12) * 2;
  return [all[at % all.length], all[(at + 1) % all.length]].flatMap((asks) => asks ?? []);
}

// ── As the panel of the extension ───────────────────────────────────────────────────────────────────────────────

/** A page that goes along with a question. */
const PAGE = "Title: Roofs\nURL: https://example.com/roofs\n\nThe roof of the page is red.";

/** What the panel's own client sends for one question: streamed, by turns with a page along, then its name, and all of it read again. */
function panelAsks(sought: Kept | undefined, hidden: Kept | undefined, turn: number): Asked[] {
  const kept = turn % 24 === 4 ? sought : (hidden ?? sought);
  const message = kept === undefined ? WORDS_OF_MANY : askedFor(kept);
  const isWithPage = turn % 36 === 4;
  return [
    {
      way: "panel",
      to: `the panel asks "${message}"${isWithPage ? " with a page along" : ""}`,
      sought: kept === sought ? sought : undefined,
      send: (service, key) => askInPanel(service, key, message, isWithPage),
    },
  ];
}

async function askInPanel(service: Service, apiKey: string, message: string, isWithPage: boolean): Promise<Told> {
  const heard: string[] = [];
  let worst = 200;
  /** As a browser sends it, and every byte of the reply kept. */
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    request.headers.set("origin", PANEL_ORIGIN);
    request.headers.set("sec-fetch-site", "none");
    const reply = await service.fetch(request);
    const text = await reply.text();
    worst = Math.max(worst, reply.status);
    heard.push(`${request.method} ${new URL(request.url).pathname} ${reply.status} ${text}`);
    return new Response(text, { status: reply.status, headers: reply.headers });
  };
  const connection = { baseUrl: "http://127.0.0.1", apiKey, fetch };
  const client = createClient(connection);
  const deployment = createDeployment(connection);
  try {
    // With a page along no tool is allowed but the one that only searches.
    const tools = isWithPage ? (await deployment.tools()).filter((tool) => tool.in_code_tool_id === "SearchTool") : [];
    let session: string | undefined;
    let answer: number | undefined;
    const packets = client.streamMessage({
      message,
      origin: client.profile.extensionOrigin,
      chat_session_info: { persona_id: 0, description: "roofs 1a2b" },
      ...(isWithPage && { additional_context: PAGE, allowed_tool_ids: tools.map(({ id }) => id) }),
    });
    for await (const packet of packets) {
      if ("chat_session_id" in packet && typeof packet.chat_session_id === "string") session = packet.chat_session_id;
      if ("reserved_assistant_message_id" in packet) answer = Number(packet.reserved_assistant_message_id);
    }
    if (session !== undefined) {
      await deployment.renameSession(session, "roofs");
      await deployment.getSession(session);
    }
    if (answer !== undefined) await deployment.followUps(answer);
  } catch (error) {
    heard.push(`it ends with ${String(error)}`);
  }
  return { status: worst, text: settled(heard.join("\n")) };
}
