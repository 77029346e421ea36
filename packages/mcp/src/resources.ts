import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { NotFoundError, PermissionError, UnsupportedError } from "@threadlore/client";
import { accountOf, type Me } from "@threadlore/client/deployment";
import { documentPage } from "./document-list.ts";
import { DOCUMENT_TEMPLATE, documentIdOf, SOURCES_URI } from "./documents-uri.ts";
import { callerOf, type KnowledgeSource, mayIngest } from "./knowledge.ts";
import { readDocument } from "./reading.ts";
import { plainWords } from "./words/answering.ts";
import type { Telling } from "./words/telling.ts";
import { fenced } from "./words/fenced.ts";
import { quotedLine } from "./words/quoted-text.ts";

/** Characters of a document that are given as a resource; `read` gives the rest. */
const MAX_TEXT = 100_000;

/** What can be asked here, as it is listed. */
const SOURCES = {
  title: "What can be asked here",
  description: "The document sets this key may search, and what it may do.",
  mimeType: "text/plain",
} as const;

/** Documents as resources, and what can be asked here. */
export function addResources(server: McpServer, source: KnowledgeSource, telling: Telling): void {
  /** What it throws is told in plain words. */
  const plainly = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      throw new ProtocolError(ProtocolErrorCode.InternalError, plainWords(telling, error));
    }
  };
  server.registerResource("sources", SOURCES_URI, SOURCES, ({ href }, { mcpReq: { signal } }) =>
    plainly(async () => ({
      contents: [{ uri: href, mimeType: "text/plain", text: await sourcesText(source, signal) }],
    })),
  );
  server.registerResource(
    "document",
    new ResourceTemplate(DOCUMENT_TEMPLATE, { list: undefined }),
    {
      title: "A document",
      description:
        "The text of a document this key may see. Keys that may add have them listed; `search` finds those of any key.",
      mimeType: "text/plain",
    },
    (uri, { id }, { mcpReq: { signal } }) =>
      plainly(async () => {
        const document = documentIdOf(DOCUMENT_TEMPLATE.replace("{id}", () => String(id)));
        try {
          const { title, link, text, next } = await readDocument(await source(), { document, most: MAX_TEXT }, signal);
          const rest = next === null ? "" : `\nThere is more: the tool \`read\` goes on with from: ${next}.`;
          const head = [title, link].filter((part) => part !== null).join(" · ");
          return {
            contents: [
              { uri: uri.href, mimeType: "text/plain", text: `${fenced("document", `${head}\n\n${text}`)}${rest}` },
            ],
          };
        } catch (error) {
          if (error instanceof NotFoundError) throw new ResourceNotFoundError(uri.href, error.message);
          throw error;
        }
      }),
  );
  // In place of the library's own, which lists everything at once.
  server.server.setRequestHandler("resources/list", ({ params }, { mcpReq: { signal } }) =>
    plainly(async () => {
      const { resources, ...next } = await documentPage(await source(), params?.cursor, signal);
      const sources = { uri: SOURCES_URI, name: "sources", ...SOURCES };
      return { resources: params?.cursor === undefined ? [sources, ...resources] : resources, ...next };
    }),
  );
}

async function sourcesText(source: KnowledgeSource, signal: AbortSignal): Promise<string> {
  const me = await callerOf(source);
  const { deployment } = await source();
  const sets = await deployment.documentSets({ signal }).catch((error: unknown) => {
    const isNotTold = error instanceof UnsupportedError || error instanceof PermissionError;
    return isNotTold
      ? "The server does not list document sets."
      : "Which document sets there are, the server cannot say now.";
  });
  const may = mayWords(me);
  if (typeof sets === "string") return `${may}\n${sets}`;
  if (sets.length === 0) return `${may}\nThere are no document sets: every question searches all this key may see.`;
  const lines = sets.map(
    ({ name, description }) =>
      `- ${[name, description].flatMap((part) => (part ? [quotedLine(part)] : [])).join(": ")}`,
  );
  return `${may}\nDocument sets (\`document_sets\` narrows a question to some):\n${lines.join("\n")}`;
}

function mayWords(me: Me | undefined): string {
  if (me === undefined) return "What this key may do, the server does not say.";
  if (accountOf(me).anonymous) {
    return "The server takes whoever asks here for nobody in particular: only what is public is found, nothing is added.";
  }
  return mayIngest(me) ? "This key may ask, search, read and add." : "This key may ask, search and read.";
}
