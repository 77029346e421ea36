import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkLocales } from "./check-locales.ts";

describe("languages", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "threadlore-locales-"));
    writeFileSync(join(folder, "en.yml"), "panel:\n  title: Ask $1\n  stop: Stop\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("are whole: English, German, Spanish, French and Japanese", async () => {
    expect(await checkLocales(fileURLToPath(new URL("../../locales", import.meta.url)))).toEqual([]);
  });

  it("fail the build for a text that is missing, empty, too much, or keeps a placeholder to itself", async () => {
    writeFileSync(join(folder, "de.yml"), "panel:\n  title: Fragen\n  stop: ''\n  more: Mehr\n");
    writeFileSync(join(folder, "fr.yml"), "panel:\n  title: Demander $1\n");
    expect(await checkLocales(folder)).toEqual([
      "locales/de.yml: panel.title has other placeholders than English.",
      "locales/de.yml: panel.stop is empty.",
      "locales/de.yml: panel.more is not in English.",
      "locales/fr.yml: panel.stop is missing.",
    ]);
  });
});
