import type { DatabaseSync, StatementSync } from "node:sqlite";
import { languageOfText } from "../analysis.ts";
import { Batch } from "./batch.ts";
import { Lexicon } from "./lexicon.ts";
import { languageMark, pairMark, sourceMark, tagMark } from "./marks.ts";
import { DEAD_CHUNK } from "./scope.ts";
import { TermWriter } from "./term-writer.ts";
import { WordWriter } from "./word-writer.ts";

/** What the index keeps of a document, beside its passages. */
export interface IndexedDocument {
  /** As in the service's database. */
  readonly number: number;
  /** Another one with each write of the document. */
  readonly version: number;
  /** The pair it is under; null: it is held back from every pair. */
  readonly pair: number | null;
  readonly source: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** What search weighs as the title; may be "". */
  readonly title: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}

/** A passage of a document. */
export interface IndexedPassage {
  readonly heading: string;
  readonly text: string;
  /** Further words it is found by, which are not part of its text. */
  readonly about: string;
  readonly link: string | null;
}

/** Of a document that is cut into several passages so much of each tells its language, the document's being known. */
const LANGUAGE_SAMPLE = 160;

/** And so much of one that is not. */
const WHOLE_SAMPLE = 400;

/** Ids whose moments are kept in one row. */
const MOMENTS_CHUNK = 1_024;

/**
 * Writes documents to an index, many in one transaction: what they are found by is gathered and written with `commit`.
 * Nobody finds anything of it before.
 */
export class IndexWriter {
  readonly #sqlite: DatabaseSync;
  readonly #terms: TermWriter;
  readonly #words: WordWriter;
  readonly #statements = new Map<string, StatementSync>();
  /** What is known of words, from one transaction to the next. */
  #lexicon = new Lexicon();
  #batch = new Batch(this.#lexicon);
  #nextId = 0;
  /** How many there are. */
  #passages = 0;
  #dead: number[] = [];
  #moments: { readonly id: number; readonly moment: number }[] = [];

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite;
    this.#terms = new TermWriter(sqlite);
    this.#words = new WordWriter(sqlite);
  }

  /** Postings that wait to be written. */
  get size(): number {
    return this.#batch.size;
  }

  /** Begins a transaction; to be ended with `commit` or `rollback`. */
  begin(): void {
    this.#sqlite.exec("BEGIN IMMEDIATE");
    this.#nextId = Number(stateOf(this.#sqlite, "next") ?? 1);
    this.#passages = Number(stateOf(this.#sqlite, "passages") ?? 0);
  }

  /**
   * Puts a document in, or its next passages: the first of them is number `from` of the document. What stood there before
   * is to be removed first. A document that is not `whole` yet is told from one that is: see `versionOf`.
   */
  put(document: IndexedDocument, passages: readonly IndexedPassage[], from = 0, whole = true): void {
    const { number, version, pair, source, updatedAt, title, tags } = document;
    this.#prepared(PUT_DOCUMENT).run(number, whole ? version : null, pair, source, updatedAt, title);
    const marks = [sourceMark(source), ...tags.map(({ key, value }) => tagMark(key, value))];
    if (pair !== null) marks.push(pairMark(pair));
    const add = this.#prepared(ADD_PASSAGE);
    const languages = languagesOf(passages);
    for (const [index, { heading, text, about, link }] of passages.entries()) {
      const id = this.#nextId++;
      const language = languages[index] ?? "";
      add.run(id, number, from + index, heading, text, about, link, language);
      this.#batch.add(id, { title, heading, text, about }, language);
      for (const mark of marks) this.#batch.mark(id, mark);
      this.#batch.mark(id, languageMark(language));
      this.#moments.push({ id, moment: updatedAt });
    }
    this.#passages += passages.length;
  }

  /** Which of a document's writes is in the index; undefined: none, or not all of it. */
  versionOf(number: number): number | undefined {
    const row = this.#prepared(VERSION).get(number);
    return (row?.["version"] as number | null | undefined) ?? undefined;
  }

  /** Takes up to so many passages of a document out, and the document with the last. Answers how many were there. */
  remove(number: number, most = Number.MAX_SAFE_INTEGER): number {
    if (this.#prepared(VERSION).get(number) === undefined) return 0;
    const rows = this.#prepared(PASSAGES_OF).all(number, most) as unknown as {
      readonly id: number;
      readonly title: string;
      readonly heading: string;
      readonly text: string;
      readonly about: string;
      readonly language: string;
    }[];
    for (const { id, language, ...passage } of rows) {
      this.#batch.remove(passage, language);
      this.#dead.push(id);
      this.#prepared("DELETE FROM passages WHERE id = ?").run(id);
      this.#prepared("DELETE FROM vectors WHERE passage = ?").run(id);
    }
    const isGone = rows.length < most;
    this.#prepared(
      isGone ? "DELETE FROM documents WHERE number = ?" : "UPDATE documents SET version = NULL WHERE number = ?",
    ).run(number);
    this.#passages -= rows.length;
    return rows.length;
  }

  /** Keeps a passage's vector; null: its model refused it. Nothing happens where the passage is gone. */
  keepVector({ passage, model, vector }: { passage: number; model: string; vector: Float32Array | null }): void {
    const bytes = vector === null ? null : new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    this.#prepared(KEEP_VECTOR).run(model, bytes, passage);
  }

  /** Notes that all changes of the documents up to this one are in the index. */
  noteApplied(change: number): void {
    setState(this.#sqlite, "applied", change);
  }

  /** Writes what was gathered: from now on it is found. */
  commit(): void {
    this.#terms.write(this.#batch);
    this.#words.write(this.#lexicon.fresh());
    this.#noteDead();
    this.#noteMoments();
    setState(this.#sqlite, "next", this.#nextId);
    setState(this.#sqlite, "passages", this.#passages);
    setState(this.#sqlite, "epoch", Number(stateOf(this.#sqlite, "epoch") ?? 0) + 1);
    this.#sqlite.exec("COMMIT");
    this.#lexicon.settle();
    this.#forget();
  }

  /** Leaves the index as it was before `begin`. */
  rollback(): void {
    if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
    // Words that were written may not be there.
    this.#lexicon = new Lexicon();
    this.#forget();
  }

  #prepared(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#sqlite.prepare(sql)));
    return statement;
  }

  #forget(): void {
    if (this.#lexicon.isFull) this.#lexicon = new Lexicon();
    this.#batch = new Batch(this.#lexicon);
    this.#dead = [];
    this.#moments = [];
  }

  #noteDead(): void {
    const chunks = Map.groupBy(this.#dead, (id) => Math.floor(id / DEAD_CHUNK));
    for (const [chunk, ids] of chunks) {
      const row = this.#sqlite.prepare("SELECT ids FROM dead WHERE chunk = ?").get(chunk);
      const bits = (row?.["ids"] as Uint8Array | undefined) ?? new Uint8Array(DEAD_CHUNK / 8);
      for (const id of ids) {
        const place = id % DEAD_CHUNK;
        bits[place >>> 3] = (bits[place >>> 3] as number) | (1 << (place & 7));
      }
      this.#sqlite.prepare("INSERT OR REPLACE INTO dead (chunk, ids) VALUES (?, ?)").run(chunk, bits);
    }
  }

  #noteMoments(): void {
    const chunks = Map.groupBy(this.#moments, ({ id }) => id - (id % MOMENTS_CHUNK));
    for (const [first, some] of chunks) {
      const row = this.#sqlite.prepare("SELECT moments FROM moments WHERE first = ?").get(first);
      const moments = new Float64Array(MOMENTS_CHUNK).fill(Number.NaN);
      const bytes = new Uint8Array(moments.buffer);
      if (row !== undefined) bytes.set(row["moments"] as Uint8Array);
      for (const { id, moment } of some) moments[id - first] = moment;
      this.#sqlite.prepare("INSERT OR REPLACE INTO moments (first, moments) VALUES (?, ?)").run(first, bytes);
    }
  }
}

const VERSION = "SELECT version FROM documents WHERE number = ?";
const PUT_DOCUMENT =
  "INSERT OR REPLACE INTO documents (number, version, pair, source, updated_at, title) VALUES (?, ?, ?, ?, ?, ?)";
const ADD_PASSAGE =
  "INSERT INTO passages (id, document, ordinal, heading, text, about, link, language) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
const KEEP_VECTOR = `
  INSERT INTO vectors (passage, model, vector) SELECT id, ?, ? FROM passages WHERE id = ?
  ON CONFLICT (passage) DO UPDATE SET model = excluded.model, vector = excluded.vector`;
const PASSAGES_OF = `
  SELECT id, title, heading, text, about, language FROM passages JOIN documents ON number = document
  WHERE document = ? ORDER BY id LIMIT ?`;

/** The language of each passage: that of the document decides where its own words leave it open. */
function languagesOf(passages: readonly IndexedPassage[]): readonly string[] {
  const [first] = passages;
  if (first !== undefined && passages.length === 1) return [languageOfText(first.text.slice(0, WHOLE_SAMPLE))];
  let known: string | undefined;
  const usual = () => (known ??= languageOfText(sampleOf(passages)));
  return passages.map(({ text }) => languageOfText(text.slice(0, LANGUAGE_SAMPLE), usual));
}

function sampleOf(passages: readonly IndexedPassage[]): string {
  return passages
    .slice(0, 8)
    .map(({ text }) => text.slice(0, LANGUAGE_SAMPLE))
    .join("\n");
}

/** What the index knows of itself under a name. */
export function stateOf(sqlite: DatabaseSync, name: string): unknown {
  return sqlite.prepare("SELECT value FROM state WHERE name = ?").get(name)?.["value"];
}

/** Notes something of the index under a name. */
export function setState(sqlite: DatabaseSync, name: string, value: number | string): void {
  sqlite.prepare("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)").run(name, value);
}
