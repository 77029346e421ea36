import type { KindText } from "../../part.ts";
import { FileRefusedError } from "../../refusal.ts";
import { Archive } from "../archive/archive.ts";
import { NamedTexts } from "../office/properties.ts";
import type { ContentReading } from "./content-reading.ts";
import { PresentationReading } from "./presentation.ts";
import { SpreadsheetReading } from "./spreadsheet.ts";
import { TextReading } from "./text-document.ts";

const CONTENT = "content.xml";

/**
 * Reads an OpenDocument file: a text (ODT) under its headings, of a spreadsheet (ODS) one part per sheet as of XLSX, of a
 * presentation (ODP) one part per slide as of PPTX. What is hidden is left out and counted.
 */
export async function partsOfOpenDocument(
  bytes: Uint8Array,
  file: string,
  kind: "odt" | "ods" | "odp",
  characters: number,
): Promise<KindText> {
  const archive = new Archive(bytes, file);
  await refuseProtected(archive);
  const texts = new NamedTexts();
  await archive.read("meta.xml", texts);
  const reading = readingOf(kind, characters);
  const isWhole = await archive.read(CONTENT, reading);
  if (!isWhole && !archive.has(CONTENT)) throw new FileRefusedError("damaged", file);
  const content = reading.result();
  const tags = texts.all("meta:keyword");
  return {
    ...content,
    title: texts.first("dc:title") ?? content.title,
    authors: texts.all("meta:initial-creator").slice(0, 1),
    updated: texts.first("dc:date"),
    metadata: { tags: tags.length === 0 ? undefined : tags },
    macros: archive.names().some((name) => name.startsWith("basic/") && !name.endsWith("-lc.xml")),
  };
}

function readingOf(kind: "odt" | "ods" | "odp", characters: number): ContentReading {
  if (kind === "odt") return new TextReading(characters);
  return kind === "ods" ? new SpreadsheetReading(characters) : new PresentationReading(characters);
}

/** Behind a password the parts are there, and say nothing; newer programs put one part in their place. */
async function refuseProtected(archive: Archive): Promise<void> {
  let isProtected = archive.has("encrypted-package");
  await archive.read("META-INF/manifest.xml", {
    open: (name) => {
      isProtected ||= name === "manifest:encryption-data";
    },
    close: () => undefined,
    text: () => undefined,
  });
  if (isProtected) throw new FileRefusedError("encrypted", archive.file);
}
