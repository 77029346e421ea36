import { docxOf, pdfOf } from "@threadlore/testkit/files";
import { describe, expect, it } from "vitest";
import { isQuickToRead } from "./file-text.ts";
import type { GivenFile } from "./given-file.ts";

const pdf = pdfOf([["A berth costs 412 crowns a night."]]);
const isQuick = (file: GivenFile) => isQuickToRead(file, 1_000_000);

describe("a file", () => {
  it("is read at once only where it is a text and not a long one", () => {
    expect(isQuick({ name: "tariff", bytes: pdf })).toBe(false);
    expect(isQuick({ name: "tariff.PDF", bytes: new Uint8Array() })).toBe(false);
    expect(isQuick({ name: "tariff", bytes: new Uint8Array(), kind: "pdf" })).toBe(false);
    expect(isQuick({ name: "plan", bytes: docxOf("<w:p/>") })).toBe(false);
    expect(isQuick({ name: "plan", bytes: new Uint8Array(), kind: "docx" })).toBe(false);
    expect(isQuick({ name: "long.txt", bytes: new Uint8Array(1_000_001) })).toBe(false);
    expect(isQuick({ name: "notes.md", bytes: new TextEncoder().encode("# Notes") })).toBe(true);
  });
});
