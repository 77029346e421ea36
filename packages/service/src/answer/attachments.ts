/** The text of attached files, and what could not be read of them. */
import type { FileDescriptor } from "@threadlore/client/models";
import { tableRows } from "@threadlore/files";
import type { Caller } from "../context.ts";
import { fileOf, ownFileId, type StoredFile } from "../store/files.ts";
import { fileText, LOCAL_LIMIT, type LocalText } from "./retrieve.ts";
import { rowOf } from "./extracted/quotable.ts";
import type { Wording } from "./wording/wording.ts";
import { gapSentence } from "../upload/gap.ts";
import type { Steps } from "../store/steps.ts";

/** The specified kinds, and what later servers call `csv`. */
export const ATTACHMENT_TYPES = new Set(["image", "document", "plain_text", "csv", "tabular"]);

/** Files one question may bring. */
export const MAX_FILES = 50;
/** Characters of all texts of one answer together. */
const ROOM = 2 * LOCAL_LIMIT;
/** Characters of a column's name that are repeated before each of its values. */
const MAX_NAME_LENGTH = 100;
/** Columns of a table that are read. */
const MAX_COLUMNS = 1_000;

/** The id of the uploaded file a descriptor names: by the file's id, or by the id of the user's file. */
export function* attachedFileId(caller: Caller, { id, user_file_id }: FileDescriptor): Steps<string | undefined> {
  return (yield* ownFileId(caller, id)) ?? (user_file_id == null ? undefined : yield* ownFileId(caller, user_file_id));
}

/**
 * Attached texts, ready to be quoted, and a sentence for each file that has none. Files since removed are passed over,
 * and so are those that are among `before` already.
 */
export function* attachmentsOf(
  caller: Caller,
  descriptors: readonly FileDescriptor[],
  { wording, before = [] }: { readonly wording: Wording; readonly before?: readonly LocalText[] },
): Steps<{ texts: LocalText[]; notes: string[] }> {
  const texts: LocalText[] = [];
  const notes: string[] = [];
  const seen = new Set(before.map(({ source }) => source.documentId));
  let room = before.reduce((left, { text }) => left - Math.min(text.length, LOCAL_LIMIT), ROOM);
  for (const descriptor of descriptors) {
    const id = yield* attachedFileId(caller, descriptor);
    if (id === undefined || seen.has(id)) continue;
    seen.add(id);
    const file = yield* fileOf(caller, id, Math.max(0, Math.min(room, LOCAL_LIMIT)) + 1);
    if (file === undefined) continue;
    const { text, note } = textOfFile(file, descriptor, Math.min(room, LOCAL_LIMIT), wording);
    if (note !== undefined) notes.push(note);
    if (text === undefined) continue;
    texts.push(text);
    room -= text.text.length;
  }
  return { texts, notes };
}

function textOfFile(
  file: StoredFile,
  descriptor: FileDescriptor,
  limit: number,
  { notes, gaps: gapWords }: Wording,
): { text?: LocalText; note?: string } {
  const name = descriptor.name ?? file.name;
  if (descriptor.type === "image" || file.chatFileType === "image") {
    return { note: notes.pictureUnread(name) };
  }
  if (file.text !== null && limit <= 0) {
    return { note: notes.noRoom(name) };
  }
  if (file.text === null || file.text.trim() === "") {
    return { note: notes.noText(name, file.gap === null ? undefined : gapSentence(file.gap, gapWords)) };
  }
  const isTable = file.chatFileType === "csv" || descriptor.type === "csv" || descriptor.type === "tabular";
  const whole = file.text.slice(0, limit);
  const read = isTable ? tableText(whole, limit) : { text: whole, cut: false };
  const cut = read.cut || file.text.length > limit ? [notes.onlyBeginning] : [];
  const gaps = [...(file.gap === null ? [] : [gapSentence(file.gap, gapWords)]), ...cut];
  const text = fileText({ ...descriptor, id: file.id, name }, read.text);
  return gaps.length === 0 ? { text } : { text, note: notes.ofFile(name, gaps) };
}

/** A table as lines that each make sense alone: every value behind the name of its column. At most `limit` characters. */
function tableText(text: string, limit: number): { text: string; cut: boolean } {
  let columns: string[] | undefined;
  let cut = false;
  let length = 0;
  const lines: string[] = [];
  for (const cells of tableRows(text)) {
    if (cells.length > MAX_COLUMNS) cut = true;
    const row = cells.slice(0, MAX_COLUMNS);
    if (columns === undefined) {
      columns = row.map((name) => name.slice(0, MAX_NAME_LENGTH).toWellFormed());
      continue;
    }
    const line = `- ${rowOf(row, columns)}`;
    length += line.length + 2;
    if (length > limit) return { text: lines.join("\n\n"), cut: true };
    lines.push(line);
  }
  return lines.length === 0 ? { text, cut: false } : { text: lines.join("\n\n"), cut };
}
