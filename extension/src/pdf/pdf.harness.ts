/** A small PDF: one page for each list of lines, in Helvetica. A page without lines shows a grey box, as a scan does. */
export function makePdf(pages: readonly (readonly string[])[], title = "Travel rules"): Buffer {
  const content = (lines: readonly string[]) =>
    lines.length === 0
      ? "0.5 g 72 72 400 600 re f"
      : `BT /F1 12 Tf 72 720 Td ${lines.map((line) => `(${line}) Tj 0 -14 Td`).join(" ")} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${5 + 2 * index} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    `<< /Title (${title}) /Author (Ada Ames) /ModDate (D:20260131100000+02'00') >>`,
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${6 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content(lines).length} >>\nstream\n${content(lines)}\nendstream`,
    ]),
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const start = file.length;
  const size = objects.length + 1;
  file += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R >>\n`;
  return Buffer.from(`${file}startxref\n${start}\n%%EOF\n`);
}
