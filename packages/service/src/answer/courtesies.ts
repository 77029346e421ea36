/** Messages that ask about nothing: greetings, thanks, and what somebody asks first who has never asked here. */
import { foldedWordsOf } from "@threadlore/language";

/** What a message is where it asks about nothing. */
export interface Courtesy {
  readonly kind: "greeting" | "thanks";
  /** ISO 639-1. */
  readonly language: string;
}

interface CourtesyWords {
  /** A message of these words, and those beside them, is one; so is each of the phrases. */
  readonly thanks: string;
  readonly greetings: string;
  readonly beside: string;
  readonly phrases: readonly string[];
}

const WORDS: Readonly<Record<string, CourtesyWords>> = {
  en: {
    thanks: "thanks thank thx cheers ok okay great perfect",
    greetings: "hello hi hey morning afternoon evening",
    beside:
      "you so very much a lot many again for that this the your help answer it helped all good there everyone bot",
    phrases: [
      "help",
      "help me",
      "can you help me",
      "who are you",
      "what are you",
      "what can you do",
      "what do you do",
      "how does this work",
      "how do you work",
    ],
  },
  de: {
    thanks: "danke dank dankeschön merci ok okay super prima perfekt",
    greetings: "hallo hi moin servus morgen tag abend grüezi",
    beside: "vielen schönen besten herzlichen sehr dir ihnen für die das hilfe antwort guten gut zusammen alle",
    phrases: [
      "hilfe",
      "hilf mir",
      "kannst du mir helfen",
      "wer bist du",
      "was bist du",
      "was kannst du",
      "wie funktioniert das",
    ],
  },
  fr: {
    thanks: "merci ok super parfait",
    greetings: "bonjour bonsoir salut coucou",
    beside: "beaucoup bien à vous toi tous pour votre ton aide réponse la le",
    phrases: [
      "aide",
      "aide moi",
      "aidez moi",
      "peux tu m aider",
      "pouvez vous m aider",
      "qui es tu",
      "qui êtes vous",
      "que peux tu faire",
      "que sais tu faire",
      "comment ça marche",
    ],
  },
  es: {
    thanks: "gracias ok vale perfecto genial",
    greetings: "hola buenos buenas",
    beside: "muchas mil días tardes noches por la el tu su ayuda respuesta a todos todas",
    phrases: [
      "ayuda",
      "ayúdame",
      "puedes ayudarme",
      "quién eres",
      "qué eres",
      "qué puedes hacer",
      "qué sabes hacer",
      "cómo funciona",
      "cómo funciona esto",
    ],
  },
};

/** Japanese is told by the message as a whole: where its words end is a matter of taste. */
const JAPANESE: Readonly<Record<Courtesy["kind"], RegExp>> = {
  thanks:
    /^(?:どうも)?(?:ありがとう(?:ございま(?:す|した))?|感謝します|助かりました|了解(?:です|しました)?|わかりました)$/u,
  greeting:
    /^(?:こんにちは|こんばんは|おはよう(?:ございます)?|はじめまして|ヘルプ|助けて(?:ください)?|あなたは誰(?:ですか)?|何ができますか|使い方(?:を教えて(?:ください)?)?)$/u,
};

/** Nobody greets at greater length, UTF-16 units. */
const MAX_LENGTH = 80;

/** What a message is that asks about nothing; undefined where it asks about something. */
export function courtesyIn(message: string): Courtesy | undefined {
  if (message.length > MAX_LENGTH) return undefined;
  const bare = message.normalize("NFKC").replace(/[\p{P}\p{S}\s]/gu, "");
  for (const kind of ["thanks", "greeting"] as const) if (JAPANESE[kind].test(bare)) return { kind, language: "ja" };
  const words = foldedWordsOf(message);
  if (words.length === 0) return undefined;
  for (const [language, own] of known) {
    const isAll = (kinds: readonly ReadonlySet<string>[]) =>
      words.every((word) => kinds.some((some) => some.has(word)));
    const has = (some: ReadonlySet<string>) => words.some((word) => some.has(word));
    const asked = words.filter((word) => !own.greetings.has(word)).join(" ");
    if (own.phrases.has(asked)) return { kind: "greeting", language };
    if (has(own.thanks) && isAll([own.thanks, own.greetings, own.beside])) return { kind: "thanks", language };
    if (has(own.greetings) && isAll([own.greetings, own.beside])) return { kind: "greeting", language };
  }
  return undefined;
}

const folded = (words: string): ReadonlySet<string> => new Set(words.split(" ").flatMap(foldedWordsOf));
const known = Object.entries(WORDS).map(
  ([language, { thanks, greetings, beside, phrases }]) =>
    [
      language,
      {
        thanks: folded(thanks),
        greetings: folded(greetings),
        beside: folded(beside),
        phrases: new Set(phrases.map((phrase) => foldedWordsOf(phrase).join(" "))),
      },
    ] as const,
);
