import { createHash } from "node:crypto";
import { NotFoundError } from "@threadlore/client";
import type { FoundPassage } from "@threadlore/client/deployment";
import { listedDocuments } from "../documents/listing.ts";
import type { Asker } from "./asked-by.ts";
import { filtersOf } from "./asking.ts";
import { folded } from "./folded.ts";
import { isCalled, type Nameable } from "./named.ts";
import type { CitedThen } from "./record.ts";
import type { AnswerTest } from "./test-model.ts";

/** How it stands with a document now, as far as the server tells. */
export type Standing =
  | { readonly state: "seen"; readonly hash: string | null; readonly updatedAt: string | null }
  /** It is there, and this key does not see it. */
  | { readonly state: "hidden" }
  | { readonly state: "gone" }
  /** Deleted or hidden: nothing that may be asked here tells which. */
  | { readonly state: "missing" }
  | { readonly state: "unknown" };

type Shown = { readonly hash: string; readonly updatedAt: string | null } | "none" | "untold";

/** Characters of a document that are compared. */
const COMPARED = 100_000;
/** Documents of a list that is looked through for a name. */
const MAX_LISTED = 20_000;
/** Longest query of a search, as deployed servers have it. */
const MAX_QUERY = 2_000;

/** Looks documents up, each once in a run: by their text where a server shows it, else by search and its list. */
export class Lookup {
  readonly #run: Asker;
  readonly #signal: AbortSignal;
  readonly #texts = new Map<string, Promise<Shown>>();
  #listed: Promise<CitedThen[] | undefined> | undefined;
  readonly #lists = new Map<string, Promise<boolean | undefined>>();

  /** @param run who the run is by: may see what the key of a test does not */
  constructor(run: Asker, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
  }

  /** Of the text a key sees; null where the server does not show one. */
  async hashOf(asker: Asker, documentId: string): Promise<string | null> {
    const shown = await this.#text(asker, documentId);
    return typeof shown === "string" ? null : shown.hash;
  }

  async standingOf(asker: Asker, document: CitedThen): Promise<Standing> {
    const shown = await this.#text(asker, document.document_id);
    if (typeof shown !== "string") return { state: "seen", ...shown };
    return shown === "none" ? this.#hiddenOrGone(asker, document) : this.#bySearch(asker, document);
  }

  /** The document that a person calls so; `none`: there is none; undefined: that is not known. */
  async named(asker: Asker, name: string): Promise<CitedThen | "none" | undefined> {
    const listed = await this.#all();
    if (listed !== undefined) return listed.find((one) => isCalled(nameableOf(one), name)) ?? "none";
    if (/[./\\_]/.test(name)) return undefined;
    // Where no list is shown, a title may be found by its words; an id or a path is not.
    const found = await this.#search(asker, { query: name.slice(0, MAX_QUERY) });
    return found === undefined || found.some(({ title }) => folded(title ?? "") === folded(name)) ? undefined : "none";
  }

  /** Whether the filters of a test keep a document out: the question finds it without them, and not with them. */
  async isFilteredOut(asker: Asker, test: AnswerTest, document: CitedThen): Promise<boolean> {
    const filters = filtersOf(test.settings);
    if (filters === undefined) return false;
    const query = test.ask.slice(0, MAX_QUERY);
    const [within, without] = await Promise.all([
      this.#search(asker, {
        query,
        sources: filters.source_type ?? [],
        document_sets: filters.document_set ?? [],
        tags: filters.tags ?? [],
        ...(filters.time_cutoff != null && { time_cutoff: filters.time_cutoff }),
      }),
      this.#search(asker, { query }),
    ]);
    if (within === undefined || without === undefined) return false;
    return !within.some((one) => isOf(one, document)) && without.some((one) => isOf(one, document));
  }

  async #hiddenOrGone(asker: Asker, document: CitedThen): Promise<Standing> {
    if (asker !== this.#run && typeof (await this.#text(this.#run, document.document_id)) !== "string") {
      return { state: "hidden" };
    }
    const isListed = await this.#isListed(document.document_id);
    return { state: isListed === undefined ? "missing" : isListed ? "hidden" : "gone" };
  }

  /** As much as a server without texts of documents tells. */
  async #bySearch(asker: Asker, document: CitedThen): Promise<Standing> {
    const found = await this.#searchFor(asker, document);
    if (found === undefined) return { state: "unknown" };
    if (found !== "none") return { state: "seen", hash: null, updatedAt: found.updated_at ?? null };
    const seenByRun = asker === this.#run ? "none" : await this.#searchFor(this.#run, document);
    if (typeof seenByRun === "object") return { state: "hidden" };
    // Such a server sends its whole list each time. What its own connectors brought is not in it: who is missing there may be hidden.
    const listed = await this.#all();
    const isListed = listed?.some((one) => one.document_id === document.document_id);
    return { state: isListed === true ? "hidden" : "missing" };
  }

  async #searchFor(asker: Asker, document: CitedThen): Promise<FoundPassage | "none" | undefined> {
    const found = await this.#search(asker, { query: document.title.slice(0, MAX_QUERY), skip_query_expansion: true });
    return found === undefined ? undefined : (found.find((one) => isOf(one, document)) ?? "none");
  }

  async #search(
    { deployment }: Asker,
    query: Parameters<Asker["deployment"]["search"]>[0],
  ): Promise<FoundPassage[] | undefined> {
    return deployment.search(query, { signal: this.#signal }).catch(() => undefined);
  }

  #text({ key, deployment }: Asker, documentId: string): Promise<Shown> {
    return once(this.#texts, JSON.stringify([key, documentId]), async () => {
      try {
        const shown = await deployment.documentText(documentId, { most: COMPARED }, { signal: this.#signal });
        const text = JSON.stringify([shown.title, shown.length, shown.pieces.map((piece) => piece.text)]);
        const hash = createHash("sha256").update(text).digest("hex").slice(0, 24);
        return { hash, updatedAt: shown.updated_at ?? null };
      } catch (error) {
        return error instanceof NotFoundError ? "none" : "untold";
      }
    });
  }

  /** All documents the key of the run is shown a list of; undefined: it is not, or they are too many. */
  #all(): Promise<CitedThen[] | undefined> {
    this.#listed ??= this.#list();
    return this.#listed;
  }

  async #list(): Promise<CitedThen[] | undefined> {
    const listed: CitedThen[] = [];
    try {
      for await (const { id, title, link } of listedDocuments(this.#run.deployment, {}, this.#signal)) {
        listed.push({ document_id: id, title, link, updated_at: null, hash: null });
        if (listed.length > MAX_LISTED) return undefined;
      }
      return listed;
    } catch {
      return undefined;
    }
  }

  #isListed(documentId: string): Promise<boolean | undefined> {
    return once(this.#lists, documentId, () =>
      this.#run.deployment
        .documents({ documentId, most: 10 }, { signal: this.#signal })
        .then((documents) => documents.some((one) => one.document_id === documentId))
        .catch(() => undefined),
    );
  }
}

/** What a document was known by. */
export function nameableOf({ document_id: documentId, title, link }: CitedThen): Nameable {
  return { documentId, title, ...(link !== null && { link }) };
}

function isOf({ document_id: id, title, link }: FoundPassage, document: CitedThen): boolean {
  if (id != null && id !== "") return id === document.document_id;
  if (link != null && link !== "" && document.link !== null) return link === document.link;
  return title === document.title;
}

function once<Found>(known: Map<string, Promise<Found>>, key: string, look: () => Promise<Found>): Promise<Found> {
  const found = known.get(key) ?? look();
  known.set(key, found);
  return found;
}
