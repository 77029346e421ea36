import { type McpServer, ResourceNotFoundError, ResourceTemplate } from "@modelcontextprotocol/server";
import { NotFoundError, UnsupportedError, PermissionError, AuthError } from "@threadlore/client";
import type { IngestedDocument } from "@threadlore/client/deployment";
import { DOCUMENT_TEMPLATE, documentUri, SOURCES_URI } from "./documents-uri.ts";
import { callerOf, type Knowledge, type KnowledgeSource, mayIngest } from "./knowledge.ts";
import { readDocument } from "./reading.ts";
import { fenced } from "./words/fenced.ts";
import { quotedLine } from "./words/quoted-text.ts";

/** Characters of a document that are given as a resource; `read` gives the rest. */
const MAX_TEXT = 100_000;
/** Documents that are listed; more are found by search. */
const MAX_LISTED = 500;

/** Documents as resources, and what can be asked here. */
export function addResources(server: McpServer, source: KnowledgeSource): void {
  server.registerResource(
    "sources",
    SOURCES_URI,
    {
      title: "What can be asked here",
      description: "The document sets this key may search, and what it may do.",
      mimeType: "text/plain",
    },
    async ({ href }) => ({ contents: [{ uri: href, mimeType: "text/plain", text: await sourcesText(source) }] }),
  );
  server.registerResource(
    "document",
    new ResourceTemplate(DOCUMENT_TEMPLATE, { list: async () => ({ resources: await listed(await source()) }) }),
    { title: "A document", description: "The text of a document this key may see.", mimeType: "text/plain" },
    async (uri, { id }, { mcpReq: { signal } }) => {
      const document = decodeURIComponent(String(id));
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
    },
  );
}

async function listed({ deployment }: Knowledge) {
  let documents: IngestedDocument[];
  try {
    documents = await deployment.documents();
  } catch (error) {
    // Keys that only read may not list: they find documents by searching.
    if (error instanceof PermissionError || error instanceof AuthError || error instanceof UnsupportedError) return [];
    throw error;
  }
  return documents.slice(0, MAX_LISTED).map(({ document_id: id, semantic_id: title }) => ({
    uri: documentUri(id),
    name: quotedLine(title || id),
    title: quotedLine(title || id),
    mimeType: "text/plain",
  }));
}

async function sourcesText(source: KnowledgeSource): Promise<string> {
  const [me, sets] = await Promise.all([
    callerOf(source),
    Promise.resolve(source())
      .then(({ deployment }) => deployment.documentSets())
      .catch(() => undefined),
  ]);
  const may = mayIngest(me) ? "This key may ask, search, read and add." : "This key may ask, search and read.";
  if (sets === undefined) return `${may}\nThe server does not list document sets.`;
  if (sets.length === 0) return `${may}\nThere are no document sets: every question searches all this key may see.`;
  const lines = sets.map(
    ({ name, description }) =>
      `- ${[name, description].flatMap((part) => (part ? [quotedLine(part)] : [])).join(": ")}`,
  );
  return `${may}\nDocument sets (\`document_sets\` narrows a question to some):\n${lines.join("\n")}`;
}
