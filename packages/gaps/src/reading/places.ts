import { foldWord } from "@threadlore/language";

/** Names of countries are read in these languages and in that of the question. */
const LANGUAGES = ["en", "de", "fr", "es", "ja"];

/** Words that are rarely the place of that name. */
const NO_PLACES: ReadonlySet<string> = new Set(
  "turkey jersey marshall virgin solomon northern reunion chad guinea chile niger center central eastern pacific atlantic mountain general easter casey davis knox troll marengo winamac petersburg mali cuba togo".split(
    " ",
  ),
);

const known = new Map<string, ReadonlyMap<string, string>>();

/** Countries and large cities by their folded names, as the runtime knows them: each by one sign in all languages. */
export function placesIn(language: string | undefined): ReadonlyMap<string, string> {
  const key = language ?? "";
  const made = known.get(key);
  if (made !== undefined) return made;
  const places = new Map<string, string>();
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const city = zone.split("/").at(-1)?.replaceAll("_", " ") ?? "";
    if (zone.includes("/") && !zone.startsWith("Etc/")) add(places, city, `@${city.toLowerCase()}`);
  }
  for (const one of new Set([...LANGUAGES, ...(language === undefined ? [] : [language])])) addCountries(places, one);
  known.set(key, places);
  return places;
}

function addCountries(places: Map<string, string>, language: string): void {
  const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
  for (let first = 65; first <= 90; first++) {
    for (let second = 65; second <= 90; second++) {
      const code = String.fromCharCode(first, second);
      const name = names.of(code);
      // Codes of the private range and of unions name no country.
      if (name !== undefined && !/^(?:EU|EZ|UN|ZZ|XA|XB|QO)$/.test(code)) add(places, name, `@${code}`);
    }
  }
}

function add(places: Map<string, string>, name: string, sign: string): void {
  const folded = (name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) => foldWord(word)).join(" ");
  if (folded === "" || NO_PLACES.has(folded)) return;
  places.set(folded, sign);
  // "The Faroes", "the Caymans".
  const isles = /^(\w{4,}) islands$/.exec(folded)?.[1];
  for (const short of isles === undefined ? [] : [isles, `${isles}s`]) if (!places.has(short)) places.set(short, sign);
}
