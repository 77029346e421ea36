/** A file of a form: what it says of itself, and where in the body its bytes are. */
export interface FormFile {
  readonly name: string;
  /** As it was sent; "" when it was not. */
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** The files of a form's field; or what is wrong with the form. */
export type FormFiles = { readonly files: readonly FormFile[] } | { readonly wrong: "no form" | "too many" };

/** A part's header lines. */
const MAX_HEAD_LENGTH = 16_384;
const NO_FORM = { wrong: "no form" } as const;

/**
 * Takes a multipart form apart (RFC 7578, with names as browsers write them), without copying any of it.
 * @param field name of the form field whose files are wanted; others are passed over
 * @param most parts of any kind; with more, none is looked at
 */
export function filesOfForm(body: Buffer, contentType: string, field: string, most: number): FormFiles {
  const boundary = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return NO_FORM;
  const starts = partStarts(body, Buffer.from(`--${mark}`, "latin1"), most);
  if (starts === undefined) return NO_FORM;
  if (starts === "too many") return { wrong: "too many" };
  const files: FormFile[] = [];
  for (const { start, end } of starts) {
    const head = body.subarray(start, Math.min(end, start + MAX_HEAD_LENGTH)).indexOf("\r\n\r\n");
    if (head < 0) return NO_FORM;
    const { name, filename, type } = described(body.toString("utf8", start, start + head));
    if (name === undefined) return NO_FORM;
    if (name === field && filename !== undefined) files.push({ name: filename, type, start: start + head + 4, end });
  }
  return { files };
}

/** Where each part begins and ends; undefined where the form does not end as one. */
function partStarts(body: Buffer, mark: Buffer, most: number) {
  const parts: { start: number; end: number }[] = [];
  const next = Buffer.concat([Buffer.from("\r\n"), mark]);
  let at = body.subarray(0, mark.length).equals(mark) ? 0 : body.indexOf(next) + 2;
  if (at === 1) return undefined;
  for (;;) {
    const behind = at + mark.length;
    if (body.toString("latin1", behind, behind + 2) === "--") return parts;
    const start = endOfLine(body, behind);
    // The line end in front of the next mark is that mark's, also where the part is empty.
    const end = start === undefined ? -1 : body.indexOf(next, start - 2);
    if (start === undefined || end < 0) return undefined;
    if (parts.length >= most) return "too many";
    parts.push({ start, end: Math.max(start, end) });
    at = end + 2;
  }
}

/** Behind the line end that follows, and blanks before it. */
function endOfLine(body: Buffer, from: number): number | undefined {
  let at = from;
  while (body[at] === 0x20 || body[at] === 0x09) at++;
  return body[at] === 0x0d && body[at + 1] === 0x0a ? at + 2 : undefined;
}

function described(head: string): { name?: string; filename?: string; type: string } {
  let type = "";
  let disposition = "";
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name === "content-type") type = line.slice(colon + 1).trim();
    if (name === "content-disposition") disposition = line.slice(colon + 1).trim();
  }
  if (!/^form-data\s*;/i.test(disposition)) return { type };
  const name = parameter(disposition, "name");
  const filename = parameter(disposition, "filename");
  return { type, ...(name !== undefined && { name }), ...(filename !== undefined && { filename }) };
}

/** Browsers write quotes and line ends in names as percent signs, and nothing else so. */
function parameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]+))`, "i").exec(disposition);
  const value = found?.[1] ?? found?.[2];
  return value?.replace(/%0A/gi, "\n").replace(/%0D/gi, "\r").replace(/%22/g, '"');
}
