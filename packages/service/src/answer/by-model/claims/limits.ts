/**
 * Words by which a sentence denies, restricts or turns what it says without a "not". Where two sentences do not have
 * the same ones, one may be the other put differently: "above 50 euros it needs approval", "below 50 it needs none".
 */

const LIMITS: Readonly<Record<string, RegExp>> = {
  en: word(
    "unless|until|if|when|whether|only|except\\p{L}*|instead|rather|lapses?|los[et]s?|lost|exclud\\p{L}*|fails?|avoid\\p{L}*|too|hardly|rarely|" +
      "seldom|stops?|ends?|reject\\p{L}*|free|other|apart|above|over|more|below|under|less|fewer|up to|before|after|beyond|within|" +
      "at least|at most|from|since|otherwise|later|earlier|additional|extra|un(?:paid|able|available|limited)",
  ),
  de: word(
    "nur|außer|ausgenommen|statt|anstatt|lediglich|erst|sonst|wenn|falls|sofern|ob|bevor|verf[aä]ll\\p{L}*|(?:ge)?sperrt?|entf[aä]ll\\p{L}*|" +
      "kaum|selten|ab|über|mehr|unter|weniger|bis|vor|nach|höchstens|mindestens|länger|kürzer|außerhalb|innerhalb|" +
      "zusätzlich|andere\\p{L}*|frei|un(?:bezahlt|möglich|erlaubt)\\p{L}*",
  ),
  fr: word(
    "que|qu|sauf|seule?s?|seulement|uniquement|hors|perd\\p{L}*|supprim\\p{L}*|refus\\p{L}*|exclue?s?|si|lorsque|quand|à partir|plus|" +
      "moins|jusque?|avant|après|dès|au-delà|moins de|sinon|autres?|gratuit\\p{L}*|trop",
  ),
  es: word(
    "solo|sólo|solamente|salvo|excepto|únicamente|pierd\\p{L}*|perd\\p{L}*|exclu\\p{L}*|menos|más|fuera|rechaz\\p{L}*|si|cuando|hasta|" +
      "desde|a partir|antes|después|tras|otr[oa]s?|demasiado|gratis|además",
  ),
  ja: /のみ|だけ|限り|限る|限っ|以外|除[くきい]|しか|まで|超え|以上|以下|未満|以内|消え|失|外れ|場合|とき|なら|れば|たら|ほか|前|後/gu,
};

function word(choices: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${choices})(?!\\p{L})`, "giu");
}

/** The limiting words of a text, in small letters; none in a language they are not known of. */
export function limitsIn(text: string, language: string | undefined): ReadonlySet<string> {
  const pattern = LIMITS[language ?? "en"];
  return new Set(pattern === undefined ? [] : [...text.matchAll(pattern)].map(([found]) => found.toLowerCase()));
}

/** Whether the limiting words of a language are known, so that denials in it can be compared. */
export function knowsLimits(language: string | undefined): boolean {
  return language !== undefined && language in LIMITS;
}
