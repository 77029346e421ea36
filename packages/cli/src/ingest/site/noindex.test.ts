import { describe, expect, it } from "vitest";
import { headerForbids, pageForbids } from "./noindex.ts";

const page = (head: string): Uint8Array => new TextEncoder().encode(`<!doctype html><head>${head}</head><p>Text.`);

describe("a page that asks not to be taken", () => {
  it.each(["noindex", "nofollow, NOINDEX", "none", "threadlore: noindex", "*: none", "other: nofollow, noindex"])(
    "by the header %s",
    (header) => expect(headerForbids(header, "threadlore")).toBe(true),
  );
  it.each(["nofollow", "other: noindex", "unavailable_after: 25 Jun 2010 15:00:00 PST", "max-snippet:0", "noindexes"])(
    "not by the header %s",
    (header) => expect(headerForbids(header, "threadlore")).toBe(false),
  );
  it.each(['<META NAME="Robots" CONTENT="nofollow,NoIndex">', "<meta content=none name=threadlore>"])("by %s", (head) =>
    expect(pageForbids(page(head), "threadlore")).toBe(true),
  );
  it.each(['<meta name="robots" content="index">', '<!-- <meta name="robots" content="noindex"> -->', ""])(
    "not by %j",
    (head) => expect(pageForbids(page(head), "threadlore")).toBe(false),
  );

  it("is looked for in a moment, however deep its elements lie", () => {
    const deep = `<meta name="robots" content="noindex">${"<b>".repeat(300_000)}`;
    expect(pageForbids(page(deep), "threadlore")).toBe(true);
  });
});
