import { randomUUID } from "node:crypto";
import { type Place, ReadingError } from "@threadlore/files/child";
import { bytesOfBody } from "../http/body.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { invalid, noRoom, type Problem, refusal } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { addFile, addPieces, dropLoosePieces, PIECE, type StoredFile } from "../store/files.ts";
import { EN } from "../answer/wording/en.ts";
import { gapSentence } from "../upload/gap.ts";
import { filesOfUpload, MAX_FILES, readUpload, type UploadReading } from "../upload/upload.ts";

/**
 * Uploads, in both forms seen in the world: the specified path answers a bare list and refuses the whole form when
 * one file cannot be kept; the other, of deployed servers (docs/wire.md, section 1.9), lists what was kept and what not.
 */
export function fileRoutes(context: ServiceContext): readonly Route[] {
  // Of several instances, the others may be sending theirs: those of processes that are gone are looked for (left-over).
  if (context.instances === undefined) void dropPieces(context);
  return [
    route("POST /user/file/upload", "ordinary", "Store files: all of them or none", {
      rawBody: "files",
      handle: async ({ caller, request }) => {
        const { kept, rejected } = await keepFiles(context, caller, request, "all or none");
        const [first] = rejected;
        if (first !== undefined) throw refusal(400, "FILE_REJECTED", `${first.file_name}: ${first.reason}`);
        return kept.map(snapshotOf);
      },
    }),
    route("POST /user/projects/file/upload", "ordinary", "Store files, and tell which were refused", {
      rawBody: "files",
      handle: async ({ caller, request }) => {
        const { kept, rejected } = await keepFiles(context, caller, request, "what can be");
        return { user_files: kept.map(snapshotOf), rejected_files: rejected };
      },
    }),
  ];
}

async function keepFiles(
  context: ServiceContext,
  caller: Caller,
  request: Request,
  keep: "all or none" | "what can be",
) {
  const { db, store, now, questions } = context;
  const place = placeFor(context, caller, request);
  const reading: UploadReading = { place, signal: request.signal };
  /** Files of which pieces may be written. */
  const begun: string[] = [];
  try {
    const rejected: { file_name: string; reason: string }[] = [];
    const accepted: { file: StoredFile; bytes: Uint8Array }[] = [];
    const body = await bytesOfBody(request);
    for (const sent of await formFiles(body, request, reading)) {
      const bytes = body.subarray(sent.start, sent.end);
      const name = sent.name.toWellFormed();
      const read = await readUpload(name, sent.type, bytes, reading);
      if (typeof read === "string") rejected.push({ file_name: sent.name, reason: read });
      else
        accepted.push({ file: { id: randomUUID(), name, ...read, size: bytes.byteLength, createdAt: now() }, bytes });
    }
    if (keep === "all or none" && rejected.length > 0) return { kept: [], rejected };
    const total = accepted.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    if (total > PIECE) {
      // Before anything is written, for what is written in pieces is not undone by itself.
      if (!db.hasRoomFor(total)) throw noRoom();
      for (const { file, bytes } of accepted) {
        begun.push(file.id);
        await addPieces(store, file.id, bytes, () => questions.quiet());
      }
    }
    await store.write(function* () {
      for (const { file, bytes } of accepted) yield* addFile(caller.user, file, bytes);
    });
    return { kept: accepted.map(({ file }) => file), rejected };
  } catch (error) {
    if (begun.length > 0) await dropPieces(context, begun);
    if (request.signal.aborted) throw refusal(499, "CLIENT_GONE", "The upload was given up. Nothing was kept.");
    if (error instanceof ReadingError && error.failure === "closed") throw interrupted();
    throw error;
  } finally {
    place.leave();
  }
}

/** What cannot be deleted now, on a locked database or a disk without any room, is tried again at the next start. */
async function dropPieces({ store, log }: ServiceContext, of?: readonly string[]): Promise<void> {
  try {
    await store.makeRoom(() => dropLoosePieces(of));
  } catch (error) {
    log.warn("parts of a file are left over", { cause: error });
  }
}

/** Seconds after which what was refused may be sent again. */
const RETRY = { "Retry-After": "5" };

/** A place among those whose files are read, taken before the body is in memory; 429 and 503 where there is none. */
function placeFor({ readers, settings }: ServiceContext, caller: Caller, request: Request): Place {
  const { headers } = request;
  const announced = headers.has("content-encoding") ? 0 : Number(headers.get("content-length") ?? 0);
  try {
    return readers.enter(caller.user, announced > 0 ? announced : settings.uploadLimit);
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error;
    const nothing = "Nothing of this upload was kept.";
    if (error.failure === "crowded") {
      const why = `Too many of your files wait to be read. ${nothing} Send it again when they are done.`;
      throw refusal(429, "TOO_MANY_UPLOADS", why, RETRY);
    }
    if (error.failure === "closed") throw interrupted();
    const why = `The service has as many files to read as it can hold. ${nothing} Send it again in a few seconds.`;
    throw refusal(503, "UPLOADS_FULL", why, RETRY);
  }
}

async function formFiles(body: Uint8Array<ArrayBuffer>, request: Request, reading: UploadReading) {
  const found = await filesOfUpload(body, request.headers.get("content-type") ?? "", reading).catch(
    (error: unknown) => {
      // A form has nothing that takes memory or time: its reader was ended from outside.
      if (error instanceof ReadingError) throw interrupted();
      throw error;
    },
  );
  if ("wrong" in found) {
    if (found.wrong === "too many") throw tooManyFiles();
    throw invalid(["body"], "The body is not a multipart form", "multipart_invalid");
  }
  if (found.files.length === 0) throw invalid(["body", "files"], "Field required", "missing");
  if (found.files.length > MAX_FILES) throw tooManyFiles();
  return found.files;
}

function interrupted(): Problem {
  const why = "Reading the upload was interrupted. Nothing of it was kept. Send it again.";
  return refusal(503, "UPLOAD_INTERRUPTED", why, RETRY);
}

function tooManyFiles(): Problem {
  return invalid(["body", "files"], `Send at most ${MAX_FILES} files at once`, "too_long");
}

/**
 * What an upload answers per file. `id` and `file_id` are the same here; chat wants both back. A file no text could be
 * read of is SKIPPED: it is kept, but an answer cannot draw on it. `reason` says why, or what of the text is missing.
 */
function snapshotOf(file: StoredFile): Record<string, unknown> {
  return {
    id: file.id,
    file_id: file.id,
    name: file.name,
    status: file.text === null ? "SKIPPED" : "COMPLETED",
    reason: file.gap === null ? null : gapSentence(file.gap, EN.gaps),
    file_type: file.mediaType,
    chat_file_type: file.chatFileType,
    size: file.size,
    created_at: new Date(file.createdAt).toISOString(),
  };
}
