import type { KindText } from "../../part.ts";
import { partsOfHtml } from "../html.ts";
import { FileRefusedError } from "../../refusal.ts";
import { NamedTexts, type Properties, PROPERTIES, propertiesIn } from "./properties.ts";
import { XmlReading } from "../archive/xml.ts";
import { unpack, type ZipEntry, zipEntries } from "../archive/zip.ts";

const BODY = "word/document.xml";

/** Characters of markup, all parts together: a small archive can unfold to gigabytes (docs/threats.md, T26). */
const MAX_MARKUP = 60_000_000;

/**
 * Reads a Word document (DOCX, also with macros, which are left out) with mammoth, which is loaded on first use: headings
 * as sections, lists and tables as text, pictures by their descriptions. Throws FileRefusedError for what is damaged,
 * protected, or unfolds to more than 60 MB of markup.
 */
export async function partsOfDocx(bytes: Uint8Array, name: string): Promise<KindText> {
  const archive = ownBytes(bytes);
  const entries = zipEntries(archive);
  if (entries === "too many" || entries?.some((entry) => entry.name === BODY) !== true) {
    throw new FileRefusedError("damaged", name);
  }
  if (entries.some(({ encrypted }) => encrypted)) throw new FileRefusedError("encrypted", name);
  const properties = await checkedProperties(entries, name);
  try {
    const { default: mammoth } = await import("mammoth");
    // Node and pages are asked with different words.
    const input = { buffer: archive, arrayBuffer: archive.buffer };
    const { value } = await mammoth.convertToHtml(input as Parameters<typeof mammoth.convertToHtml>[0], {
      styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
      // A picture's bytes are never unpacked; its description stays.
      convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })),
    });
    const { parts, title, cut } = partsOfHtml(value);
    const macros = entries.some((entry) => entry.name === "word/vbaProject.bin");
    return { parts, cut, macros, ...properties, title: properties.title ?? title };
  } catch (error) {
    throw new FileRefusedError("damaged", name, { cause: error });
  }
}

/** Bytes that begin where their buffer does, which is what both the reader and mammoth take. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** Unpacks every part that mammoth will, to see that it is sound and not endless; answers what the document says of itself. */
async function checkedProperties(entries: readonly ZipEntry[], name: string): Promise<Properties> {
  let left = MAX_MARKUP;
  let properties: Properties = {};
  for (const entry of entries) {
    if (!/\.(?:xml|rels)$/i.test(entry.name)) continue;
    let markup: Uint8Array | undefined;
    try {
      markup = await unpack(entry, left);
    } catch (error) {
      throw new FileRefusedError("damaged", name, { cause: error });
    }
    if (markup === undefined) throw new FileRefusedError("too-large", name, { detail: "it unfolds to over 60 MB" });
    left -= markup.length;
    if (entry.name === PROPERTIES) properties = propertiesFrom(markup);
  }
  return properties;
}

function propertiesFrom(markup: Uint8Array): Properties {
  const texts = new NamedTexts();
  const reading = new XmlReading(texts);
  reading.write(markup);
  reading.end();
  return propertiesIn(texts);
}
