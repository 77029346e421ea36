import { randomUUID } from "node:crypto";
import { requireRole, type ServiceApp } from "../app.ts";
import { bytesOfBody } from "../body.ts";
import type { Caller, ServiceContext } from "../context.ts";
import { invalid, type Problem, refusal, validationError } from "../problem.ts";
import { addFile, type StoredFile } from "../store/files.ts";
import { readUpload } from "../upload.ts";

/** A file that was not kept, and why. */
interface Rejection {
  readonly file_name: string;
  readonly reason: string;
}

/**
 * Uploads, in both forms seen in the world: the specified path answers a bare list and refuses the whole form when
 * one file cannot be kept; the other, of deployed servers, lists what was kept and what was not (facts: wire 1.9).
 */
export function fileRoutes(app: ServiceApp, context: ServiceContext): void {
  app.post("/user/file/upload", async (c) => {
    const { kept, rejected } = await keepFiles(context, c.get("caller"), c.req.raw, "all or none");
    const [first] = rejected;
    if (first !== undefined) throw refusal(400, "FILE_REJECTED", `${first.file_name}: ${first.reason}`);
    return Response.json(kept.map(snapshotOf));
  });
  app.post("/user/projects/file/upload", async (c) => {
    const { kept, rejected } = await keepFiles(context, c.get("caller"), c.req.raw, "what can be");
    return Response.json({ user_files: kept.map(snapshotOf), rejected_files: rejected });
  });
}

async function keepFiles(
  { db, now }: ServiceContext,
  caller: Caller,
  request: Request,
  keep: "all or none" | "what can be",
): Promise<{ kept: StoredFile[]; rejected: Rejection[] }> {
  requireRole(caller, "ordinary");
  const rejected: Rejection[] = [];
  const accepted: { file: StoredFile; bytes: Uint8Array }[] = [];
  for (const sent of await filesOfForm(request)) {
    const bytes = new Uint8Array(await sent.arrayBuffer());
    const name = sent.name.toWellFormed();
    const read = await readUpload(name, sent.type, bytes);
    if (typeof read === "string") rejected.push({ file_name: sent.name, reason: read });
    else accepted.push({ file: { id: randomUUID(), name, ...read, size: bytes.byteLength, createdAt: now() }, bytes });
  }
  if (keep === "all or none" && rejected.length > 0) return { kept: [], rejected };
  db.transaction(() => {
    for (const { file, bytes } of accepted) addFile(db, caller.user, file, bytes);
  });
  return { kept: accepted.map(({ file }) => file), rejected };
}

async function filesOfForm(request: Request): Promise<File[]> {
  const bytes = await bytesOfBody(request);
  const type = request.headers.get("content-type") ?? "";
  checkPartCount(bytes, type);
  let form: FormData;
  try {
    form = await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch {
    throw invalid(validationError(["body"], "The body is not a multipart form", "multipart_invalid"));
  }
  const files = form.getAll("files").filter((entry) => entry instanceof File);
  if (files.length === 0) throw invalid(validationError(["body", "files"], "Field required", "missing"));
  if (files.length > MOST_FILES) throw tooManyFiles();
  return files;
}

/** Files of one upload. */
const MOST_FILES = 100;

/** Counts the parts before they are taken apart; a form has a few fields besides its files. */
function checkPartCount(bytes: Uint8Array, type: string): void {
  const boundary = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return;
  const text = Buffer.from(bytes);
  const delimiter = `--${mark}\r\n`;
  let parts = 0;
  for (let at = text.indexOf(delimiter); at >= 0; at = text.indexOf(delimiter, at + delimiter.length)) {
    if (++parts > MOST_FILES + 20) throw tooManyFiles();
  }
}

function tooManyFiles(): Problem {
  return invalid(validationError(["body", "files"], `Send at most ${MOST_FILES} files at once`, "too_long"));
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
    reason: file.gap,
    file_type: file.mediaType,
    chat_file_type: file.chatFileType,
    size: file.size,
    created_at: new Date(file.createdAt).toISOString(),
  };
}
