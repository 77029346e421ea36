import {
  IngestionDocument,
  type IngestionDocumentInput,
  KEPT_ENTRY,
  type Metadata,
  type Owner,
} from "@threadlore/client/models";
import { type Part, visibleText } from "@threadlore/files";
import { shownLine } from "../text.ts";
import { answerMetadata, type AnswerFacts, askedAsSection } from "./answer.ts";
import { CUT_NOTE, type MadeDocument, type SectionLimits, sectionsOf } from "../document/sections.ts";

/** Somebody who wrote or kept a message. */
export interface ChatPerson {
  /** As others see it. */
  readonly name: string;
  readonly email?: string;
}

/** A message quoted, shared or forwarded into another one, or the preview of a link. */
export interface QuotedMessage {
  /** Who or what it is from: a person, a channel, a site. Absent: not told. */
  readonly from?: string;
  /** Markdown, as in {@link ThreadMessage}. */
  readonly text: string;
}

/** One message of a thread. */
export interface ThreadMessage {
  /** The platform's own timestamp, seconds since 1970 with a fraction: `1763712000.000100`. Names the message. */
  readonly ts: string;
  readonly author: ChatPerson;
  /** Markdown, with names in place of ids. */
  readonly text: string;
  /** When it was last edited, like `ts`. Absent: never. */
  readonly editedTs?: string;
  /** It is gone; nothing of it is kept. */
  readonly deleted?: boolean;
  readonly quotes?: readonly QuotedMessage[];
  /** Names of attached files. Their content is not part of the document; that they exist is. */
  readonly files?: readonly string[];
  /** Address of this message. */
  readonly permalink?: string;
}

/** A message somebody kept, with the thread around it; or what an export of the platform has of a thread or a day. */
export interface ChatThread {
  /** Id of the workspace. */
  readonly team: string;
  readonly channel: {
    readonly id: string;
    /** Without `#`. */
    readonly name: string;
    readonly kind: "public" | "private" | "group" | "direct";
  };
  /** The kept message: it gives the id and the title. It need not be the first. Of a channel's day its date. */
  readonly ts: string;
  /** Oldest first. */
  readonly messages: readonly ThreadMessage[];
  /** Who pinned or added it. Absent: nobody chose it, it came with an export. */
  readonly keptBy?: ChatPerson;
  /** Default `pinned`. `answer`: what its author wrote to answer a question, which is then the title. */
  readonly how?: "pinned" | "added" | "answer";
  /** Of an answer: what else is told of it. */
  readonly answer?: AnswerFacts;
  /** Instead of the first line of the kept message. */
  readonly title?: string;
  /** Messages of the thread that are not among `messages`; the document says how many. Default 0. */
  readonly leftOut?: number;
  /** The thread began before the first of `messages`, nobody knows with what; the document says so. Default false. */
  readonly headless?: boolean;
  /** The thread goes on after the last of `messages`; the document's end says so. Default false. */
  readonly more?: boolean;
  readonly limits?: Partial<SectionLimits>;
}

/** A message with no text, no file and no quotation: nothing in it could ever be found. */
export class EmptyThreadError extends Error {
  override readonly name = "EmptyThreadError";

  constructor() {
    super("There is no text in this message. Pin one that says something, or write it out.");
  }
}

/** Origin system of every such document. */
const SOURCE = "slack";
/** Two hundred pages: more than any thread people read to its end. */
const LIMITS: SectionLimits = { sectionCharacters: 8_000, totalCharacters: 200_000, sections: 1_000 };
/** Messages are put together up to this length: short ones make sense only beside each other. UTF-16 units. */
const GROUP_CHARACTERS = 2_000;
const HEADLESS = "[This thread began earlier; its beginning is not here.]";
const MAX_TITLE = 120;
const MAX_NAME = 120;
const MAX_OWNERS = 50;

/**
 * Id of a kept message: `slack-{team}-{channel}-{ts}`. Anything but letters, digits, `_`, `.` and `-` in the three
 * becomes `_`, so that every server keeps it as it is.
 */
export function threadId(team: string, channel: string, ts: string): string {
  return [SOURCE, team, channel, ts].map((part) => part.replace(/[^A-Za-z0-9_.-]/g, "_")).join("-");
}

/**
 * Makes a document of a kept message and its thread. It passes the IngestionDocument model, is the same for the same
 * thread whenever it is made, and links each section to the message it begins with. A message alone is kept as it
 * reads; in a thread each is headed by its author and moment.
 *
 * Throws EmptyThreadError when nothing in the thread could be found.
 */
export function documentFromThread(thread: ChatThread): MadeDocument {
  const kept = thread.messages.filter((message) => message.deleted !== true && bodyOf(message) !== "");
  const dropped = visibleText(kept.map(({ text }) => text).join("\n")).dropped;
  const { more = false, keptBy } = thread;
  const limits = { ...LIMITS, ...thread.limits };
  const { sections, cut } = sectionsOf(groupsOf(kept, thread), { limits, more });
  if (sections.length === 0) throw new EmptyThreadError();
  const asked = thread.answer === undefined ? "" : askedAsSection(thread.answer);
  const document = IngestionDocument.parse({
    id: threadId(thread.team, thread.channel.id, thread.ts),
    semantic_identifier: titleOf(thread, kept),
    sections: asked === "" ? sections : [...sections, { text: asked, link: sections[0]?.link }],
    source: SOURCE,
    metadata: metadataOf(thread, kept),
    doc_updated_at: updatedAt(kept),
    primary_owners: ownersOf(kept.map(({ author }) => author)),
    secondary_owners: ownersOf(keptBy === undefined ? [] : [keptBy]),
  });
  return { document, notes: notesOf(kept, dropped, cut) };
}

/** What is still said of a message that is no longer kept. */
export interface TombstoneFacts {
  readonly team: string;
  readonly channel: ChatThread["channel"];
  readonly ts: string;
  readonly why: "unpinned" | "deleted" | "removed";
  /** When it happened, milliseconds since 1970. */
  readonly at: number;
}

/**
 * The document that replaces a kept message where a server cannot delete: same id, nothing of its text, title, authors
 * or address. `at` must not lie before the message's last edit, which keeping the order of events ensures.
 */
export function tombstone(facts: TombstoneFacts): IngestionDocumentInput {
  const { team, channel, ts, why, at } = facts;
  const moment = new Date(at).toISOString();
  const place = channel.kind === "public" ? ` in #${shown(channel.name)}` : "";
  return IngestionDocument.parse({
    id: threadId(team, channel.id, ts),
    semantic_identifier: "A message that is no longer kept",
    sections: [{ text: `This message was ${why}${place} on ${moment.slice(0, 10)}; its text is no longer kept here.` }],
    source: SOURCE,
    metadata: { state: why, channel_id: channel.id },
    doc_updated_at: moment,
    primary_owners: [],
    secondary_owners: [],
  });
}

/** Consecutive messages together, each group linking to its first one. */
function groupsOf(
  messages: readonly ThreadMessage[],
  { leftOut = 0, headless = false, keptBy }: Pick<ChatThread, "leftOut" | "headless" | "keptBy">,
): Part[] {
  // What an export has of a day may be one message today and several tomorrow; what was kept alone stays so.
  const alone = messages.length === 1 && leftOut === 0 && keptBy !== undefined;
  const groups: { texts: string[]; length: number; link: string | undefined }[] = [];
  for (const message of messages) {
    const body = bodyOf(message);
    const text = alone ? body : `${headingOf(message)}\n${body}`;
    const last = groups.at(-1);
    if (last !== undefined && last.length + text.length <= GROUP_CHARACTERS) {
      last.texts.push(text);
      last.length += text.length;
    } else {
      groups.push({ texts: [text], length: text.length, link: webAddress(message.permalink) });
    }
  }
  if (leftOut > 0) groups.at(0)?.texts.splice(1, 0, `[${counted(leftOut, "message")} left out here.]`);
  if (headless) groups.at(0)?.texts.unshift(HEADLESS);
  return groups.map(({ texts, link }) => ({ level: 0, heading: "", text: texts.join("\n\n"), link }));
}

function headingOf({ author, ts, editedTs }: ThreadMessage): string {
  const moment = momentOf(ts)?.slice(0, 16).replace("T", " ");
  const when = moment === undefined ? "" : `, ${moment} UTC`;
  return `${shown(author.name)}${when}${editedTs === undefined ? "" : " (edited)"}:`;
}

/** A message's words, where they were found behind the author and the moment that head it in a thread's document. */
export function withoutHeading(text: string): string {
  return text.replace(/^[^\n]{0,130}, \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC(?: \(edited\))?:\s+/, "");
}

/** What is to be read of a message: its words, what it quotes, and which files it carries. */
function bodyOf({ text, quotes = [], files = [] }: ThreadMessage): string {
  const quoted = quotes.flatMap(({ from, text: words }) => {
    const clean = visibleText(words).text.trim();
    if (clean === "") return [];
    const head = from === undefined ? "Forwarded message:" : `Forwarded message from ${shown(from)}:`;
    return [[head, ...clean.split("\n")].map((line) => `> ${line}`.trimEnd()).join("\n")];
  });
  const attached = files.length === 0 ? [] : [`[Attached, not read: ${files.map(shown).join(", ")}]`];
  return [visibleText(text).text.trim(), ...quoted, ...attached].filter((part) => part !== "").join("\n\n");
}

function titleOf({ title, ts, channel }: ChatThread, kept: readonly ThreadMessage[]): string {
  const given = shortened(shown(title ?? ""));
  if (given !== "") return given;
  const message = kept.find((one) => one.ts === ts) ?? kept[0];
  const lines = visibleText(message?.text ?? "").text.split("\n");
  // A fence's own line and a line of nothing but marks say nothing.
  const first = lines
    .filter((line) => !line.startsWith("```"))
    .map(plainLine)
    .find((line) => /[\p{L}\p{N}]/u.test(line));
  if (first !== undefined) return shortened(first);
  const author = message === undefined ? "" : ` by ${shown(message.author.name)}`;
  return shortened(`Message${author} in #${shown(channel.name)}`);
}

/** One line of markdown without its marks, as a title is shown. */
function plainLine(line: string): string {
  return shown(
    line
      .replace(/^\s*(?:#{1,6}|>|[-*+•]|\d{1,3}[.)])\s+/, "")
      .replace(/\[([^\][]{1,300})\]\([^()\s]{1,2000}\)/g, "$1")
      .replace(/(\*\*|~~|`)/g, ""),
  );
}

function shortened(title: string): string {
  if (title.length <= MAX_TITLE) return title;
  const view = title.slice(0, MAX_TITLE - 1).toWellFormed();
  const space = view.lastIndexOf(" ");
  return `${(space > MAX_TITLE / 2 ? view.slice(0, space) : view).trimEnd()}…`;
}

const VISIBILITY: Readonly<Record<ChatThread["channel"]["kind"], string>> = {
  public: "public channel",
  private: "private channel",
  group: "group conversation",
  direct: "direct conversation",
};

const KEPT_BY = { pinned: "pinned_by", added: "added_by", answer: "answered_by" } as const;

function metadataOf(thread: ChatThread, kept: readonly ThreadMessage[]): Metadata {
  const { team, channel, keptBy, how = "pinned", answer } = thread;
  return {
    channel: shown(channel.name),
    channel_id: channel.id,
    team,
    visibility: VISIBILITY[channel.kind],
    ...(keptBy !== undefined && { [KEPT_BY[how]]: shown(keptBy.name) }),
    ...(how === "answer" && { [KEPT_ENTRY.key]: KEPT_ENTRY.value }),
    ...(answer !== undefined && answerMetadata(answer, shown(keptBy?.name ?? ""))),
    messages: String(kept.length),
    // Front ends name other messages by who wrote them, and where.
    ...(keptBy !== undefined &&
      titleOf(thread, kept) !== titleOf({ ...thread, title: "" }, kept) && { titled: "by hand" }),
  };
}

/** The newest word in it. Always with an offset: servers cannot update a document that once had none. */
function updatedAt(kept: readonly ThreadMessage[]): string | undefined {
  const moments = kept.flatMap(({ ts, editedTs }) => [momentOf(ts), momentOf(editedTs ?? "")]);
  const told = moments.filter((moment) => moment !== undefined);
  return told.toSorted().at(-1);
}

function momentOf(ts: string): string | undefined {
  const seconds = /^\d{1,11}(?:\.\d{1,9})?$/.test(ts) ? Number(ts) : 0;
  return seconds === 0 ? undefined : new Date(Math.floor(seconds * 1000)).toISOString();
}

function ownersOf(people: readonly ChatPerson[]): Owner[] {
  const owners = new Map<string, Owner>();
  for (const { name, email } of people) {
    const display = shown(name);
    if (display === "" && email === undefined) continue;
    owners.set(email ?? display, { display_name: display, ...(email !== undefined && { email }) });
  }
  return [...owners.values()].slice(0, MAX_OWNERS);
}

function notesOf(kept: readonly ThreadMessage[], dropped: number, cut: boolean): string[] {
  const files = kept.reduce((sum, message) => sum + (message.files?.length ?? 0), 0);
  return [
    files > 0 && `${counted(files, "attached file")} named in it, not read.`,
    dropped > 0 && `${counted(dropped, "invisible character")} left out.`,
    cut && CUT_NOTE,
  ].filter((note) => note !== false);
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? " is" : "s are"}`;

const webAddress = (link: string | undefined): string | undefined =>
  link !== undefined && URL.canParse(link) && /^https?:/.test(link) ? link : undefined;

const shown = (text: string): string => shownLine(text, 2 * MAX_NAME);
