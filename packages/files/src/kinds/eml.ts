import type { FileText, GivenFile, ReadLimits } from "../given-file.ts";
import type { KindText, Part } from "../part.ts";
import { asRefusal, FileRefusedError } from "../refusal.ts";
import { oneLine } from "../text/visible-text.ts";
import { partsOfHtml } from "./html.ts";

/** Attachments that are read; all are named. */
const MAX_READ = 20;
/** Names of attachments that are listed. */
const MAX_NAMED = 100;
/** Messages within messages, and attachments within these. */
const MAX_DEPTH = 2;
/** Persons who are named of those it went to. */
const MAX_PERSONS = 50;
/** Parts within each other, and bytes of all heads. */
const MAX_NESTED = 30;
const MAX_HEADS = 1_000_000;

/** How attachments are read: as files by themselves. */
export type ReadFile = (file: GivenFile, limits: ReadLimits, depth: number) => Promise<FileText>;

/**
 * Reads a message (EML) with postal-mime, which is loaded on first use: under its subject who wrote it to whom and when, the
 * names of what is attached, and its text, of several the one with headings and tables; then what is attached, where it is of a
 * kind that is read: 20 files, two messages deep. Throws FileRefusedError for what is none, or is encrypted.
 */
export async function partsOfEml(
  file: GivenFile,
  limits: ReadLimits,
  { read, depth = 0 }: { readonly read: ReadFile; readonly depth?: number },
): Promise<KindText> {
  const message = await parsed(file);
  const { subject = "", from, to = [], cc = [], date, attachments } = message;
  if (message.headers.length === 0) throw new FileRefusedError("damaged", file.name, { detail: "it is no message" });
  if (attachments.some(({ mimeType }) => LOCKED.test(mimeType)) && !hasBody(message)) {
    throw new FileRefusedError("encrypted", file.name, { detail: "the message is encrypted" });
  }
  const named = attachments.filter(({ filename, mimeType }) => filename !== null || mimeType === MESSAGE);
  const lines = [
    line("From", from === undefined ? [] : [from]),
    line("To", to),
    line("Cc", cc),
    date === undefined ? "" : `Date: ${date}`,
    named.length === 0 ? "" : `Attachments: ${namesOf(named).join(", ")}`,
  ].filter((one) => one !== "");
  const body = bodyOf(message, limits.characters);
  const heading = oneLine(subject);
  const parts = underSubject(heading, lines.join("\n"), body.parts);
  let left = limits.characters - lengthOf(parts);
  let cut = body.cut === true;
  if (depth < MAX_DEPTH) {
    for (const attachment of named.slice(0, MAX_READ)) {
      if (left <= 0) break;
      const attached = await partsOfAttachment(attachment, { read, depth, limits: { ...limits, characters: left } });
      parts.push(...attached.parts);
      left -= lengthOf(attached.parts);
      cut ||= attached.cut;
    }
  }
  return {
    parts,
    title: heading,
    authors: from === undefined || from.name === "" ? [] : [from.name],
    updated: date,
    metadata: { from: personsOf(from === undefined ? [] : [from]), to: personsOf(to) },
    hiddenCharacters: body.hiddenCharacters ?? 0,
    cut: cut || left <= 0,
  };
}

type Message = Awaited<ReturnType<typeof parsed>>;
type Attachment = Message["attachments"][number];
type Person = NonNullable<Message["from"]>;

const MESSAGE = "message/rfc822";
const LOCKED = /^application\/(?:(?:x-)?pkcs7-mime|pgp-encrypted)$/;

async function parsed({ bytes, name }: GivenFile) {
  const { default: PostalMime } = await import("postal-mime");
  try {
    // Of a part of a buffer it would make a copy.
    const isWhole = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
    return await PostalMime.parse(isWhole ? bytes.buffer : bytes, {
      forceRfc822Attachments: true,
      maxNestingDepth: MAX_NESTED,
      maxHeadersSize: MAX_HEADS,
    });
  } catch (error) {
    throw new FileRefusedError("damaged", name, { cause: error });
  }
}

const hasBody = ({ text = "", html = "" }: Message): boolean => `${text}${html}`.trim() !== "";

/** Of a page and a plain text that say the same, the page: what was a heading or a table is one there. */
function bodyOf(
  { text = "", html = "" }: Message,
  characters: number,
): Pick<KindText, "parts" | "hiddenCharacters" | "cut"> {
  const page = html.trim() === "" ? undefined : partsOfHtml(html, characters);
  const isPage = page !== undefined && lengthOf(page.parts) > 0;
  if (isPage)
    return { ...page, parts: page.parts.map(({ level, heading, text: words }) => ({ level, heading, text: words })) };
  return { parts: [{ level: 0, heading: "", text }], cut: text.length > characters };
}

const lengthOf = (parts: readonly Part[]): number =>
  parts.reduce((sum, { heading, text }) => sum + heading.length + text.trim().length, 0);

/** The subject is the heading of all; what the body has of its own stands below it. */
function underSubject(subject: string, lines: string, body: readonly Part[]): Part[] {
  const [first, ...others] = body;
  const begins = first !== undefined && first.level === 0;
  const text = [lines, begins ? first.text.trim() : ""].filter((one) => one !== "").join("\n\n");
  const rest = begins ? others : body;
  const level = subject === "" ? 0 : 1;
  return [
    { level, heading: subject, text },
    ...rest.map((part) => ({ ...part, level: Math.min(6, part.level + level) })),
  ];
}

async function partsOfAttachment(
  attachment: Attachment,
  { read, depth, limits }: { readonly read: ReadFile; readonly depth: number; readonly limits: ReadLimits },
): Promise<{ parts: Part[]; cut: boolean }> {
  const [name = ""] = namesOf([attachment]);
  const bytes = attachment.content;
  // Pictures and what else has no text are named, and that is all.
  if (typeof bytes === "string" || /^(?:image|audio|video)\//.test(attachment.mimeType))
    return { parts: [], cut: false };
  try {
    const kind = attachment.mimeType === MESSAGE ? "eml" : undefined;
    const { parts, cut } = await read({ name, bytes: new Uint8Array(bytes), kind, takeOver: true }, limits, depth + 1);
    const telling = parts.filter(saysSomething).map((part) => underName(part, name));
    const named: Part[] = (telling[0]?.level ?? 1) > 1 ? [{ level: 1, heading: name, text: "" }] : [];
    return { parts: [...named, ...telling], cut };
  } catch (error) {
    // That it cannot be read makes the message no worse. A lack of memory is one.
    asRefusal(error);
    return { parts: [], cut: false };
  }
}

const saysSomething = ({ level, text }: Part): boolean => level > 0 || text.trim() !== "";

/** Without a place of its own: a link to the message does not lead into what is attached to it. */
function underName({ level, heading, text }: Part, name: string): Part {
  return level === 0 ? { level: 1, heading: name, text } : { level: Math.min(6, level + 1), heading, text };
}

function namesOf(attachments: readonly Attachment[]): string[] {
  return attachments
    .slice(0, MAX_NAMED)
    .map(({ filename, mimeType }) => oneLine(filename ?? "") || (mimeType === MESSAGE ? "message.eml" : "attachment"));
}

function personsOf(persons: readonly Person[]): string[] {
  const single = persons.slice(0, MAX_PERSONS).flatMap((person) => person.group?.slice(0, MAX_PERSONS) ?? [person]);
  return single.slice(0, MAX_PERSONS).map(({ name, address = "" }) => {
    const words = oneLine(name);
    if (words === "" || words === address) return oneLine(address);
    return address === "" ? words : `${words} <${oneLine(address)}>`;
  });
}

function line(what: string, persons: readonly Person[]): string {
  const shown = personsOf(persons).filter((person) => person !== "");
  return shown.length === 0 ? "" : `${what}: ${shown.join(", ")}`;
}
