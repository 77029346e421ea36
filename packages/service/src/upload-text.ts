import { textOfHtml } from "./html-text.ts";
import { type PdfLimits, readPdf, type ReadText } from "./pdf-pages.ts";

/** What could be read out of an uploaded file, or why the file is not kept. */
export type UploadText = ReadText | { readonly rejected: string };

/** Characters that are kept of one text: as much as an answer reads of it. */
const MOST_CHARACTERS = 2_000_000;
const USUAL: PdfLimits = { pages: 1_000, characters: MOST_CHARACTERS, budgetMs: 10_000 };
/** What is decoded at one time, bytes. */
const STEP = 1_000_000;

const NOT_TEXT = { rejected: "The file is not UTF-8 text. Save it as UTF-8, then send it again." };
const CUT = `Only its first ${MOST_CHARACTERS.toLocaleString("en")} characters were read. Send the rest as a file of its own.`;

/**
 * The text of an uploaded file. It may take much memory and time: what is large, or a PDF, is read by a reader.
 * @param bytes of no use afterwards: they are taken over
 */
export async function textOfUpload(
  mediaType: string,
  bytes: Uint8Array<ArrayBuffer>,
  limits: Partial<PdfLimits> = {},
): Promise<UploadText> {
  if (mediaType === "application/pdf") return await readPdf(bytes, { ...USUAL, ...limits });
  if (mediaType !== "text/html") return plainText(bytes);
  // Most of it is markup, so all of it has to be there.
  const html = utf8(bytes);
  if (html === undefined) return NOT_TEXT;
  const text = textOfHtml(html, MOST_CHARACTERS + 1);
  return beginning(text, text.length > MOST_CHARACTERS);
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** UTF-8 to its end, of which no more is kept in memory than is wanted. */
function plainText(bytes: Uint8Array): { text: string; gap: string | null } | typeof NOT_TEXT {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const texts: string[] = [];
  let length = 0;
  try {
    for (let at = 0; at < bytes.length; at += STEP) {
      const step = bytes.subarray(at, at + STEP);
      const text = decoder.decode(step, { stream: at + STEP < bytes.length });
      if (length <= MOST_CHARACTERS) texts.push(text);
      length += text.length;
    }
  } catch {
    return NOT_TEXT;
  }
  return beginning(texts.join(""), length > MOST_CHARACTERS);
}

function beginning(text: string, cut: boolean): { text: string; gap: string | null } {
  return cut ? { text: text.slice(0, MOST_CHARACTERS).toWellFormed(), gap: CUT } : { text, gap: null };
}
