import type { Caller } from "../context.ts";
import type { Database, Row } from "./sqlite/database.ts";

/** An uploaded file. */
export interface StoredFile {
  /** A UUID: names both the file and its bytes. */
  readonly id: string;
  readonly name: string;
  /** Such as "text/plain". */
  readonly mediaType: string;
  /** image, document, plain_text or csv. */
  readonly chatFileType: string;
  readonly size: number;
  /** What could be read out of it; null: nothing. */
  readonly text: string | null;
  /** What of it was not read and why, for people; null: everything was. */
  readonly gap: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

const COLUMNS =
  "id, name, media_type, chat_file_type, coalesce(size, length(bytes)) AS size, substr(text, 1, ?1) AS text, gap, created_at";

/** Most bytes of files that are written at once. */
export const PIECE = 2_000_000;

/**
 * Writes the bytes of a file, each piece in a transaction of its own, for `addFile` to follow.
 * @param quiet awaited before each piece
 */
export async function addPieces(
  db: Database,
  id: string,
  bytes: Uint8Array,
  quiet: () => Promise<void>,
): Promise<void> {
  for (let at = 0; at < bytes.byteLength; at += PIECE) {
    await quiet();
    db.run("INSERT INTO file_pieces (file, at, bytes) VALUES (?, ?, ?)", id, at, bytes.subarray(at, at + PIECE));
  }
}

function bytesInPieces(db: Database, id: string): number {
  return Number(db.get("SELECT sum(length(bytes)) AS bytes FROM file_pieces WHERE file = ?", id)?.["bytes"] ?? 0);
}

/** Deletes pieces whose file was never added: of these files, or of all that an earlier run left. */
export function dropLoosePieces(db: Database, of?: readonly string[]): void {
  const loose = "file NOT IN (SELECT id FROM files)";
  if (of === undefined) db.run(`DELETE FROM file_pieces WHERE ${loose}`);
  else
    db.run(`DELETE FROM file_pieces WHERE file IN (SELECT value FROM json_each(?)) AND ${loose}`, JSON.stringify(of));
}

/** Keeps an uploaded file for its owner; where its bytes are in pieces, all of these are there already. */
export function addFile(db: Database, owner: string, file: StoredFile, bytes: Uint8Array): void {
  const inPieces = bytesInPieces(db, file.id);
  const isInPieces = inPieces > 0;
  if (isInPieces && inPieces !== bytes.byteLength) throw new Error("parts of the file are missing");
  db.run(
    `INSERT INTO files (id, user, name, media_type, chat_file_type, bytes, size, text, gap, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    file.id,
    owner,
    file.name,
    file.mediaType,
    file.chatFileType,
    isInPieces ? new Uint8Array() : bytes,
    isInPieces ? bytes.byteLength : null,
    file.text,
    file.gap,
    file.createdAt,
  );
}

/**
 * A file the caller uploaded; undefined when it is unknown or someone else's.
 * @param characters how many of its text are read
 */
export function fileOf(
  { db }: { readonly db: Database },
  caller: Caller,
  id: string,
  characters: number,
): StoredFile | undefined {
  if (caller.role === "anonymous") return undefined;
  const row = db.get(`SELECT ${COLUMNS} FROM files WHERE id = ?2 AND user = ?3`, characters, id, caller.user);
  return row === undefined ? undefined : fileOfRow(row);
}

/** The id, if it is that of a file the caller uploaded. */
export function ownFileId({ db }: { readonly db: Database }, caller: Caller, id: string): string | undefined {
  if (caller.role === "anonymous") return undefined;
  const row = db.get("SELECT id FROM files WHERE id = ? AND user = ?", id, caller.user);
  return row === undefined ? undefined : String(row["id"]);
}

/** The name of a file, whoever uploaded it: sections of documents refer to files by id. */
export function findFileName(db: Database, id: string): string | undefined {
  const name = db.get("SELECT name FROM files WHERE id = ?", id)?.["name"];
  return name === undefined ? undefined : String(name);
}

/** Whether the caller may show this file in a document's section: an image, their own unless they are an admin. */
export function isUsableImage(db: Database, { user, role }: Caller, id: string): boolean {
  const owner = db.get("SELECT user FROM files WHERE id = ? AND chat_file_type = 'image'", id)?.["user"];
  return owner !== undefined && (role === "admin" || owner === user);
}

function fileOfRow(row: Row): StoredFile {
  return {
    id: String(row["id"]),
    name: String(row["name"]),
    mediaType: String(row["media_type"]),
    chatFileType: String(row["chat_file_type"]),
    size: Number(row["size"]),
    text: row["text"] === null ? null : String(row["text"]),
    gap: row["gap"] === null ? null : String(row["gap"]),
    createdAt: Number(row["created_at"]),
  };
}
