/** Which scripts there are, and which languages are told apart in them. */

/** Scripts in which several languages are told apart. */
export type ScriptOfLanguages = "Latn" | "Cyrl" | "Arab";

/** The languages looked for in a script, the commonest first. */
export const ALPHABETS: Readonly<Record<ScriptOfLanguages, readonly string[]>> = {
  Latn: "en de fr es pt it nl sv da no fi hu pl cs sk hr ro tr ca vi id".split(" "),
  Cyrl: ["ru", "uk", "bg"],
  Arab: ["ar", "fa", "ur"],
};

/** Whether function words and letters have to tell which language of a script it is. */
export function isScriptOfLanguages(script: string): script is ScriptOfLanguages {
  return Object.hasOwn(ALPHABETS, script);
}

/** Scripts that mean one language here. */
export const ONE_LANGUAGE_SCRIPTS: Readonly<Record<string, string | undefined>> = {
  Grek: "el",
  Hebr: "he",
  Deva: "hi",
  Beng: "bn",
  Guru: "pa",
  Gujr: "gu",
  Taml: "ta",
  Telu: "te",
  Knda: "kn",
  Mlym: "ml",
  Sinh: "si",
  Thai: "th",
  Laoo: "lo",
  Khmr: "km",
  Mymr: "my",
  Geor: "ka",
  Armn: "hy",
  Ethi: "am",
  Hang: "ko",
  Jpan: "ja",
};

/** Where each script's letters beyond ASCII begin and end. Code points are enough: what lies outside is no language of ours. */
const RANGES: readonly (readonly [from: number, to: number, script: string])[] = [
  [0xc0, 0x24f, "Latn"],
  [0x370, 0x3ff, "Grek"],
  [0x400, 0x52f, "Cyrl"],
  [0x531, 0x58f, "Armn"],
  [0x5d0, 0x5ea, "Hebr"],
  [0x620, 0x64a, "Arab"],
  [0x66e, 0x6d5, "Arab"],
  [0x750, 0x77f, "Arab"],
  [0x900, 0x97f, "Deva"],
  [0x980, 0x9ff, "Beng"],
  [0xa00, 0xa7f, "Guru"],
  [0xa80, 0xaff, "Gujr"],
  [0xb80, 0xbff, "Taml"],
  [0xc00, 0xc7f, "Telu"],
  [0xc80, 0xcff, "Knda"],
  [0xd00, 0xd7f, "Mlym"],
  [0xd80, 0xdff, "Sinh"],
  [0xe00, 0xe7f, "Thai"],
  [0xe80, 0xeff, "Laoo"],
  [0x1000, 0x109f, "Mymr"],
  [0x10a0, 0x10ff, "Geor"],
  [0x1200, 0x137f, "Ethi"],
  [0x1780, 0x17ff, "Khmr"],
  [0x1e00, 0x1eff, "Latn"],
  [0x1f00, 0x1fff, "Grek"],
  [0x3005, 0x3007, "Hani"],
  [0x3041, 0x30ff, "Jpan"],
  [0x3400, 0x9fff, "Hani"],
  [0xac00, 0xd7a3, "Hang"],
  [0xf900, 0xfaff, "Hani"],
  [0xff21, 0xff5a, "Latn"],
  [0xff66, 0xff9f, "Jpan"],
];

/** A character of these stands for two or three letters of an alphabet. */
const DENSE = new Set(["Hani", "Jpan", "Hang"]);
const DENSE_WEIGHT = 2.5;

/** So much of the characters of a Japanese text is kana at least. Chinese texts quote a few. */
const MIN_KANA = 0.1;

/**
 * The script most of a text is written in, as an ISO 15924 code; `undefined` where there is no letter. Han with kana is
 * `Jpan`. Names and words of another script do not decide: what is told of Latin is weighed against what is told of
 * others, and others win a draw, since product names are Latin everywhere.
 */
export function scriptOf(text: string): string | undefined {
  const counts = new Map<string, number>();
  // Most letters of most texts: counted without looking anything up.
  let latin = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // With this bit a capital is a small letter, and nothing else becomes one.
    if (code < 0x80) latin += (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a ? 1 : 0;
    else {
      const script = scriptOfCode(code);
      if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + 1);
    }
  }
  if (counts.size === 0) return latin > 0 ? "Latn" : undefined;
  if (latin > 0) counts.set("Latn", (counts.get("Latn") ?? 0) + latin);
  const han = counts.get("Hani") ?? 0;
  const kana = counts.get("Jpan") ?? 0;
  if (kana > 0 && kana >= MIN_KANA * (han + kana)) {
    counts.set("Jpan", kana + han);
    counts.delete("Hani");
  }
  let best: string | undefined;
  let most = 0;
  for (const [script, count] of counts) {
    const weight = count * (DENSE.has(script) ? DENSE_WEIGHT : script === "Latn" ? 0.7 : 1);
    if (weight > most) [best, most] = [script, weight];
  }
  return best;
}

function scriptOfCode(code: number): string | undefined {
  for (const [from, to, script] of RANGES) if (code <= to) return code >= from ? script : undefined;
  return undefined;
}

/** Letters and groups of letters that only some languages write. */
export interface TellingLetters {
  /** Looked for in lower case. */
  readonly letters: RegExp;
  readonly languages: readonly string[];
  readonly weight: number;
  /** One of these is in every text of plain letters that has them. Absent: no such text has. */
  readonly plain?: readonly string[];
}

export const LETTERS: readonly TellingLetters[] = [
  { letters: /ß/, languages: ["de"], weight: 2 },
  { letters: /ü/, languages: ["de", "tr", "hu"], weight: 0.7 },
  { letters: /ä/, languages: ["de", "sv", "fi", "sk"], weight: 0.7 },
  { letters: /ö/, languages: ["de", "sv", "fi", "tr", "hu"], weight: 0.6 },
  { letters: /å/, languages: ["sv", "da", "no"], weight: 1 },
  { letters: /[æø]/, languages: ["da", "no"], weight: 1.5 },
  { letters: /sjon|kj|øy/, languages: ["no"], weight: 1, plain: ["sjon", "kj"] },
  { letters: /ñ|[¿¡]/, languages: ["es"], weight: 2 },
  // French writes none of these.
  { letters: /[áíóú]/, languages: ["es", "pt", "ca", "cs", "sk", "hu"], weight: 0.4 },
  { letters: /ción/, languages: ["es"], weight: 1.5 },
  { letters: /[ãõ]|ção|ções/, languages: ["pt"], weight: 2 },
  { letters: /ç/, languages: ["fr", "pt", "tr", "ca"], weight: 0.5 },
  { letters: /œ|[êîû]|è/, languages: ["fr"], weight: 0.7 },
  { letters: /l·l|[^g]ció(?:\b|$)/, languages: ["ca"], weight: 1.5 },
  { letters: /\p{L}zione\b|[^aeiou]ità(?!\p{L})|gli\b/u, languages: ["it"], weight: 1.5, plain: ["zione", "gli"] },
  { letters: /[ğış]/, languages: ["tr"], weight: 1.5 },
  { letters: /[őű]/, languages: ["hu"], weight: 2 },
  { letters: /[ąęłśźż]/, languages: ["pl"], weight: 2 },
  { letters: /[ěřů]/, languages: ["cs"], weight: 2 },
  { letters: /[ľĺŕô]/, languages: ["sk"], weight: 1.5 },
  { letters: /[čšž]/, languages: ["cs", "sk", "hr"], weight: 0.7 },
  { letters: /[đć]/, languages: ["hr"], weight: 1 },
  { letters: /[ăţțș]/, languages: ["ro"], weight: 1.5 },
  { letters: /[ơưạảấầẩậắằẳặẹẻẽếềểễệọỏốồổộớờởỡợụủứừửữựỵỷỹ]/, languages: ["vi"], weight: 3 },
  { letters: /[a-z]ij[a-z]|aa[a-z]|heid\b/, languages: ["nl"], weight: 0.6, plain: ["ij", "aa", "heid"] },
  {
    letters: /(?:ung|lich|keit|heit|isch)(?:en)?(?!\p{L})|\p{L}sch\p{L}/u,
    languages: ["de"],
    weight: 0.8,
    plain: ["ung", "lich", "keit", "heit", "isch", "sch"],
  },
  {
    letters: /(?:ing|tion|ed|ly|ity)s?(?!\p{L})/u,
    languages: ["en"],
    weight: 0.5,
    plain: ["ing", "tion", "ed", "ly", "ity"],
  },
  {
    letters: /\p{L}(?:ssa|sta|lla|llä|ssä|ksi|inen)(?!\p{L})/u,
    languages: ["fi"],
    weight: 0.8,
    plain: ["ssa", "sta", "lla", "ksi", "inen"],
  },
  {
    letters: /\p{L}(?:lar|ler|dır|dir|ların|lerin)(?!\p{L})/u,
    languages: ["tr"],
    weight: 0.8,
    plain: ["lar", "ler", "dir"],
  },
  {
    letters: /\p{L}(?:nak|nek|ság|ség|ban|ben)(?!\p{L})/u,
    languages: ["hu"],
    weight: 0.8,
    plain: ["nak", "nek", "ban", "ben"],
  },
  { letters: /[ыэё]/, languages: ["ru"], weight: 2 },
  { letters: /[іїєґ]/, languages: ["uk"], weight: 3 },
  { letters: /ъ[^еёюя]|щ[ао]т|(?:та|то|те)(?!\p{L})/u, languages: ["bg"], weight: 0.5 },
  { letters: /[پچژگ]/, languages: ["fa", "ur"], weight: 2 },
  { letters: /[ٹڈڑںے]/, languages: ["ur"], weight: 4 },
  { letters: /[ةىأإ]|(?:^|\s)ال/, languages: ["ar"], weight: 2 },
];
