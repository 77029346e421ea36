import { createHmac } from "node:crypto";
import { value, type Steps } from "../store/steps.ts";

/** Bytes of a hash that are kept: enough that no two are the same by chance. */
const HASH_BYTES = 15;

/**
 * What stands in the tables of gaps in place of names and words: a hash under a secret of this data alone. Who has the whole
 * database has the secret as well, and can try words; who has a part of it, a list or a log cannot.
 */
export class Hiding {
  readonly #secret: Buffer;

  /** @param secret hex */
  constructor(secret: string) {
    this.#secret = Buffer.from(secret, "hex");
  }

  /** What a question is about. */
  term(term: string): string {
    return this.#hash("term", term);
  }

  /** A question, by whoever told it and their name for it. */
  ref(user: string, ref: string): string {
    return this.#hash("ref", user, ref);
  }

  /** Whoever tells of questions. */
  caller(user: string): string {
    return this.#hash("caller", user);
  }

  /** Whose question it is, in the words of whoever told it. */
  asker(user: string, asker: string): string {
    return this.#hash("asker", user, asker);
  }

  /** The conversation a question was asked in here. */
  session(id: string): string {
    return this.#hash("session", id.toLowerCase());
  }

  #hash(...parts: readonly string[]): string {
    return createHmac("sha256", this.#secret)
      .update(JSON.stringify(parts.map((part) => part.toWellFormed())))
      .digest()
      .subarray(0, HASH_BYTES)
      .toString("base64url");
  }
}

/** What is hidden, and found again, is so with this. */
export function* hidingOf(): Steps<Hiding> {
  return new Hiding(yield* value<string>("SELECT secret FROM gap_book WHERE id = 1"));
}
