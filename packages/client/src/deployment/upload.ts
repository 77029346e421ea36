import { UploadReply, type StoredFile } from "./models.ts";
import { InvalidRequestError, UnsupportedError } from "../errors/errors.ts";
import type { Transport } from "../http/transport.ts";
import type { Calls } from "./calls.ts";
import type { Deployment, FileToUpload, Upload, UploadedFile } from "./operations.ts";
import type * as z from "zod/mini";

/**
 * The upload of deployed servers, which tells of each file what became of it, then the specification's, which takes all
 * files or none (docs/wire.md, section 1.9).
 */
const PATHS = ["/user/projects/file/upload", "/user/file/upload"] as const;

/** The upload, by the path that was found for it. */
export function uploadOperation(calls: Calls) {
  const { memory, transport } = calls;
  let uploadPath: string | undefined;
  return {
    upload: (files, { signal } = {}) =>
      memory.attempt("upload", async () => {
        if (files.length === 0) return { files: [], rejected: [] };
        const known = uploadPath;
        uploadPath ??= await findUploadPath(transport, signal);
        return sendFiles(transport, uploadPath, files, signal).catch(async (error: unknown) => {
          // A path that was there once can be gone after an upgrade; what was not taken can be sent to another.
          if (known === undefined || !(error instanceof UnsupportedError)) throw error;
          uploadPath = undefined;
          uploadPath = await findUploadPath(transport, signal);
          return sendFiles(transport, uploadPath, files, signal);
        });
      }),
  } satisfies Partial<Deployment>;
}

/**
 * Finds where this server takes files. Each path gets an upload without a file: one that exists refuses it, one that
 * does not says so; no byte of a person's file goes to the wrong place. Throws UnsupportedError when there is neither.
 */
async function findUploadPath(transport: Transport, signal?: AbortSignal): Promise<string> {
  let last: UnsupportedError | undefined;
  for (const path of PATHS) {
    try {
      await transport.text({ method: "POST", path, form: new FormData(), repeatable: true, signal });
      return path;
    } catch (error) {
      if (error instanceof InvalidRequestError) return path;
      if (!(error instanceof UnsupportedError)) throw error;
      last = error;
    }
  }
  throw new UnsupportedError(`The server at ${transport.host} takes no files: it has no upload.`, {}, { cause: last });
}

/** Sends files to a path that {@link findUploadPath} found. Not repeated after a loss: it would store them twice. */
async function sendFiles(
  transport: Transport,
  path: string,
  files: readonly FileToUpload[],
  signal?: AbortSignal,
): Promise<Upload> {
  const form = new FormData();
  for (const { name, content } of files) form.append("files", content, name);
  const call = { method: "POST", path, form, repeatable: false, slow: true, signal } as const;
  return uploadOf(await transport.json(call, UploadReply), files);
}

function uploadOf(reply: UploadReply, sent: readonly FileToUpload[]): Upload {
  const stored = Array.isArray(reply) ? reply : reply.user_files;
  const rejected = Array.isArray(reply) ? [] : (reply.rejected_files ?? []);
  return {
    files: stored.map((file, index) => uploadedFile(file, sent[index]?.name ?? "")),
    rejected: rejected.map(({ file_name, reason }) => ({
      name: file_name,
      reason: reason ?? "The server did not say why.",
    })),
  };
}

function uploadedFile(file: z.infer<typeof StoredFile>, sentName: string): UploadedFile {
  const name = file.name ?? sentName;
  const fileId = file.file_id ?? file.id;
  return {
    name,
    fileId,
    // The server's own word for the type: it may know kinds the specification does not (docs/wire.md, section 6).
    descriptor: { id: fileId, type: file.chat_file_type ?? "document", name, user_file_id: file.id },
    ...(file.status == null ? {} : { status: file.status }),
  };
}
