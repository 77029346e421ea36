import { rm } from "node:fs/promises";
import type { Answering, OpenIndex } from "../hosting/answering.ts";
import type { Former, KnownVector, SamePassage } from "./former.ts";
import { FormerVectors } from "./former-vectors.ts";

const SQL = {
  places: "SELECT id, ordinal FROM passages WHERE document = ?",
  vector: `SELECT model, vector FROM vectors JOIN passages ON passages.id = passage JOIN documents ON number = document
           WHERE passages.id = ? AND title = ? AND text = ?`,
  any: "SELECT 1 FROM vectors LIMIT 1",
};

/** An index in a file of its own, made by former rules or of a former state of the data. */
export class FormerFile implements Former {
  readonly answering: Answering | undefined;
  readonly #host: OpenIndex;
  readonly #path: string;
  readonly #vectors: FormerVectors;

  /** @param isOfThisData whether what it finds stands in the documents */
  constructor(host: OpenIndex, path: string, isOfThisData: boolean) {
    this.#host = host;
    this.#path = path;
    this.#vectors = new FormerVectors(host.here.sqlite, SQL);
    this.answering = isOfThisData && host.isWhole ? host : undefined;
  }

  get hasVectors(): boolean {
    return this.#vectors.any;
  }

  vectorOf(passage: SamePassage): KnownVector | undefined {
    return this.#vectors.find(passage);
  }

  async removeSome(): Promise<boolean> {
    await this.close();
    // In this order: without its log a file is none that anybody may trust, and a log alone is nothing.
    for (const end of ["", "-wal", "-shm"]) await rm(`${this.#path}${end}`, { force: true });
    return false;
  }

  async close(): Promise<void> {
    await this.#host.close();
  }
}
