import { FileRefusedError } from "@threadlore/files";
import { pdfOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { documentFromPage, pdfPage, webId } from "../index.ts";

const ABOUT = "/Title (Travel rules) /Author (Ada) /ModDate (D:20260131100000+02'00')";
const RULES = pdfOf([["Trains before planes."], [], ["Hotels up to 120."]], { about: ABOUT });
const readAt = new Date("2026-11-21T10:00:00Z");
const read = (bytes: Uint8Array, url = "https://files.example/travel%20rules.pdf") => pdfPage(bytes, { url, readAt });

describe("a PDF that is open in a tab", () => {
  it("is a page with a part for each of its pages, and what it says about itself", async () => {
    expect(await read(RULES)).toMatchObject({
      contentType: "application/pdf",
      title: "Travel rules",
      authors: ["Ada"],
      modified: "2026-01-31T08:00:00Z",
      parts: [
        { fragment: "page=1", text: "Trains before planes." },
        { fragment: "page=3", text: "Hotels up to 120." },
      ],
      cut: false,
      privacy: [],
    });
  });

  it("becomes a document whose sections open at their page", async () => {
    const { document, hash } = await documentFromPage(
      await read(RULES, "https://files.example/a.pdf?utm_source=x#page=2"),
    );
    expect(document).toMatchObject({ source: "web", id: await webId("https://files.example/a.pdf") });
    expect(document.sections.map(({ link }) => link)).toEqual([
      "https://files.example/a.pdf#page=1",
      "https://files.example/a.pdf#page=3",
    ]);
    expect((await documentFromPage(await read(RULES))).hash).toBe(hash);
  });

  it("has the signs of its address, as every page has", async () => {
    expect((await read(RULES, "http://files.internal/a.pdf?token=abcdef0123456789")).privacy).toEqual([
      "intranet-host",
      "token-in-address",
    ]);
  });

  it("holds no more than it was allowed to, and says so", async () => {
    const page = await pdfPage(RULES, { url: "https://files.example/a.pdf", readAt, characters: 10 });
    expect(page).toMatchObject({ cut: true, parts: [{ fragment: "page=1" }] });
  });

  it.each([
    ["scanned", pdfOf([[], []])],
    ["damaged", new TextEncoder().encode("%PDF-1.7\nnothing")],
  ])("is refused with the reason: %s", async (reason, bytes) => {
    const refusal = await read(bytes).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FileRefusedError);
    expect(refusal).toMatchObject({ reason, file: "travel rules.pdf" });
  });
});
