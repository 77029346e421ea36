import { createHash } from "node:crypto";
import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import { acknowledge, leavesOpen } from "@threadlore/client/acknowledgement";
import { NotFoundError, PermissionError, UnsupportedError } from "@threadlore/client";
import type { Me } from "@threadlore/client/deployment";
import type { IngestionDocumentInput, IngestionResponse } from "@threadlore/client/models";
import * as z from "zod";
import { documentIdOf, documentUri } from "../documents-uri.ts";
import { isOwnService, type Knowledge, type KnowledgeSource } from "../knowledge.ts";
import { answering } from "../words/answering.ts";
import type { Telling } from "../words/telling.ts";
import { failed } from "../words/failure-text.ts";
import { quotedLine } from "../words/quoted-text.ts";

/** Ids of what assistants added: nothing that came another way is written over. */
const PREFIX = "assistant:";

const MAX_TEXT = 1_000_000;

const Addition = z.object({
  title: z
    .string()
    .max(500)
    .regex(/\S/, "Say what people find it by")
    .describe("What people find it by, such as: Decision: invoices are paid within 14 days."),
  text: z
    .string()
    .max(MAX_TEXT, `Keep it in parts of at most ${MAX_TEXT} characters, under titles of their own`)
    .regex(/\S/, "Say what to keep")
    .describe("All of it, in plain words or markdown. Who decided what, when and why belongs in it."),
  link: z
    .url({ protocol: /^https?$/, error: "Give an address that begins with https:// or http://" })
    .optional()
    .describe("Where people can open it, if it stands anywhere."),
  tags: z
    .record(z.string().min(1).max(100), z.string().max(500))
    .optional()
    .describe("Attributes to search by, such as team: finance."),
});

const Added = z.object({
  document: z.string().describe("Its address; `ingest_status` and `read` take it."),
  replaced: z
    .boolean()
    .describe("True: there was one of this title from an assistant before, and this is its new text."),
  state: z
    .enum(["queued", "kept", "unconfirmed"])
    .describe("unconfirmed: the server accepted it, and it was not found there yet."),
});

/** The tool that adds a document. Only for keys that may. */
export function addIngestTool(server: McpServer, source: KnowledgeSource, telling: Telling): void {
  server.registerTool(
    "ingest",
    {
      title: "Add to the company's knowledge",
      description:
        "Keeps a text so that everybody who may see it finds it by asking: a decision, an answer somebody gave, notes. " +
        "Only on a person's wish, and with what they want kept. The same title again replaces the former text.",
      inputSchema: Addition,
      outputSchema: Added,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    (addition, context: ServerContext) =>
      answering(telling, context, async () => kept(await source(), addition, context.mcpReq.signal)),
  );
}

async function kept(
  knowledge: Knowledge,
  { title, text, link, tags }: z.infer<typeof Addition>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { client, pair } = knowledge;
  if (pair === undefined && !isOwnService(await sayingWho(knowledge, signal))) return failed(UNDECIDED);
  // Accents can be written in two ways, which nobody sees.
  const name = title.trim().normalize("NFC");
  const id = PREFIX + createHash("sha256").update(name).digest("hex").slice(0, 24);
  const document: IngestionDocumentInput = {
    id,
    semantic_identifier: name,
    sections: [{ text, ...(link !== undefined && { link }) }],
    metadata: { ...tags, added_by: "assistant" },
    doc_updated_at: new Date().toISOString(),
  };
  let reply: IngestionResponse;
  try {
    reply = await client.ingest({ document, cc_pair_id: pair ?? null }, { signal });
  } catch (error) {
    if (error instanceof NotFoundError && typeof pair === "number") return failed(noPair(pair));
    throw error;
  }
  const documentId = reply.document_id ?? id;
  const state = leavesOpen(reply) ? await seen(knowledge, document, reply, signal) : stateOf(reply);
  const uri = documentUri(documentId);
  const result: z.infer<typeof Added> = { document: uri, replaced: reply.already_existed, state };
  const what = `"${quotedLine(title)}" was ${reply.already_existed ? "kept with its new text" : "added"}.`;
  return {
    content: [
      { type: "text", text: `${what} ${STATES[state]}` },
      { type: "resource_link", uri, name: quotedLine(title), title: quotedLine(title), mimeType: "text/plain" },
    ],
    structuredContent: result,
  };
}

/** Looked for by search, where the reply leaves open what became of it. */
function seen(
  { deployment }: Knowledge,
  document: IngestionDocumentInput,
  reply: IngestionResponse,
  signal: AbortSignal,
) {
  return acknowledge({
    reply,
    document,
    known: true,
    search: async (query) => {
      try {
        return await deployment.search({ query }, { signal });
      } catch (error) {
        if (error instanceof UnsupportedError || error instanceof PermissionError) return undefined;
        throw error;
      }
    },
  });
}

/** Who calls; undefined where the server never says. Throws where it cannot be known now: then nobody is to decide. */
async function sayingWho({ deployment }: Knowledge, signal: AbortSignal): Promise<Me | undefined> {
  try {
    return await deployment.whoami({ signal });
  } catch (error) {
    if (error instanceof UnsupportedError || error instanceof PermissionError) return undefined;
    throw error;
  }
}

const UNDECIDED =
  "Nothing was added: nobody decided yet who may find what assistants add here. Whoever set up this connection says it " +
  "with `threadlore login URL --pair NUMBER` (or `--pair none`, which leaves it to the server, whose default pair may be " +
  "readable by everybody).";

const noPair = (pair: number): string =>
  `Nothing was added: the server has no pair ${pair} that this key may use. Whoever set up this connection finds one with ` +
  "`threadlore pair list`, and says so with `threadlore login URL --pair NUMBER`.";

const STATES = {
  queued: "It can be found in a moment.",
  kept: "It can be found.",
  unconfirmed: "The server accepted it and it was not found there yet: look with `ingest_status` in a while.",
} as const;

function stateOf(reply: IngestionResponse): "queued" | "kept" {
  return reply["indexing"] === "queued" ? "queued" : "kept";
}

const Asked = z.object({
  document: z.string().regex(/\S/, "Say which document").describe("As `ingest` named it."),
});

const Status = z.object({
  document: z.string().describe("Its address among the resources."),
  status: z
    .enum(["pending", "indexed", "failed", "listed", "unknown"])
    .describe(
      "pending: not found by search yet; listed: the server has it and does not say more; unknown: it has no such document.",
    ),
  failure: z.string().nullable().describe("Why it could not be indexed, as the server says."),
});

/** The tool that says what became of a document. Only for keys that may add. */
export function addIngestStatusTool(server: McpServer, source: KnowledgeSource, telling: Telling): void {
  server.registerTool(
    "ingest_status",
    {
      title: "See whether an added document is found",
      description: "Says whether a document that was added can be found yet, or why not.",
      inputSchema: Asked,
      outputSchema: Status,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ document }, context: ServerContext) =>
      answering(telling, context, async () => {
        const { deployment } = await source();
        const id = documentIdOf(document);
        const listed = await deployment.documents({ documentId: id }, { signal: context.mcpReq.signal });
        const states = listed.map((one) => statusOf(one["status"]));
        const status = WORST.find((one) => states.includes(one)) ?? "unknown";
        const why = listed.map((one) => one["failure"]).find((one) => typeof one === "string");
        const failure = why === undefined ? null : quotedLine(why);
        const result: z.infer<typeof Status> = { document: documentUri(id), status, failure };
        const words = failure === null ? STATUS_WORDS[status] : `${STATUS_WORDS[status]} ${failure}`;
        return { content: [{ type: "text", text: words }], structuredContent: result };
      }),
  );
}

type StatusWord = z.infer<typeof Status>["status"];

/** Several pairs can have a document of this id: what is told is the one that needs somebody to look. */
const WORST: readonly StatusWord[] = ["failed", "pending", "listed", "indexed"];

function statusOf(told: unknown): StatusWord {
  return told === "pending" || told === "indexed" || told === "failed" ? told : "listed";
}

const STATUS_WORDS: Readonly<Record<StatusWord, string>> = {
  pending: "It is kept, and not found yet: the index takes it up in a moment.",
  indexed: "It is kept, and found.",
  failed: "It could not be indexed, so that nobody finds it.",
  listed: "The server has it. Whether a search finds it already is not told; `search` shows it.",
  unknown: "The server has no such document that this key may see.",
};
