/** What a reader does with a file: this module runs in processes of its own. See `file-document.ts`. */
import { documentFromFile, type MadeDocument, type SourceFile } from "@threadlore/documents";
import { asRefusal } from "@threadlore/files";

/** A file as it is sent to a reader, beside its bytes. */
export interface SentFile extends Omit<SourceFile, "bytes" | "modifiedAt"> {
  /** ISO 8601. */
  readonly modifiedAt?: string;
}

/** The document, or why there is none, with the file's name in front. */
export type ReaderAnswer = MadeDocument | { readonly refused: string };

/** Makes a document of a file. */
export async function read(bytes: Uint8Array<ArrayBuffer>, about: unknown): Promise<ReaderAnswer> {
  const { modifiedAt, ...file } = about as SentFile;
  try {
    return await documentFromFile({
      ...file,
      bytes,
      takeOver: true,
      modifiedAt: modifiedAt === undefined ? undefined : new Date(modifiedAt),
    });
  } catch (error) {
    return { refused: asRefusal(error).message };
  }
}
