import { DE } from "./de.ts";
import { EN } from "./en.ts";
import { ES } from "./es.ts";
import { FR } from "./fr.ts";
import { JA } from "./ja.ts";
import type { Words } from "./words.ts";

const LANGUAGES: ReadonlyMap<string, Words> = new Map([EN, DE, FR, ES, JA].map((words) => [words.language, words]));

/** The words in the language a browser likes best of those there are; English where it names none of them. */
export function wordsFor(acceptLanguage: string | null): Words {
  const wanted = (acceptLanguage ?? "")
    .slice(0, 1_000)
    .split(",")
    .map((one, place) => {
      const [tag = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
      const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
      return { words: LANGUAGES.get(tag.split("-")[0] ?? ""), quality: Number.isFinite(quality) ? quality : 0, place };
    });
  const known = wanted.filter(({ words, quality }) => words !== undefined && quality > 0);
  const [best] = known.toSorted((one, other) => other.quality - one.quality || one.place - other.place);
  return best?.words ?? EN;
}
