import { IngestionDocument } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import { weightOf } from "./document-weight.ts";

const weigh = (more: object): number =>
  weightOf(
    IngestionDocument.parse({
      id: "a",
      semantic_identifier: "A",
      sections: [{ text: "word" }],
      source: "web",
      ...more,
    }),
  );

describe("what writing a document weighs", () => {
  const light = weigh({});

  it.each([
    ["text", { sections: [{ text: "x".repeat(900_000) }] }],
    ["one long tag", { metadata: { note: "x".repeat(900_000) } }],
    ["many tags", { metadata: { tags: Array.from({ length: 900 }, (_, at) => `t${at}`) } }],
    ["many names of tags", { metadata: Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`t${at}`, "x"])) }],
    ["owners", { primary_owners: [{ display_name: "x".repeat(900_000) }] }],
    ["a title", { title: "x".repeat(900_000) }],
  ])("is much for %s", (_, more) => {
    expect(weigh(more)).toBeGreaterThan(light + 850_000);
  });

  it("is little for a usual one", () => {
    expect(light).toBeLessThan(2_000);
  });
});
