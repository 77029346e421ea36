import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Candidate, ingestAll, type IngestionPlan } from "./ingestion.ts";

/** A document that is read after a while, or cannot be. */
function candidate(name: string, afterMs: number, reason?: string): Candidate {
  return {
    name,
    read: async () => {
      await sleep(afterMs);
      if (reason !== undefined) throw new Error(reason);
      return {
        document: { id: name, sections: [{ text: name }], source: "file", metadata: {}, semantic_identifier: name },
        notes: [],
      };
    },
  };
}

const dryRun = (candidates: readonly Candidate[]): IngestionPlan => ({
  candidates,
  client: { ingest: () => Promise.reject(new Error("a dry run sends nothing")) },
  journal: { has: () => false, add: () => undefined, newest: () => undefined },
  server: "test",
  pair: null,
  concurrency: 4,
  signal: new AbortController().signal,
  dryRun: true,
});

describe("the report of a run", () => {
  it("keeps the order of the candidates, whichever was ready first", async () => {
    const { fates, refused } = await ingestAll(
      dryRun([
        candidate("a", 40),
        candidate("b", 30, "unreadable"),
        candidate("c", 20),
        candidate("d", 10, "empty"),
        candidate("e", 0),
      ]),
    );
    expect(fates.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e"]);
    expect(refused).toEqual([
      { name: "b", reason: "unreadable" },
      { name: "d", reason: "empty" },
    ]);
  });
});
