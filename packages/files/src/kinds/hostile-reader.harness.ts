/** A reader module that answers how a file was read, as the modules of the service and the terminal do. */
import { fileText } from "../file-text.ts";
import { asRefusal } from "../refusal.ts";

/** What became of a file. */
export interface Outcome {
  readonly text?: string;
  readonly cut?: boolean;
  readonly refused?: string;
}

/** Reads it. */
export async function read(bytes: Uint8Array<ArrayBuffer>, about: unknown): Promise<Outcome> {
  try {
    const name = String((about as { readonly name?: unknown }).name);
    const { parts, cut } = await fileText({ name, bytes, takeOver: true }, { characters: 2_000_000 });
    return {
      text: parts
        .map(({ heading, text }) => `${heading} ${text}`.slice(0, 200))
        .join("\n")
        .slice(0, 2_000),
      cut,
    };
  } catch (error) {
    return { refused: asRefusal(error).message };
  }
}
