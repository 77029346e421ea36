import { ProtocolError, ProtocolErrorCode, type Resource } from "@modelcontextprotocol/server";
import { AuthError, PermissionError, UnsupportedError } from "@threadlore/client";
import type { IngestedDocument } from "@threadlore/client/deployment";
import { documentUri } from "./documents-uri.ts";
import type { Knowledge } from "./knowledge.ts";
import { quotedLine } from "./words/quoted-text.ts";

/** Documents of the first page: all that assistants get which turn no pages. */
const FIRST_PAGE = 500;
/** Documents of each further page. Assistants turn so many pages only, 64 of them in the widespread library. */
const FURTHER_PAGE = 2_000;

/** Which documents are left: the oldest so many. Nothing is remembered between two pages. */
const CURSOR = /^the oldest (\d{1,15})$/;

/**
 * A page of the documents this key may see, the newest first. Where others come and go while pages are turned, one can be
 * listed twice, and one that is written anew be the newest by then; none is left out. Servers that do not tell how many are
 * `older` have a first page alone; keys that only read may not list, and have an empty one.
 * @param cursor what the page before gave; undefined: the first page
 * @throws ProtocolError for a cursor that no page gave; the client's errors
 */
export async function documentPage(
  { deployment }: Knowledge,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<{ resources: Resource[]; nextCursor?: string }> {
  const oldest = cursor === undefined ? undefined : numberIn(cursor);
  const most = oldest === undefined ? FIRST_PAGE : FURTHER_PAGE;
  let listed: IngestedDocument[];
  try {
    // One more, to see whether there is a next page.
    listed = await deployment.documents({ most: most + 1, oldest }, { signal });
  } catch (error) {
    if (error instanceof PermissionError || error instanceof AuthError || error instanceof UnsupportedError) {
      return { resources: [] };
    }
    throw error;
  }
  const page = listed.slice(0, most);
  const resources = page.map(({ document_id: id, semantic_id: title }) => resourceOf(id, title));
  const left = page.at(-1)?.older ?? undefined;
  // A server that does not go on from there would be asked for ever.
  const goesOn = listed.length > most && left !== undefined && left < (oldest ?? Number.POSITIVE_INFINITY);
  return { resources, ...(goesOn && { nextCursor: `the oldest ${left}` }) };
}

function numberIn(cursor: string): number {
  const [, number] = CURSOR.exec(cursor) ?? [];
  if (number !== undefined) return Number(number);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "This list gave no such cursor. Ask for it from its beginning, without one.",
  );
}

function resourceOf(id: string, title: string | null | undefined): Resource {
  const name = quotedLine(title || id);
  return { uri: documentUri(id), name, title: name, mimeType: "text/plain" };
}
