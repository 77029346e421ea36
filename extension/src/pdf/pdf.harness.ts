import { pdfOf } from "@threadlore/testkit/files";

/** A small PDF by Ada Ames: one page for each list of lines. A page without lines shows a grey box, as a scan does. */
export function makePdf(pages: readonly (readonly string[])[], title = "Travel rules"): Buffer {
  const about = `/Title (${title}) /Author (Ada Ames) /ModDate (D:20260131100000+02'00')`;
  return Buffer.from(pdfOf(pages, { about }));
}
