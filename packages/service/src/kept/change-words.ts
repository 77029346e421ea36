/** Words by which a text says that something is otherwise than it was. */

/** From now on, since then, instead: something has taken another's place. */
const CHANGED: Readonly<Record<string, string>> = {
  en: "(?:we|is|are|it|he|she|they|has|have) now|now (?:pay|sit|lie|go|cost|has|have|is|are|takes?|live)|from now on|as of (?:january|february|march|april|may|june|july|august|september|october|november|december|\\d)|since (?:\\d{1,2} )?(?:january|february|march|april|may|june|july|august|september|october|november|december)|from (?:\\d{1,2}(?:st|nd|rd|th)? )?(?:january|february|march|april|may|june|july|august|september|october|november|december)|instead of|moved to|moves to|mov(?:ed|es?|ing) from|shifted|postponed|brought forward|rescheduled|relocated|renamed|(?:been |is |was |were |are )?(?:raised|increased|lowered|reduced|extended|shortened) (?:to|from|by)|switch(?:ed|es|ing)? (?:to|from)|migrat(?:ed|es) (?:to|from)|transferred to|handed over|handed to|succeed(?:s|ed)|successor|since (?:spring|summer|autumn|winter|last|this|the)|starting (?:in|on|from|with)|has been (?:moved|changed|replaced|transferred)|rather than|replaces|replaced|replaced by|took over|taken over|takes over|took .{1,30} over|whatever used to|used to|formerly|until now|henceforth|from this (?:week|month|spring|summer|autumn|winter|year)",
  de: "jetzt|ab jetzt|ab sofort|ab (?:dem )?(?:\\d{1,2}\\. ?)?(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)|seit|neuerdings|künftig|zukünftig|statt(?:dessen)?|anstelle|neue[rsnm]?|umgezogen|zieht um|geändert|ersetzt|löst .{1,30} ab|verschoben|vorverlegt|verlegt|umbenannt|(?:erhöht|gesenkt|verlängert|verkürzt) (?:auf|von|um)|steigt auf|sinkt auf|nachfolger(?:in)?|abgelöst|übernommen|übernimmt|nun|bisher(?:ige)?|früher|fortan|nunmehr|ausschließlich",
  es: "ahora|a partir de|desde|en lugar de|en vez de|nuev[oa]s?|trasladad[oa]|se traslada|cambiad?o|cambia|sustituid[oa]|sustituye|reemplaza|pasa a|pasan a|aplazad[oa]s?|adelantad[oa]s?|antes|hasta ahora|en adelante",
  fr: "désormais|à partir d[eu]|depuis|dorénavant|au lieu de|nouve(?:au|l|lle)s?|déménage|déplacée?s?|changée?s?|change|remplacée?s?|remplace|maintenant|jusqu'ici|auparavant|dès|passe(?:nt)? (?:à|de)|reporté(?:e|s|es)?|avancé(?:e|s|es)? (?:à|au)|succède|reprend",
  ja: "今後|以降|から変更|変更|新しい|新た|代わり|移転|移動|移りました|切り替え|廃止|改め|延期|変わり(?!ません)|変わる|変わった|引き上げ|引き下げ|になりました|となりました|今は|現在は|これまで|従来|以前は",
  zh: "现在|现已|如今|起改|改为|改成|改由|改在|今后|以后|自.{1,12}起|从.{1,12}起|新的|新增|代替|取代|替换|搬到|迁至|迁到|移至|移到|变更|調整|调整|取消|推迟|提前到|延期|上调|下调|提高到|降至|接替|此前|原先|以前|过去",
};

/** No longer: what was is not. */
const ENDED: Readonly<Record<string, string>> = {
  en: "no longer|not any ?more|any longer|any more|anymore|no more|nobody .{1,40} any|nothing is|abolished|discontinued|disconnected|retired|withdrawn|ripped out|gone|closed down|closed for good|archived|stops? working|stopped working|scrapped|dropped|sold|shut down|thrown away|given back|has been disbanded|ended|expired|cancelled|stopped|out of (?:use|service)|is not accepted|left the company|has left",
  de: "nicht mehr|keine[rsnm]? .{0,30}mehr|nichts mehr|niemand .{0,30}mehr|abgeschafft|gestrichen|stillgelegt|geschlossen|archiviert|entfällt|entfallen|eingestellt|abgeschaltet|aufgehoben|weggefallen|gekündigt|ausgeschieden|außer Betrieb",
  es: "ya no|dej[aó] de|dejan de|suprimid[oa]|eliminad[oa]|anulad[oa]|cancelad[oa]|fuera de servicio|desaparece",
  fr: "ne .{1,30} plus|n['’].{1,30} plus|plus (?:exigée?|acceptée?|nécessaire|possible)|supprimée?s?|abandonnée?s?|fermée?s?|annulée?s?|hors service|fini",
  ja: "ではありません|なくなり|廃止|終了|中止|取りやめ|使えなく|使用できなく|受け付けません|撤去|閉鎖",
  zh: "不再|已停|停用|取消|废止|作废|终止|不接受|拆除|关闭|已离职",
};

/** Everything is as it was. */
const UNCHANGED: Readonly<Record<string, string>> = {
  en: "(?:stays?|remains?|stayed|remained|is left) (?:just |exactly )?(?:as it (?:is|was)|as they (?:are|were)|unchanged|the same|in force)|unchanged|nothing (?:has )?change[sd]?|no changes?|still (?:applies|apply|holds?|valid)",
  de: "bleib(?:t|en) (?:alles )?(?:unverändert|gleich|wie (?:es ist|sie sind|bisher|gehabt)|dabei|bestehen)|unverändert|ändert sich nicht(?:s)?|nichts ändert sich|gilt weiter(?:hin)?|gelten weiter(?:hin)?",
  es: "sin cambios|no cambia[n]?|sigue(?:n)? igual|se mantiene[n]?|sigue(?:n)? vigentes?",
  fr: "(?:reste|restent) (?:inchangée?s?|les? mêmes?|en vigueur|valables?)|inchangée?s?|rien ne change|ne change(?:nt)? pas|sans changement",
  ja: "変わりません|変更はありません|変更ありません|これまで通り|従来通り|引き続き",
  zh: "不变|没有变化|照旧|维持不变|仍然有效|继续有效",
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

/** Whether a sentence says that everything is as it was. */
export function saysUnchanged(text: string, language: string | undefined): boolean {
  return patternOf(UNCHANGED, "unchanged", language).test(text);
}

/** Whether a sentence says that something is no more. */
export function saysEnd(text: string, language: string | undefined): boolean {
  return patternOf(ENDED, "ended", language).test(text);
}
