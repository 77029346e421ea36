import { NotFoundError } from "@threadlore/client";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { authorization, type ChatSubject, openChat, TWO_PAIRS, withTwoPairs } from "../chat.harness.ts";

const { site: SITE, staff: STAFF, both: BOTH } = TWO_PAIRS;

let subject: ChatSubject;

beforeEach(async () => {
  subject = await openChat({}, (db) => withTwoPairs(db, "ordinary"));
});
afterEach(() => subject.close());

interface Part {
  readonly text: string;
  readonly link?: string;
}

async function ingest(pair: number, id: string, sections: readonly Part[], metadata = {}): Promise<void> {
  const document = { id, semantic_identifier: `About ${id}`, source: "file", metadata, sections };
  await subject.call("POST", "/service-api/ingestion", { document, cc_pair_id: pair });
  await subject.service.drain();
}

const as = (apiKey: string): Deployment =>
  createDeployment({ baseUrl: subject.url, apiKey, fetch: subject.fetch, retries: { retries: 0 } });

describe("a search without an answer", () => {
  it("gives passages, the best first, with what is told of their documents", async () => {
    await ingest(2, "leave", [{ text: "Annual leave is 28 working days.", link: "https://wiki.test/leave" }]);
    await ingest(2, "garden", [{ text: "The garden is watered on working days." }]);
    const found = await as(SITE).search({ query: "How many days of annual leave?" });
    expect(found[0]).toMatchObject({
      document_id: "leave",
      title: "About leave",
      content: "Annual leave is 28 working days.",
      link: "https://wiki.test/leave",
      source_type: "file",
      citation_id: 1,
    });
    expect(Date.parse(found[0]?.updated_at ?? "")).toBeGreaterThan(0);
    expect(await as(SITE).search({ query: "zzqq" })).toEqual([]);
  });

  it("finds only what the key may see, and what the filters leave", async () => {
    await ingest(2, "site", [{ text: "The office opens at eight." }], { kind: "hours" });
    await ingest(3, "staff", [{ text: "The office opens at seven for cleaners." }]);
    const ids = async (key: string, more = {}) =>
      (await as(key).search({ query: "When does the office open?", ...more })).map(({ document_id: id }) => id);
    expect(await ids(SITE)).toEqual(["site"]);
    expect(await ids(STAFF)).toEqual(["staff"]);
    expect((await ids(BOTH)).toSorted()).toEqual(["site", "staff"]);
    expect(await ids(BOTH, { document_sets: ["Staff"] })).toEqual(["staff"]);
    expect(await ids(BOTH, { tags: [{ tag_key: "kind", tag_value: "hours" }] })).toEqual(["site"]);
    expect(await ids(BOTH, { time_cutoff: "2999-01-01T00:00:00Z" })).toEqual([]);
    expect(await ids(BOTH, { sources: ["web"] })).toEqual([]);
  });

  it("finds what lies at an address, for whoever may see it", async () => {
    await ingest(2, "yard", [{ text: "Cars stand in the yard.", link: "https://wiki.test/pages/3141#cars" }]);
    await ingest(3, "pay", [{ text: "Salaries are paid on the 25th.", link: "https://wiki.test/pages/2718/" }]);
    await ingest(2, "other", [{ text: "Pages 3141 and 2718 are in the wiki.", link: "https://wiki.test/pages/31415" }]);
    const ids = async (key: string, query: string, more = {}) =>
      (await as(key).search({ query, ...more })).map(({ document_id: id }) => id);
    expect(await ids(SITE, "https://wiki.test/pages/3141")).toEqual(["yard"]);
    expect(await ids(SITE, "https://wiki.test/pages/3141/#wheels")).toEqual(["yard"]);
    expect(await ids(SITE, "https://wiki.test/pages/2718")).toEqual([]);
    expect(await ids(STAFF, "https://wiki.test/pages/2718")).toEqual(["pay"]);
    expect(await ids(BOTH, "https://wiki.test/pages/2718", { document_sets: ["Site"] })).toEqual([]);
    expect(await ids(BOTH, "https://wiki.test/pages/2718", { sources: ["web"] })).toEqual([]);
    expect(await ids(BOTH, "https://wiki.test/%'OR'1'='1")).toEqual([]);
    const [yard] = await as(SITE).search({ query: "https://wiki.test/pages/3141" });
    expect(yard).toMatchObject({ title: "About yard", content: "Cars stand in the yard.", source_type: "file" });
  });

  it("says what is wrong with it", async () => {
    const send = async (body: unknown) => {
      const { status, text } = await subject.call("POST", "/search", body, authorization(SITE));
      return [status, text] as const;
    };
    expect(await send({ query: "" })).toEqual([422, expect.stringContaining("Say what to search for")]);
    const long = await send({ query: "x".repeat(2_049) });
    expect(long).toEqual([422, expect.stringContaining("at most 2048 characters")]);
    const foreign = await send({ query: "office", document_sets: ["Staff"] });
    expect(foreign).toEqual([422, expect.stringContaining('There is no document set \\"Staff\\"')]);
    for (const time_cutoff of ["yesterday", "2026-02-31T00:00:00Z"]) {
      const moment = await send({ query: "office", time_cutoff });
      expect(moment).toEqual([422, expect.stringContaining("2026-01-31T00:00:00Z")]);
    }
    expect(await send({ query: "office", persona_id: 99 })).toEqual([422, expect.stringContaining("no persona 99")]);
  });
});

describe("a document that is read", () => {
  it("comes whole, with the link of each part", async () => {
    const parts = [{ text: "First part.", link: "https://wiki.test/a#1" }, { text: "Second part." }];
    await ingest(2, "a", parts);
    expect(await as(SITE).documentText("a")).toMatchObject({
      document_id: "a",
      title: "About a",
      link: "https://wiki.test/a#1",
      length: 23,
      next: null,
      pieces: [
        { text: "First part.", link: "https://wiki.test/a#1" },
        { text: "Second part.", link: null },
      ],
    });
  });

  it("comes in stretches that give all of it once, and cut no character", async () => {
    const text = Array.from({ length: 400 }, (_, index) => `Line ${index} 🫖🏽 茶を飲む。`).join("\n");
    await ingest(2, "long", [{ text }, { text: "🫖".repeat(500) }]);
    let read = "";
    let from: number | null = 0;
    let calls = 0;
    while (from !== null) {
      const stretch = await as(SITE).documentText("long", { from, most: 777 });
      const given = stretch.pieces.map((piece) => piece.text).join("");
      expect(given.length).toBeLessThanOrEqual(777);
      expect(given.isWellFormed()).toBe(true);
      read += given;
      from = stretch.next;
      calls++;
    }
    expect(read).toBe(text + "🫖".repeat(500));
    expect(calls).toBeGreaterThan(8);
  });

  it("is read by page where it has pages", async () => {
    const pages = [1, 2, 3, 4].map((page) => ({ text: `Page ${page}.`, link: `https://wiki.test/a.pdf#page=${page}` }));
    await ingest(2, "a.pdf", pages);
    const read = async (wanted: string) =>
      (await as(SITE).documentText("a.pdf", { pages: wanted })).pieces.map(({ text }) => text);
    expect(await read("3")).toEqual(["Page 3."]);
    expect(await read("2-3")).toEqual(["Page 2.", "Page 3."]);
    await expect(read("9")).rejects.toThrow("no such page");
    await expect(read("x")).rejects.toThrow("range such as 3-5");
    await ingest(2, "plain", [{ text: "No pages." }]);
    await expect(as(SITE).documentText("plain", { pages: "1" })).rejects.toThrow("no pages");
  });

  it("is for those who may see it, and others are not told that it is there", async () => {
    await ingest(3, "secret", [{ text: "The safe's number is 4711." }]);
    const refusal = await as(SITE)
      .documentText("secret")
      .catch((error: unknown) => error);
    const unknown = await as(SITE)
      .documentText("nowhere")
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(NotFoundError);
    expect((refusal as Error).message).toBe((unknown as Error).message);
    expect((await as(STAFF).documentText("secret")).pieces).toHaveLength(1);
  });

  it("is named with its pair where two have the same id", async () => {
    await ingest(2, "index.md", [{ text: "Of the site." }]);
    await ingest(3, "index.md", [{ text: "Of the staff." }]);
    const textOf = async (key: string, id: string) => (await as(key).documentText(id)).pieces[0]?.text;
    expect(await textOf(SITE, "index.md")).toBe("Of the site.");
    await expect(textOf(BOTH, "index.md")).rejects.toThrow("index.md (pair 3)");
    expect(await textOf(BOTH, "index.md (pair 3)")).toBe("Of the staff.");
    await expect(textOf(SITE, "index.md (pair 3)")).rejects.toBeInstanceOf(NotFoundError);
    // The names a search gives are those that are read.
    for (const { document_id: id } of await as(BOTH).search({ query: "the site, the staff" })) {
      expect(await textOf(BOTH, id ?? "")).toMatch(/^Of the /);
    }
  });
});
