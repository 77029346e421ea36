import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** What was sent where. Two documents are the same when server, pair and id are; unchanged when the hash is too. */
export interface JournalEntry {
  readonly server: string;
  readonly pair: number | null;
  readonly id: string;
  /** Hash of everything that was sent. */
  readonly hash: string;
  /** Which data the server had, where it tells. Another one has never seen the document. */
  readonly instance?: string;
  /** The collection it belongs to. Absent: it is no file, or an earlier version sent it. */
  readonly collection?: string;
  /** Its path in the collection, where its id is not made of that but is the one an earlier version gave it. */
  readonly path?: string;
  /** Its path in the collection. Absent: it is no file, or a version that did not note it sent it. */
  readonly file?: string;
  /** The server accepted it, and nobody has seen it there: it is sent again. `changed`: an earlier state is there. */
  readonly unconfirmed?: "added" | "changed";
  /** The time of change it was sent with: what is sent next has a later one, or deployed servers may pass it over. */
  readonly changed?: string;
}

/** What the newest entry of a document says. */
export interface NewestEntry {
  readonly hash: string;
  readonly collection?: string;
  /** Its path in the collection, where that was noted. */
  readonly file?: string;
  /** Which data the server had; "" where it did not tell. */
  readonly instance: string;
  readonly unconfirmed?: "added" | "changed";
  /** The time of change it was sent with, milliseconds since 1970; of earlier versions' entries when it was sent. */
  readonly changedAt?: number;
}

/** A folder whose files have their ids from one name and their paths in it. */
export interface Collection {
  readonly name: string;
  /** Absolute path, links resolved. */
  readonly root: string;
  /** The remote of the repository that lay there, where it is named after that. */
  readonly remote?: string;
}

/** Where documents go: a pair of a server. */
export type Shelf = Pick<JournalEntry, "server" | "pair">;

/** The record of acknowledged documents: a file that only grows, one JSON line each. */
export interface Journal {
  /**
   * True when the newest entry of this document carries this hash, was made with the same data of the server, and is of
   * a document that was kept there as far as is known.
   */
  has(entry: JournalEntry): boolean;
  /** Returns once the entry is on the disk: from then on a document that is kept is never sent again unchanged. */
  add(entry: JournalEntry): void;
  /** Notes more of a document that was sent before. Nothing is lost where it does not come to the disk. */
  note(entry: JournalEntry): void;
  /** Returns once it is on the disk that a document was deleted on the server: from then on it counts as never sent. */
  remove(entry: Omit<JournalEntry, "hash">): void;
  /** The documents of a collection that are on the server, as far as is known: ids and newest entries. */
  documentsOf(shelf: Shelf, collection: string): Iterable<readonly [string, NewestEntry]>;
  /** The pairs of a server a document was sent to and not deleted from. */
  pairsOf(server: string, id: string): readonly (number | null)[];
  /** The newest entry of a document: who holds its id, and with what content. */
  newest(shelf: Shelf, id: string): NewestEntry | undefined;
  /** The id a file of a collection kept from an earlier version. */
  keptId(shelf: Shelf, collection: string, path: string): string | undefined;
  /** Whether an earlier version, which noted no collections, sent anything to this place. */
  hasUnnamed(shelf: Shelf): boolean;
  /** Whether a collection goes on with ids of an earlier version; undefined: not decided yet. */
  goesOn(shelf: Shelf, collection: string): boolean | undefined;
  decide(shelf: Shelf, collection: string, goesOn: boolean): void;
  /** Collections of a server, the latest first. */
  collections(server: string): readonly Collection[];
  addCollection(server: string, collection: Collection): void;
  /** The different data a server was known with. "" stands for entries that do not say. */
  instances(server: string): ReadonlySet<string>;
  close(): void;
}

/**
 * Opens a journal, creating it where absent. A last line cut short by a kill is dropped: its document was not yet
 * recorded as acknowledged, and is sent once more under the same id.
 * @param options `keep: false`: what is added is known until the journal is closed and never written
 */
export function openJournal(path: string, { keep = true }: { keep?: boolean } = {}): Journal {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "a+", 0o600);
  const bytes = readFileSync(path);
  const whole = bytes.lastIndexOf(10) + 1;
  if (whole < bytes.length) ftruncateSync(file, whole);
  const known = new Known();
  for (let at = 0; at < whole; at = bytes.indexOf(10, at) + 1) {
    known.readLine(bytes.toString("utf8", at, bytes.indexOf(10, at)));
  }
  const note = (line: JournalLine): void => {
    // One write of one line: two processes that append to one journal do not mix their lines.
    if (keep) writeSync(file, `${JSON.stringify({ ...line, at: new Date().toISOString() })}\n`);
    known.remember(line);
  };
  const write = (line: JournalLine): void => {
    note(line);
    if (keep) fsyncSync(file);
  };
  return {
    has: (entry) => {
      const newest = known.shelf(entry).get(entry.id);
      if (newest === undefined || newest.unconfirmed !== undefined) return false;
      return newest.hash === entry.hash && newest.instance === (entry.instance ?? "");
    },
    add: write,
    note,
    // Versions that know of no deletion take the empty hash for other content, and send the document again.
    remove: (entry) => write({ ...entry, hash: "", gone: true }),
    documentsOf: (shelf, collection) => known.documentsOf(shelf, collection),
    pairsOf: (server, id) => known.pairsOf(server, id),
    newest: (shelf, id) => known.shelf(shelf).get(id),
    keptId: (shelf, collection, place) => known.kept.get(keyOf(shelf, collection, place)),
    hasUnnamed: (shelf) => (known.unnamed.get(keyOf(shelf)) ?? 0) > 0,
    goesOn: (shelf, collection) => known.decided.get(keyOf(shelf, collection)),
    decide: ({ server, pair }, collection, goesOn) => write({ server, pair, collection, goesOn }),
    collections: (server) => known.collections(server),
    addCollection: (server, { name, ...place }) => write({ server, collection: name, ...place }),
    instances: (server) => known.instances.get(server) ?? new Set(),
    close: () => closeSync(file),
  };
}

/** A collection's place, or its decision. Earlier versions pass over both, since they have no id. */
type JournalLine =
  | (JournalEntry & { readonly gone?: true })
  | ({ readonly server: string; readonly collection: string } & Omit<Collection, "name">)
  | (Shelf & { readonly collection: string; readonly goesOn: boolean });

/** What all lines so far come to. */
class Known {
  readonly kept = new Map<string, string>();
  readonly unnamed = new Map<string, number>();
  readonly decided = new Map<string, boolean>();
  readonly instances = new Map<string, Set<string>>();
  readonly #shelves = new Map<string, Map<string, NewestEntry>>();
  readonly #places = new Map<string, Map<string, Omit<Collection, "name">>>();
  /** One string for all entries that say the same, since each line is parsed anew. */
  readonly #words = new Map<string, string>();

  readLine(line: string): void {
    try {
      this.remember(JSON.parse(line) as JournalLine);
    } catch {
      // A damaged line costs one document one more sending, nothing else.
    }
  }

  remember(line: JournalLine): void {
    if ("id" in line) return this.#rememberEntry(line);
    if ("goesOn" in line) this.decided.set(keyOf(line, line.collection), line.goesOn);
    else if (typeof line.root === "string" && typeof line.collection === "string") {
      const { server, collection, root, remote } = line;
      const places = this.#places.get(server) ?? new Map<string, Omit<Collection, "name">>();
      // The latest stands last.
      places.delete(collection);
      this.#places.set(
        server,
        places.set(collection, { root, remote: typeof remote === "string" ? remote : undefined }),
      );
    }
  }

  shelf(shelf: Shelf): Map<string, NewestEntry> {
    const key = keyOf(shelf);
    const found = this.#shelves.get(key) ?? new Map<string, NewestEntry>();
    this.#shelves.set(key, found);
    return found;
  }

  *documentsOf(shelf: Shelf, collection: string): Generator<readonly [string, NewestEntry]> {
    for (const document of this.shelf(shelf)) if (document[1].collection === collection) yield document;
  }

  pairsOf(server: string, id: string): (number | null)[] {
    return [...this.#shelves].flatMap(([key, documents]) => {
      const [of, pair] = JSON.parse(key) as [string, number | null];
      return of === server && documents.has(id) ? [pair] : [];
    });
  }

  collections(server: string): Collection[] {
    return [...(this.#places.get(server) ?? [])].map(([name, place]) => ({ name, ...place })).toReversed();
  }

  #rememberEntry(entry: JournalEntry & { readonly at?: string; readonly gone?: boolean }): void {
    if (typeof entry.id !== "string" || typeof entry.hash !== "string") return;
    const { id, hash, collection, path, file, unconfirmed } = entry;
    const changedAt = Date.parse(entry.changed ?? entry.at ?? "");
    const shelf = this.shelf(entry);
    const before = shelf.get(id);
    const instance = this.#word(entry.instance ?? "");
    if (entry.gone === true) shelf.delete(id);
    else {
      shelf.set(id, {
        hash,
        instance,
        collection: collection && this.#word(collection),
        file,
        unconfirmed,
        changedAt: Number.isNaN(changedAt) ? undefined : changedAt,
      });
    }
    this.instances.set(entry.server, (this.instances.get(entry.server) ?? new Set()).add(instance));
    if (collection !== undefined && path !== undefined) this.kept.set(keyOf(entry, collection, path), id);
    const wasUnnamed = before !== undefined && before.collection === undefined;
    const change = Number(collection === undefined && entry.gone !== true) - Number(wasUnnamed);
    this.unnamed.set(keyOf(entry), (this.unnamed.get(keyOf(entry)) ?? 0) + change);
  }

  #word(text: string): string {
    const known = this.#words.get(text) ?? text;
    this.#words.set(text, known);
    return known;
  }
}

function keyOf({ server, pair }: Shelf, ...more: readonly string[]): string {
  return JSON.stringify([server, pair, ...more]);
}
