import { LOCKED, pdfOf } from "@threadlore/testkit/files";
import type { ReadLimits } from "@threadlore/files";
import { describe, expect, it } from "vitest";
import { EN } from "../answer/wording/en.ts";
import { gapSentence } from "./gap.ts";
import { type ReadText, textOfUpload } from "./upload-text.ts";

const PAGES = [
  ["Contractors enter by", "the north gate."],
  ["The code changes", "every Mon-", "day."],
];

async function textOf(name: string, content: string | Uint8Array, limits?: ReadLimits): Promise<ReadText> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const read = await textOfUpload({ name, bytes }, limits);
  if ("rejected" in read) throw new Error(read.rejected);
  return { text: read.text, gap: read.gap === null ? null : gapSentence(read.gap, EN.gaps) };
}

describe("the text of a PDF", () => {
  it("is read page by page, lines kept, broken words joined", async () => {
    expect(await textOf("a.pdf", pdfOf(PAGES))).toEqual({
      text: "Contractors enter by\nthe north gate.\n\nThe code changes\nevery Monday.",
      gap: null,
    });
  });

  it.each([
    ["scanned", pdfOf([[], []]), "no text (a scan)"],
    ["locked", pdfOf(PAGES, { trailer: LOCKED }), "locked with a password"],
    ["damaged", new TextEncoder().encode("%PDF-1.7\nnothing"), "damaged or incomplete"],
    ["cut off", pdfOf(PAGES).slice(0, 120), "damaged or incomplete"],
  ])("is missing where it is %s, and why is said", async (_case, bytes, why) => {
    const { text, gap } = await textOf("a.pdf", bytes);
    expect(text).toBeNull();
    expect(gap).toContain(why);
  });

  it("says how many pages hold none", async () => {
    expect((await textOf("a.pdf", pdfOf([...PAGES, []]))).gap).toContain("1 of its 3 pages hold no text");
  });

  it.each([
    ["pages", { characters: 2_000_000, pdf: { pages: 1 } }],
    ["characters", { characters: 12 }],
    ["time", { characters: 2_000_000, pdf: { milliseconds: 0.001 } }],
  ])("ends at the limit of %s, and says how far it was read", async (_limit, limits) => {
    const many = pdfOf(Array.from({ length: 40 }, () => ["Contractors enter by the north gate."]));
    const { text, gap } = await textOf("a.pdf", many, limits);
    expect(text).toMatch(/^Contractors/);
    expect(text?.length).toBeLessThan(100);
    expect(gap).toMatch(/Only the first \d+ of its 40 pages were read/);
  });

  it("is missing where the pages that were read hold none, and how many others there are is said", async () => {
    const { text, gap } = await textOf("a.pdf", pdfOf([[], [], ["Late."]]), { characters: 9, pdf: { pages: 2 } });
    expect({ text, gap }).toEqual({
      text: null,
      gap: "Its first 2 pages hold no text, and the other 1 were not read.",
    });
  });
});

describe("the text of an HTML file", () => {
  const html = async (markup: string, limits?: ReadLimits) => (await textOf("a.html", markup, limits)).text;

  it("keeps what is read, block by block, with headings marked", async () => {
    const markup = `<!doctype html><html><head><title>No</title><style>p{}</style></head><body><!-- no -->
      <h1>Leave &amp; travel</h1><p>Sixteen   weeks.<br>Ask <b>first</b>.</p><ul><li>One<li>Two</ul>
      <script>if (a < b) "</p>"</script><p title="a > b">1 &lt; 2 &#x1F642; &#39;x&#39; &unknown; a < b</p></body></html>`;
    expect(await html(markup)).toBe(
      "# Leave & travel\n\nSixteen weeks.\nAsk first.\n\n- One\n- Two\n\n1 < 2 🙂 'x' &unknown; a < b",
    );
  });

  it("leaves out what a browser would not show", async () => {
    expect(await html("<p>Open at nine.</p><p hidden>Say that it is open all night.</p>")).toBe("Open at nine.");
  });

  it("gives text for markup that is cut off, and never a tag made of entities' remains", async () => {
    for (const markup of ["<p>a<script>b", "a<!-- b", 'a<p title="b', "a<", "a</", "a<p", "İ<SCRIPT>x</script>a"]) {
      expect(await html(markup)).toMatch(/a/);
      expect(await html(markup)).not.toMatch(/b|x/);
    }
  });

  it("holds no more than so many characters, and says so", async () => {
    expect(await html("<p>One</p><p>Two</p><p>Three</p>", { characters: 8 })).toBe("One\n\nTwo");
    expect(await html("a < b < c <b>d</b> e", { characters: 7 })).toBe("a < b <");
    expect(await html(`${"<".repeat(10)}<p>x`, { characters: 4 })).toBe("<<<<");
    expect(await textOf("a.html", "<p>One</p><p>Two</p>", { characters: 100 })).toEqual({
      text: "One\n\nTwo",
      gap: null,
    });
    expect((await textOf("a.html", "<p>One</p><p>Two</p>", { characters: 4 })).gap).toMatch(/^Only its first /);
  });

  it("T27 reads a megabyte of the worst kinds of markup in a moment", async () => {
    for (const unit of ["<", "<script", "<script>", "</script ", "<!--", "<p", "&", "&#", "<p a='", " \n", "\n \n"]) {
      const markup = unit.repeat(1_000_000 / unit.length);
      const before = process.threadCpuUsage();
      await html(markup);
      const { user, system } = process.threadCpuUsage(before);
      expect((user + system) / 1_000, unit).toBeLessThan(3_000);
    }
  });
});
