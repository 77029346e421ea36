/** What a reader does with an upload: this module runs in processes of its own. See `upload.ts`. */
import { filesOfForm, type FormFiles } from "./multipart.ts";
import { textOfUpload, type UploadedFile, type UploadText } from "./upload-text.ts";

/** A form to be taken apart, or a file to be read. */
export type UploadWork =
  | { readonly contentType: string; readonly field: string; readonly most: number }
  | Omit<UploadedFile, "bytes">;

/** Takes a form apart, or reads a file. */
export async function read(bytes: Uint8Array<ArrayBuffer>, about: unknown): Promise<FormFiles | UploadText> {
  const work = about as UploadWork;
  if ("contentType" in work) return filesOfForm(Buffer.from(bytes.buffer), work.contentType, work.field, work.most);
  return await textOfUpload({ ...work, bytes });
}
