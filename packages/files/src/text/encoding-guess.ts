/** An older encoding and how a text in it looks once it is read rightly. */
interface Candidate {
  readonly label: string;
  /** What texts of its languages are mostly made of, beyond ASCII. In a wrong reading they are rare. */
  readonly common: RegExp;
  /** What of its languages is written beside that. Anything else speaks against it. */
  readonly script: RegExp;
  /** Words are of one script: a letter of it does not stand beside one of ASCII. */
  readonly apart?: true;
}

const HAN = /[\u4e00-\u9fff\u3000-\u3011\uff01-\uff5e]/;
const KANA_AND_HAN = /[\u3040-\u30ff\u4e00-\u9fff\u3000-\u3011\uff01-\uff5e]/;
const SIMPLIFIED =
  /[\u3002\uff0c的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常与活正感月员工每全部请公司]/;
const TRADITIONAL =
  /[\u3002\uff0c的一是了我不人在他有這個上們來到時大地為子中你說生國年著就那和要她出也得裡後自以會家可下而過天去能對小多然於心學麼之都好看起發當沒成只如事把還用第樣道想作種開美總從無情己面最女但現前些所同日手又行意動方期它頭經長兒回位分愛老因很給名法間斯知世什兩次使身者被高已親其進此話常與活正感月員工每全部請公司]/;
const KOREAN =
  /[이다는에의가을하고를로지기은사서한리도자어인나대아시해있그수정스라일들전제보부거과여구주상동소비장유세원선으조성만게오마계관우신원문화생각공경국회당모할습니까요입금월년]/;
const JAPANESE = /[\u3041-\u3093\u30a2-\u30f4\u30fc\u3001\u3002日本人年大会時分中国出上生行見月]/;
const cyrillic = /[\u0400-\u045f\u0490\u0491\u00a0\u00ab\u00bb\u2013\u2014\u201c-\u201e\u2116\u2026]/;
const russian = /[оеаинтсрвлкмдпуяыьгзбчйі]/;

/** In the order in which they are preferred where two read equally well. */
const CANDIDATES: readonly Candidate[] = [
  { label: "shift_jis", common: JAPANESE, script: KANA_AND_HAN },
  { label: "euc-jp", common: JAPANESE, script: KANA_AND_HAN },
  { label: "gb18030", common: SIMPLIFIED, script: HAN },
  { label: "big5", common: TRADITIONAL, script: HAN },
  { label: "euc-kr", common: KOREAN, script: /[\uac00-\ud7a3]/ },
  { label: "windows-1251", common: russian, script: cyrillic, apart: true },
  { label: "koi8-r", common: russian, script: cyrillic, apart: true },
  { label: "ibm866", common: russian, script: cyrillic, apart: true },
  {
    label: "windows-1253",
    common: /[αοιετνσρκπυηςλμάίόέή]/,
    script: /[\u0370-\u03ff\u00a0\u00ab\u00bb\u2013\u2014]/,
    apart: true,
  },
  { label: "windows-1255", common: /[יוהלאמתרבשנםדקעפח]/, script: /[\u05b0-\u05ea]/, apart: true },
  { label: "windows-1256", common: /[ايلمونترعبهدسفكحقأة]/, script: /[\u0600-\u06ff\u060c]/, apart: true },
];

/** Of one hundred characters beyond ASCII so many must be as expected; a wrong reading has a third of that at most. */
const MIN_SCORE = 0.35;
/** Bytes that are looked at; the lines with something beyond ASCII in them. */
const SAMPLE = 16_384;

/**
 * The older encoding in which bytes that are no UTF-8 read like a language: by the characters its languages are mostly
 * made of. Western European is what has single letters beyond ASCII among others. Undefined: they read like nothing.
 */
export function likeliestEncoding(bytes: Uint8Array): string | undefined {
  const sample = tellingBytes(bytes);
  const western = westernScore(new TextDecoder("windows-1252").decode(sample));
  let best = { label: "windows-1252", score: western };
  for (const candidate of CANDIDATES) {
    const score = scoreOf(candidate, sample);
    if (score > best.score) best = { label: candidate.label, score };
  }
  if (best.score >= MIN_SCORE) return best.label;
  // A stray byte in a text of ASCII makes no text unreadable.
  const strange = sample.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0);
  return strange * 50 <= bytes.length ? "windows-1252" : undefined;
}

/** Lines that hold anything beyond ASCII. A line break is part of no character in any of these encodings. */
function tellingBytes(bytes: Uint8Array): Uint8Array {
  const kept = new Uint8Array(SAMPLE);
  let length = 0;
  for (let from = 0; from < bytes.length && length < SAMPLE;) {
    const found = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, found === -1 ? bytes.length : found + 1);
    from += line.length;
    if (!line.some((byte) => byte > 0x7f)) continue;
    const part = line.subarray(0, SAMPLE - length);
    kept.set(part, length);
    length += part.length;
  }
  return kept.subarray(0, length);
}

function scoreOf({ label, common, script, apart }: Candidate, sample: Uint8Array): number {
  let text: string;
  try {
    // As a stream: the sample may end within a character.
    text = new TextDecoder(label, { fatal: true }).decode(sample, { stream: true });
  } catch {
    return 0;
  }
  let score = 0;
  let count = 0;
  let before = "";
  for (const character of text) {
    const mixed = apart === true && /[A-Za-z]/.test(character > "\u007f" ? before : character) && before !== "";
    const wasStrange = before > "\u007f";
    before = character;
    if (character <= "\u007f") {
      if (mixed && wasStrange) score--;
      continue;
    }
    count++;
    if (mixed) score--;
    else if (common.test(character)) score++;
    else if (!script.test(character)) score--;
  }
  return count === 0 ? 0 : score / count;
}

/** Letters beyond ASCII stand one or two at a time beside others; signs are those a typesetter uses. */
function westernScore(text: string): number {
  let score = 0;
  let count = 0;
  for (const [run] of text.matchAll(/[\u0080-\uffff]+/g)) {
    count += run.length;
    const expected = [...run].filter((character) =>
      /[\u00e0-\u00f6\u00f8-\u00ff\u00c0-\u00d6\u00d8-\u00de\u0152\u0153\u00a0\u00a3\u00a7\u00a9\u00ab\u00ae\u00b0-\u00b5\u00b7\u00bb-\u00bf\u00df\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2122]/.test(
        character,
      ),
    ).length;
    score += run.length <= 3 ? expected : -run.length;
  }
  return count === 0 ? 0 : (score / count) * 0.6;
}
