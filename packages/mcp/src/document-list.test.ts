import { expect, it } from "vitest";
import { documentPage } from "./document-list.ts";
import { knowledgeOf } from "./knowledge.ts";

/** A server that lists these, whatever it is asked. */
const listing = (documents: readonly unknown[]) =>
  knowledgeOf({ baseUrl: "http://127.0.0.1:8411/api", fetch: () => Promise.resolve(Response.json(documents)) });

const signal = new AbortController().signal;

it("a list of a server that has no pages ends with the first 500", async () => {
  const all = Array.from({ length: 700 }, (_, at) => ({ document_id: `d${at}`, semantic_id: `D ${at}`, link: "" }));
  const { resources, nextCursor } = await documentPage(listing(all), undefined, signal);
  expect(resources.map(({ name }) => name)).toEqual(all.slice(0, 500).map(({ semantic_id: title }) => title));
  expect(nextCursor).toBeUndefined();
});

it("a list of a server that gives the same page again and again ends", async () => {
  const all = Array.from({ length: 3_000 }, (_, at) => ({ document_id: `d${at}`, older: 9_000 - at }));
  const { nextCursor } = await documentPage(listing(all), undefined, signal);
  expect(nextCursor).toBe("the oldest 8501");
  expect((await documentPage(listing(all), "the oldest 5000", signal)).nextCursor).toBeUndefined();
});

it("a key that may not list has an empty list", async () => {
  const refusing = knowledgeOf({
    baseUrl: "http://127.0.0.1:8411/api",
    fetch: () => Promise.resolve(Response.json({ detail: "no" }, { status: 403 })),
  });
  expect(await documentPage(refusing, undefined, signal)).toEqual({ resources: [] });
});
