import type { Deployment } from "@threadlore/client/deployment";

/** A document as a server lists it. What the server does not tell is null. */
export interface ListedDocument {
  readonly id: string;
  readonly title: string;
  readonly pair: number | null;
  /** `indexed`, `pending`, `failed`; other servers may have other words. */
  readonly status: string | null;
  /** Why it is `failed`. */
  readonly reason: string | null;
  readonly link: string | null;
}

/** Which documents are listed; what is absent restricts nothing. */
export interface ListedWhich {
  readonly pairId?: number;
  readonly documentId?: string;
}

/** Documents that are asked for at once. */
const PAGE = 500;

/**
 * All documents a server lists, the newest write first, a page at a time. A document that is written anew meanwhile may
 * come twice and none is passed over. Servers that know no pages send all at once.
 */
export async function* listedDocuments(
  deployment: Pick<Deployment, "documents">,
  which: ListedWhich,
  signal: AbortSignal,
  pageSize: number = PAGE,
): AsyncGenerator<ListedDocument, void, undefined> {
  let oldest: number | undefined;
  let before = new Set<string>();
  for (;;) {
    const page = await deployment.documents({ ...which, most: pageSize, oldest }, { signal });
    const older = page.at(-1)?.older;
    if (oldest === undefined && typeof older !== "number") {
      // The client cut what the server sent.
      const whole = page.length < pageSize ? page : await deployment.documents(which, { signal });
      yield* whole.map((document) => listed(document, which));
      return;
    }
    const shown = page.map((document) => listed(document, which));
    yield* shown.filter((document) => !before.has(keyOf(document)));
    if (typeof older !== "number" || older === 0) return;
    before = new Set(shown.map(keyOf));
    oldest = older;
  }
}

/** The same in one list, where there are only a few. */
export async function allDocuments(...given: Parameters<typeof listedDocuments>): Promise<ListedDocument[]> {
  const all: ListedDocument[] = [];
  for await (const document of listedDocuments(...given)) all.push(document);
  return all;
}

const keyOf = ({ id, pair }: ListedDocument): string => JSON.stringify([id, pair]);

type Sent = Awaited<ReturnType<Deployment["documents"]>>[number];

function listed({ document_id: id, semantic_id: title, link, ...more }: Sent, { pairId }: ListedWhich): ListedDocument {
  const { status, failure, cc_pair_id: pair } = more;
  return {
    id,
    title: title ?? "",
    pair: typeof pair === "number" ? pair : (pairId ?? null),
    status: textOf(status),
    reason: textOf(failure),
    link: textOf(link),
  };
}

const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
