/** Addresses of documents among an assistant's resources. */

/** How the address of each document is made; `id` is percent-encoded. */
export const DOCUMENT_TEMPLATE = "threadlore://document/{id}";

/** What the server can be asked about, and by whom. */
export const SOURCES_URI = "threadlore://sources";

const PREFIX = "threadlore://document/";

/** The address of the document a server names like this. */
export function documentUri(documentId: string): string {
  return PREFIX + encodeURIComponent(documentId.toWellFormed());
}

/** The id in such an address, or the text itself where it is none: people and models give either. */
export function documentIdOf(given: string): string {
  if (!given.startsWith(PREFIX)) return given;
  const encoded = given.slice(PREFIX.length);
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
