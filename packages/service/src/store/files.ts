import type { Caller } from "../context.ts";
import { get, insert, run, type Steps, value, values } from "./steps.ts";
import type { Store } from "./store.ts";

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

/** Most bytes of files that are written at once. */
export const PIECE = 2_000_000;

/**
 * Writes the bytes of a file, each piece in a transaction of its own, for `addFile` to follow.
 * @param quiet awaited before each piece
 */
export async function addPieces(
  store: Pick<Store, "write">,
  id: string,
  bytes: Uint8Array,
  quiet: () => Promise<void>,
): Promise<void> {
  for (let at = 0; at < bytes.byteLength; at += PIECE) {
    await quiet();
    const piece = bytes.subarray(at, at + PIECE);
    await store.write(() => insert("file_pieces", { file: id, at, bytes: piece }));
  }
}

function* bytesInPieces(id: string): Steps<number> {
  return yield* value("SELECT coalesce(sum(length(bytes)), 0) FROM file_pieces WHERE file = ?", id);
}

/**
 * Of pieces whose file is not there. In other words, as a list of all files that each is not in, PostgreSQL goes through that
 * list for each piece once it is long.
 */
export const LOOSE = "NOT EXISTS (SELECT 1 FROM files WHERE files.id = file_pieces.file)";

/** Deletes pieces whose file was never added: of these files, or of all that an earlier run left. */
export function* dropLoosePieces(of?: readonly string[]): Steps<void> {
  if (of === undefined) yield* run(`DELETE FROM file_pieces WHERE ${LOOSE}`);
  else
    yield* run(
      `DELETE FROM file_pieces WHERE file IN (SELECT value FROM json_each(?)) AND ${LOOSE}`,
      JSON.stringify(of),
    );
}

/** Keeps an uploaded file for its owner; where its bytes are in pieces, all of these are there already. */
export function* addFile(owner: string, file: StoredFile, bytes: Uint8Array): Steps<void> {
  const inPieces = yield* bytesInPieces(file.id);
  const isInPieces = inPieces > 0;
  if (isInPieces && inPieces !== bytes.byteLength) throw new Error("parts of the file are missing");
  yield* insert("files", {
    id: file.id,
    user: owner,
    name: file.name,
    media_type: file.mediaType,
    chat_file_type: file.chatFileType,
    bytes: isInPieces ? new Uint8Array() : bytes,
    size: isInPieces ? bytes.byteLength : null,
    text: file.text,
    gap: file.gap,
    created_at: file.createdAt,
  });
}

/**
 * A file the caller uploaded; undefined when it is unknown or someone else's.
 * @param characters how many of its text are read
 */
export function* fileOf(caller: Caller, id: string, characters: number) {
  if (caller.role === "anonymous") return undefined;
  return yield* get<StoredFile>(
    `SELECT id, name, media_type AS "mediaType", chat_file_type AS "chatFileType", coalesce(size, length(bytes)) AS size,
            substr(text, 1, ?1) AS text, gap, created_at AS "createdAt"
     FROM files WHERE id = ?2 AND "user" = ?3`,
    characters,
    id,
    caller.user,
  );
}

/** The id, if it is that of a file the caller uploaded. */
export function* ownFileId(caller: Caller, id: string): Steps<string | undefined> {
  if (caller.role === "anonymous") return undefined;
  return (yield* values<string>('SELECT id FROM files WHERE id = ? AND "user" = ?', id, caller.user))[0];
}

/** The name of a file, whoever uploaded it: sections of documents refer to files by id. */
export function* findFileName(id: string): Steps<string | undefined> {
  return (yield* values<string>("SELECT name FROM files WHERE id = ?", id))[0];
}

/** Whether the caller may show this file in a document's section: an image, their own unless they are an admin. */
export function* isUsableImage({ user, role }: Caller, id: string): Steps<boolean> {
  const [owner] = yield* values(`SELECT "user" FROM files WHERE id = ? AND chat_file_type = 'image'`, id);
  return owner !== undefined && (role === "admin" || owner === user);
}
