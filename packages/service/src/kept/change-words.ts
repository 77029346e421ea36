/** Words by which a text says that something is otherwise than it was. */

/** From now on, since then, instead: something has taken another's place. */
const CHANGED: Readonly<Record<string, string>> = {
  en: "(?:we|is|are|it|he|she|they) now|now (?:pay|sit|lie|go|cost|has|have|is|are|takes?|live)|from now on|as of (?:january|february|march|april|may|june|july|august|september|october|november|december|\\d)|since (?:\\d{1,2} )?(?:january|february|march|april|may|june|july|august|september|october|november|december)|from (?:\\d{1,2}(?:st|nd|rd|th)? )?(?:january|february|march|april|may|june|july|august|september|october|november|december)|instead of|moved to|moves to|replaced by|took over|taken over|takes over|took .{1,30} over|whatever used to|used to|formerly|until now|henceforth|from this (?:week|month|spring|summer|autumn|winter|year)",
  de: "jetzt|ab jetzt|ab sofort|ab (?:dem )?(?:\\d{1,2}\\. ?)?(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|seit|neuerdings|künftig|zukünftig|statt(?:dessen)?|anstelle|neue[rsnm]?|umgezogen|zieht um|geändert|ersetzt|löst .{1,30} ab|übernommen|übernimmt|nun|bisher(?:ige)?|früher|fortan|nunmehr|ausschließlich",
  es: "ahora|a partir de|desde|en lugar de|en vez de|nuev[oa]s?|trasladad[oa]|se traslada|cambiad?o|cambia|sustituid[oa]|sustituye|reemplaza|pasa a|ya|antes|hasta ahora|en adelante",
  fr: "désormais|à partir d[eu]|depuis|dorénavant|au lieu de|nouve(?:au|l|lle)s?|déménage|déplacée?s?|changée?s?|change|remplacée?s?|remplace|maintenant|jusqu'ici|auparavant|dès|passe à|reprend",
  ja: "今後|以降|から変更|変更|新しい|新た|代わり|移転|移動|移りました|切り替え|廃止|改め|になりました|となりました|今は|現在は|これまで|従来|以前は",
  zh: "现在|现已|如今|起改|改为|改成|改由|改在|今后|以后|自.{1,12}起|从.{1,12}起|新的|新增|代替|取代|替换|搬到|迁至|迁到|移至|移到|变更|調整|调整|取消|此前|原先|以前|过去",
};

/** No longer: what was is not. */
const ENDED: Readonly<Record<string, string>> = {
  en: "no longer|not any ?more|any longer|any more|anymore|no more|nobody .{1,40} any|nothing is|abolished|discontinued|disconnected|retired|withdrawn|ripped out|gone|closed down|ended|expired|cancelled|stopped|out of (?:use|service)|is not accepted|left the company|has left",
  de: "nicht mehr|keine[rsnm]? .{0,30}mehr|nichts mehr|niemand .{0,30}mehr|abgeschafft|entfällt|entfallen|eingestellt|abgeschaltet|aufgehoben|weggefallen|gekündigt|ausgeschieden|außer Betrieb",
  es: "ya no|dej[aó] de|dejan de|suprimid[oa]|eliminad[oa]|anulad[oa]|cancelad[oa]|fuera de servicio|desaparece",
  fr: "ne .{1,30} plus|n['’].{1,30} plus|plus (?:exigée?|acceptée?|nécessaire|possible)|supprimée?s?|abandonnée?s?|fermée?s?|annulée?s?|hors service|fini",
  ja: "ではありません|なくなり|廃止|終了|中止|取りやめ|使えなく|使用できなく|受け付けません|撤去|閉鎖",
  zh: "不再|已停|停用|取消|废止|作废|终止|不接受|拆除|关闭|已离职",
};

const compiled = new Map<string, RegExp>();

function patternOf(lists: Readonly<Record<string, string>>, name: string, language: string | undefined): RegExp {
  const known = language !== undefined && language in lists ? language : "en";
  const key = `${name} ${known}`;
  let pattern = compiled.get(key);
  if (pattern === undefined) {
    const words = lists[known] ?? "";
    pattern =
      known === "ja" || known === "zh"
        ? new RegExp(words, "u")
        : new RegExp(`(?<![\\p{L}])(?:${words})(?![\\p{L}])`, "iu");
    compiled.set(key, pattern);
  }
  return pattern;
}

/** Whether a sentence says that something has taken another's place. */
export function saysChange(text: string, language: string | undefined): boolean {
  return patternOf(CHANGED, "changed", language).test(text);
}

/** Whether a sentence says that something is no more. */
export function saysEnd(text: string, language: string | undefined): boolean {
  return patternOf(ENDED, "ended", language).test(text);
}
