import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { knowledgeEndpoint } from "@threadlore/mcp/http";
import type { BotContext } from "../context.ts";
import { bodyOf, signedRequest } from "../slack/transport/posted.ts";
import { createSignatureCheck } from "../slack/transport/signature.ts";
import { type AssistantRequest, assistantRequest } from "./identity.ts";
import { knowledgeFor } from "./rights.ts";

/** Where Slack's assistant asks. */
export type AssistantDoor = Awaited<ReturnType<typeof startAssistantDoor>>;

const PATH = "/mcp";
const MAX_BYTES = 1_048_576;

/**
 * Answers Slack's own assistant over the Model Context Protocol, as a server with Slack identity (docs/slack.md, section
 * 16): Slack signs each request as it signs events, and names the person and the workspace in it. The rules decide with
 * which key that person is answered; nothing is added this way. Rejects when the port is taken.
 */
export async function startAssistantDoor(
  at: { readonly host: string; readonly port: number; readonly signingSecret: string },
  context: BotContext,
) {
  const { log, now } = context;
  const check = createSignatureCheck(at.signingSecret, now);
  const endpoint = knowledgeEndpoint((error) => log.error("an assistant's request failed", { error }));
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.requestTimeout = 30_000;
  server.headersTimeout = 10_000;
  server.listen(at.port, at.host);
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : at.port;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.split("?")[0] !== PATH) return refuse(response, 404, "There is nothing here.");
    if (request.method !== "POST") return refuse(response, 405, "There are no sessions: post each message.");
    // Slack sends none; a page in somebody's browser always does.
    if (request.headers.origin !== undefined) return refuse(response, 403, "Web pages may not ask here.");
    const body = await bodyOf(request, MAX_BYTES);
    if (body === undefined) return refuse(response, 413, "The message is larger than 1 MB.");
    const text = body.toString("utf8");
    const asked = assistantRequest(text);
    const problem = check(signedRequest(request, body));
    // While Slack looks which tools there are, what it sends for two people in one second is the same.
    const isLook = asked !== undefined && !isAboutSomebody(asked);
    const isForged = problem !== undefined && !(isLook && problem === "replayed");
    if (isForged || (!isLook && !(await isFirst(context, request)))) {
      log.warn("assistant's request refused", { reason: problem ?? "replayed" });
      return refuse(response, 401, "The request does not carry Slack's signature, or came before.");
    }
    if (asked === undefined) return refuse(response, 400, "That is no single message of the protocol.");
    if (asked.tool !== "") log.debug("assistant asks", { user: asked.identity?.user });
    const left = new AbortController();
    response.once("close", () => left.abort());
    const sent = new Request(`http://${at.host}:${port}${PATH}`, {
      method: "POST",
      headers: headersOf(request),
      body: text,
      signal: left.signal,
    });
    let rights: ReturnType<typeof knowledgeFor> | undefined;
    await send(
      await endpoint.fetch(sent, () => (rights ??= knowledgeFor(context, asked)), { mayAdd: false, isShared: true }),
      response,
    );
  }

  return {
    /** `http://HOST:PORT/mcp`. */
    url: `http://${at.host}:${port}${PATH}`,
    async close(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      await endpoint.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** For so long a request is known, milliseconds: its signature is good for half of that. */
const KNOWN_MS = 600_000;

/** Whether this signature comes for the first time, to any instance: what is signed once is done once. */
function isFirst({ store, now }: BotContext, { headers }: IncomingMessage): Promise<boolean> {
  const signature = createHash("sha256").update(String(headers["x-slack-signature"])).digest("hex");
  return store.claimTurn(`assistant:${signature}`, { now: now(), periodMs: KNOWN_MS });
}

function isAboutSomebody({ method, identity }: AssistantRequest): boolean {
  return identity !== undefined || ["tools/call", "resources/read", "prompts/get"].includes(method);
}

/** What the protocol reads of the headers. */
function headersOf({ headers }: IncomingMessage): Headers {
  const kept = Object.entries(headers).filter(([name]) => /^(?:accept|content-type|mcp-.*|last-event-id)$/.test(name));
  return new Headers(kept.map(([name, value]) => [name, String(value)]));
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null) return void response.end();
  await pipeline(Readable.fromWeb(body as ReadableStream), response);
}

/** In the protocol's shape, as whoever speaks it expects. */
function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32_600, message }, id: null }));
}
