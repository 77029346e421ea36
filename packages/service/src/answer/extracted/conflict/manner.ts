/** In which manner a sentence tells something: as it is, or as an average, an example, a plan or what was before. */
import { stem } from "@threadlore/language/stems";

/** Words beside which a figure is no other one than that of a rule. */
const MANNERS = {
  average:
    "on average|average|averaged|typical|typically|the mean|median|im durchschnitt|durchschnittlich\\p{L}*|im schnitt|im mittel|en moyenne|moyenne|en promedio|promedio|por término medio|in media|mediamente|em média|gemiddeld|в среднем|средн\\p{L}+",
  example:
    "for example|for instance|e\\.g|example:|zum beispiel|beispiel:|z\\. ?b|par exemple|exemple :|por ejemplo|ejemplo:|per esempio|por exemplo|bijvoorbeeld|например",
  proposed:
    "proposed|proposal|proposes|suggested|suggests|draft|would be|under discussion|vorgeschlagen|vorschlag|entwurf|würde|proposé|proposition|propuesto|propuesta|borrador|предлага\\p{L}+|проект решения",
  once: "last (?:week|month|quarter|year)|yesterday|letzte[nrs]? (?:woche|monat|quartal|jahr)|gestern|la semaine dernière|le mois dernier|l'an dernier|hier|la semana pasada|el mes pasado|el año pasado|ayer|на прошлой неделе|в прошлом (?:месяце|году)|вчера",
  former:
    "formerly|previously|until recently|back then|in those days|früher|damals|ehemals|einst|bisher|autrefois|jadis|à l'époque|antiguamente|раньше|прежде",
} as const;
const UNSPACED = {
  average: "平均",
  example: "例えば|たとえば|例:|例：|比如|例如",
  proposed: "案として|提案|草案|建议稿",
  once: "先週|先月|昨年|昨日|去年|上周|上个月|昨天",
  former: "以前は|かつて|当時|以前|过去|曾经",
} as const;

const PATTERNS = (Object.keys(MANNERS) as (keyof typeof MANNERS)[]).map((manner) => ({
  manner,
  pattern: new RegExp(String.raw`(?<![\p{L}])(?:${MANNERS[manner]})(?![\p{L}])|${UNSPACED[manner]}`, "iu"),
}));

/** How a sentence tells what it tells; nothing where it simply says so. */
function mannersOf(text: string): ReadonlySet<string> {
  return new Set(PATTERNS.filter(({ pattern }) => pattern.test(text)).map(({ manner }) => manner));
}

/** Whether two sentences tell what they tell in different manners: what is so on average does not contradict what may be at most. */
export function differInManner(one: string, other: string, { isName }: { readonly isName: boolean }): boolean {
  // Who was last week's guest is told once in any case.
  const manners = (text: string) => new Set([...mannersOf(text)].filter((manner) => !isName || manner !== "once"));
  const [first, second] = [manners(one), manners(other)];
  return first.size !== second.size || [...first].some((manner) => !second.has(manner));
}

/** Behind a figure: it is a part of what was told before, or of what is counted. */
const OF_THAT =
  /^\s?(?:of (?:it|them|which|whom|these)(?!\p{L})|davon(?!\p{L})|de (?:ellos|ellas|los cuales|las cuales)(?!\p{L})|d[’']entre eux|di (?:cui|essi|esse)(?!\p{L})|waarvan|из них(?!\p{L}))/iu;
/** Before a figure, of which it is a part: "of these 32", "そのうち32台". */
const OF_THAT_BEFORE =
  /(?:of (?:these|those|them)|davon|darunter|de ellos|de ellas|из них|そのうち|このうち|其中)[\s,、，]*$/iu;

/** Behind a bare number: it counts some of those named next. */
const OF_THOSE = /^\s(?:of the|der|de l[ao]s|des|delle|dei|degli)\s\p{L}/iu;

/** Whether a stretch of a text, by the words right beside it, tells a part of something only. */
export function isPartOfThat(text: string, { start, end }: { readonly start: number; readonly end: number }): boolean {
  const after = text.slice(end);
  const isBare = /\p{N}$/u.test(text.slice(start, end));
  return OF_THAT.test(after) || OF_THAT_BEFORE.test(text.slice(0, start)) || (isBare && OF_THOSE.test(after));
}

/** "Of the apartments in the estate 96": some of what is counted. */
const SOME_OF =
  /^(?:of|out of|among|von|unter|de|d[eu]s|parmi|entre|из|среди)\s(?:all\s)?(?:the|our|these|den|las|los|les|nos)?\s?(\p{L}+)/iu;

/** Whether a sentence begins with what is counted, as the whole that it tells a part of. */
export function isOfSome(about: string | undefined, text: string, language: string | undefined): boolean {
  const counted = SOME_OF.exec(text)?.[1];
  return counted !== undefined && about !== undefined && stem(counted, language) === stem(about, language);
}
