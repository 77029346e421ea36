/** A small PDF for tests: one page per list of lines. `trailer` adds to its last dictionary, such as `/Encrypt …`. */
export function pdfOf(pages: readonly (readonly string[])[], trailer = ""): Uint8Array<ArrayBuffer> {
  const drawn = (lines: readonly string[]) =>
    `BT /F1 12 Tf 72 720 Td ${lines.map((line) => `(${line}) Tj 0 -14 Td`).join(" ")} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, page) => `${4 + 2 * page} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (const [page, lines] of pages.entries()) {
    const resources = "/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>";
    objects.push(`<< /Type /Page /Parent 2 0 R ${resources} /Contents ${5 + 2 * page} 0 R >>`);
    objects.push(`<< /Length ${drawn(lines).length} >>\nstream\n${drawn(lines)}\nendstream`);
  }
  let file = "%PDF-1.4\n";
  let table = "0000000000 65535 f \n";
  for (const [index, object] of objects.entries()) {
    table += `${String(file.length).padStart(10, "0")} 00000 n \n`;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const size = objects.length + 1;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return new TextEncoder().encode(`${file}xref\n0 ${size}\n${table}${end}`);
}

/** What a PDF says that opens with a password only. */
export const LOCKED =
  `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 ` +
  `/O <${"0f".repeat(32)}> /U <${"f0".repeat(32)}> >>`;
