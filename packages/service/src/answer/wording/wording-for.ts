/** Which language the service's own sentences are in: the question's, where they are written in it. */
import { languageOf } from "@threadlore/language";
import { DE } from "./de.ts";
import { EN } from "./en.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { JA } from "./ja.ts";
import type { Wording } from "./wording.ts";

/** The languages of the extension, so that an answer and what stands around it read alike. */
const WORDINGS: ReadonlyMap<string, Wording> = new Map([
  ["en", EN],
  ["de", DE],
  ["fr", FR],
  ["es", ES],
  ["ja", JA],
]);

/** The sentences in a language; English for any other, and where it is not known. `language` is a BCP 47 tag. */
export function wordingFor(language: string | undefined): Wording {
  const [primary = ""] = (language ?? "").toLowerCase().split(/[-_]/, 1);
  return WORDINGS.get(primary) ?? EN;
}

/** The sentences in the language a question is asked in. */
export function wordingOf(question: string): Wording {
  return wordingFor(languageOf(question));
}
