import { randomUUID } from "node:crypto";
import type { Account } from "./accounts.ts";

/** A file somebody uploaded. */
export interface UploadedFile {
  id: string;
  fileId: string;
  name: string;
  type: string;
  account: Account;
  bytes: Buffer;
  createdAt: Date;
  status: string;
}

/** Uploaded files, by their ids. */
export class Uploads {
  readonly files = new Map<string, UploadedFile>();

  add(account: Account, { name, type, bytes }: Pick<UploadedFile, "name" | "type" | "bytes">): UploadedFile {
    const [id, fileId] = [randomUUID(), randomUUID()];
    const file = { id, fileId, name, type, account, bytes, createdAt: new Date(), status: "PROCESSING" };
    this.files.set(id, file);
    return file;
  }
}

/** A part of a form. */
export interface FormPart {
  name: string;
  /** Empty: it is no file. */
  filename: string;
  type: string;
  bytes: Buffer;
}

/** The parts of a form that carries files. */
export function readForm(body: Buffer, contentType: string): FormPart[] {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  const parts: FormPart[] = [];
  const mark = Buffer.from(`--${boundary}`);
  let at = body.indexOf(mark);
  while (at >= 0) {
    const next = body.indexOf(mark, at + mark.length);
    if (next < 0) break;
    const part = body.subarray(at + mark.length + 2, next - 2);
    const split = part.indexOf("\r\n\r\n");
    const head = part.subarray(0, split).toString("utf8");
    const disposition = /content-disposition:[^\r\n]*/i.exec(head)?.[0] ?? "";
    parts.push({
      name: /\bname="([^"]*)"/.exec(disposition)?.[1] ?? "",
      filename: /filename="([^"]*)"/.exec(disposition)?.[1] ?? "",
      type: /content-type:\s*([^\r\n]+)/i.exec(head)?.[1] ?? "application/octet-stream",
      bytes: part.subarray(split + 4),
    });
    at = next;
  }
  return parts;
}
