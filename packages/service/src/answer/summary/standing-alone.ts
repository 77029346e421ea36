/** Which sentences can be read without those before them, and which say nothing of the document at all. */

/**
 * What points back, or goes on from what was said: a sentence that begins with it needs the one before. Of words that
 * also begin sentences of their own ("It is forbidden …"), those are listed that rarely do.
 */
const POINTING: Readonly<Record<string, string>> = {
  en: "this|that|these|those|it|its|they|them|their|he|she|his|her|such|both|neither|also|too|however|later|afterwards|subsequently|finally|lastly|second|secondly|thirdly|nonetheless|indeed|in fact|in particular|by contrast|in contrast|accordingly|another|conversely|therefore|thus|hence|otherwise|moreover|furthermore|besides|additionally|then|but|and|or|so|yet|instead|nevertheless|likewise|similarly|consequently|meanwhile|still|for example|for instance|e\\.g\\.|in addition|in this case|in that case|as a result|on the other hand|the same|the latter|the former|here|there(?! (?:is|are|was|were))|one of them|some of (?:them|these)|all of (?:them|these)|as such|after that|before that|below that|above that|even so|not only that|others?",
  de: "dies|diese[rsnm]?|das(?= (?:ist|sind|war|gilt|heißt|bedeutet|kann|wird))|jene[rsnm]?|er|sie|es(?! (?:gibt|ist|gilt))|später|schließlich|anschließend|insbesondere|dem|hinzu|ausnahmen?|ihn|ihm|ihre?|sein|seine|solche|beide|auch|aber|doch|jedoch|daher|deshalb|darum|somit|folglich|außerdem|zudem|ferner|dann|danach|davor|dabei|dadurch|damit|dafür|davon|dazu|darin|dort|hier|sonst|andernfalls|und|oder|denn|trotzdem|ebenso|stattdessen|zum beispiel|z\\. ?b\\.|in diesem fall|letztere[rs]?|andere",
  fr: "ce|cet|cette|ces|cela|ceci|ça|c'|celui-ci|celle-ci|ceux-ci|il(?! (?:est|y a|faut))|ils|elle|elles|leur|leurs|son|sa|ses|lui|aussi|par ailleurs|d'autre part|plus tard|enfin|finalement|en revanche|d'ailleurs|mais|donc|or|puis|ensuite|cependant|toutefois|pourtant|ainsi|en outre|de plus|par conséquent|par exemple|sinon|dans ce cas|et|ou|y|là|tels?|telles?|les autres|ces derniers",
  es: "este|esta|estos|estas|esto|eso|ese|esa|esos|esas|aquel|ello|él|ella|ellos|ellas|su|sus|también|por otra parte|por otro lado|más tarde|posteriormente|finalmente|pero|sin embargo|por tanto|por lo tanto|por eso|así|además|asimismo|luego|después|entonces|por ejemplo|en este caso|en ese caso|de lo contrario|si no|y|e|o|ambos|ambas|dich[oa]s?|tal|tales|allí|ahí|los demás|otros",
  it: "questo|questa|questi|queste|ciò|quello|quella|esso|essa|essi|esse|egli|ella|lui|lei|loro|suo|sua|suoi|sue|anche|più tardi|infine|d'altra parte|ma|però|tuttavia|quindi|perciò|pertanto|inoltre|poi|infatti|per esempio|ad esempio|in questo caso|altrimenti|e|o|entrambi|tale|tali",
  pt: "este|esta|estes|estas|isto|isso|esse|essa|esses|essas|ele|ela|eles|elas|seu|sua|seus|suas|também|mas|porém|contudo|no entanto|portanto|por isso|assim|além disso|depois|então|por exemplo|neste caso|nesse caso|caso contrário|e|ou|ambos|ambas|tal|tais",
  ru: "это|этот|эта|эти|тот|та|те|он|она|оно|они|его|её|ее|их|также|позже|впоследствии|тем временем|наконец|но|однако|поэтому|затем|потом|кроме того|например|в этом случае|иначе|и|а|или|такой|такая|такие|там|тогда|при этом|оба",
  nl: "dit|dat|deze|die|hij|zij|ze|het(?= (?:is|was|wordt))|ook|maar|echter|daarom|dus|daarna|dan|bovendien|verder|bijvoorbeeld|anders|en|of|hun|zijn",
};

/** The same of languages that put no spaces between words. */
const POINTING_UNSPACED =
  /^(?:これ|それ|あれ|この|その|あの|ここ|そこ|こう|そう|また|しかし|ただし|なお|さらに|そして|したがって|そのため|例えば|たとえば|一方|彼|彼女|同様に|次に|ほかに|他に|这|這|该|該|其|他们|他們|她|它|他(?!人)|此外|但|但是|然而|因此|所以|而且|并且|並且|另外|同时|同時|例如|比如|那|于是|於是|然后|然後|接着|接著|随后|后来|最后|不过|不過|此|后者|前者)/u;

const pointing = new Map(
  Object.entries(POINTING).map(([language, words]) => [language, new RegExp(`^(?:${words})(?![\\p{L}\\p{N}])`, "iu")]),
);

/** The same further on in the first words: "In the years after these rumours", "Behind them". */
const POINTING_EARLY: Readonly<Record<string, RegExp>> = {
  en: /^[^,;:.]{0,40}(?<!\p{L})(?:these|those|them|him|this (?!is\b|page|document|policy|guide|handbook|section|year|week|month))(?!\p{L})/iu,
  de: /^[^,;:.]{0,40}(?<!\p{L})(?:diese[nmrs]?(?! (?:seite|dokument|richtlinie|abschnitt|jahr))|ihnen|ihm|ihn|er)(?!\p{L})/iu,
  fr: /^[^,;:.]{0,40}(?<!\p{L})(?:ces|cette (?!page|année|politique|section)|cet (?!article)|ceux-ci|eux)(?!\p{L})/iu,
  es: /^[^,;:.]{0,40}(?<!\p{L})(?:est[oa]s|es[oa]s|ellos|ellas|est[ea] (?!página|documento|año|guía|política))(?!\p{L})/iu,
  ru: /^[^,;:.]{0,40}(?<!\p{L})(?:эти[хм]?|этого|этой|них|ним|них)(?!\p{L})/iu,
  zh: /^[^，。；]{0,8}(?:他|她|它|这些|這些|那些|这次|此(?!外))/u,
  ja: /^[^、。]{0,8}(?:これら|それら|その後|この(?!ページ|文書|資料|規程|マニュアル)|彼)/u,
};

/** "This page is for the field crew" points at nothing but itself. */
const OF_ITSELF =
  /^(?:this|these|diese[rs]?|dieses|cet?|cette|est[ea]|quest[oa]|это[тй]?|эта|この|本|这|這)[\s的]?(?:個|个|篇|份)? ?(?:page|document|policy|guide|handbook|manual|article|section|report|chapter|package|library|module|project|repository|tool|paper|seite|dokument|richtlinie|leitfaden|handbuch|artikel|abschnitt|bericht|paket|document|politique|texte|rapport|página|documento|política|guía|manual|artículo|informe|guida|страница|документ|статья|ページ|文書|資料|規程|マニュアル|页面|文档|文件|文章|指南)/iu;

/** Opening marks that may stand before a sentence's first word. */
const OPENING = /^["'“„«»「『（(*_¿¡\s]+/u;

/** Whether a sentence begins with what only the one before explains. */
export function pointsBack(sentence: string, language: string | undefined): boolean {
  const start = sentence.slice(0, 80).replace(OPENING, "").replaceAll("’", "'");
  if (OF_ITSELF.test(start)) return false;
  // A small letter goes on with a sentence that was cut: scripts without capitals have none.
  if (/^\p{Ll}/u.test(start) && !/^(?:[a-z]+[A-Z0-9@/_-]|\p{Ll}\.)/u.test(start)) return true;
  if (POINTING_EARLY[language ?? "en"]?.test(start) ?? false) return true;
  return POINTING_UNSPACED.test(start) || (pointing.get(language ?? "en")?.test(start) ?? false);
}

/** Whether a sentence asks, as headings of questions and answers do. */
export function isQuestion(sentence: string): boolean {
  return /[?？؟\u037e]["'”’»」』）)\]*_]*$/u.test(sentence.slice(-8));
}

/** What stands on every page: dates of change, rights, ways elsewhere, greetings. */
const BOILERPLATE = new RegExp(
  [
    String.raw`^\W*(?:last|zuletzt|dernière|última|ultima) (?:updated?|modified|edited|reviewed|changed|aktualisiert|geändert|mise à jour|modification|actualización|modificación|modifica|atualização)`,
    String.raw`^\W*(?:updated|modified|published|posted|created|written|reviewed|stand|version|aktualisiert|veröffentlicht|publié|mis à jour|publicado|actualizado|aggiornato|обновлено)\b[^.]{0,40}\d{2,4}\W*$`,
    String.raw`©|\(c\) ?(?:19|20)\d\d|copyright|all rights reserved|alle rechte vorbehalten|tous droits réservés|todos los derechos|無断転載|版权所有`,
    String.raw`^\W*(?:table of contents|contents|inhaltsverzeichnis|inhalt|sommaire|table des matières|índice|contenido|目次|目录|目錄|содержание)\W*$`,
    String.raw`^\W*(?:skip to (?:main )?content|(?:back )?to (?:the )?top|sign (?:in|up)|log ?in|(?:un)?subscribe|share this|follow us|read more|learn more|click here|see also|privacy policy|terms of (?:service|use)|newsletter)(?: (?:here|now|on|to|about|for) .{0,40}| (?:here|now))?\W*$`,
    String.raw`\b(?:we|this (?:site|website)|wir|nous) (?:use|uses|verwenden|nutzen|utilisons) cookies\b|\bcookie (?:settings|preferences|policy|notice)\b`,
    String.raw`^\W*(?:hi|hello|hey|dear|welcome|hallo|liebe[rs]?|sehr geehrte[rs]?|willkommen|herzlich willkommen|bonjour|bienvenue|cher|chère|hola|bienvenid[oa]s?|estimad[oa]s?|ciao|benvenut[oi]|olá|bem-vind[oa]s?|привет|здравствуйте|добро пожаловать)\b.{0,60}$`,
    String.raw`^\W*(?:best|kind|warm) regards|^\W*(?:thanks|thank you|cheers|viele grüße|mit freundlichen grüßen|cordialement|saludos|こんにちは|お世話になっております|ようこそ|よろしくお願い(?:し|いた)|你好|您好|欢迎|歡迎)`,
    String.raw`^\W*(?:page|seite|página|pagina|страница) \d+(?: \p{L}+ \d+)?\W*$|^(?:最終更新|更新日|最后更新|最後更新)`,
    String.raw`^\W*(?:todo|tbd|n/?a|lorem ipsum)\b`,
  ].join("|"),
  "iu",
);

/** Whether a sentence says nothing of what the document is about. Longer ones are about something. */
export function isBoilerplate(sentence: string): boolean {
  return sentence.length <= 200 && BOILERPLATE.test(sentence);
}

/** Parts that every document of a kind has. */
const SIDE_PART =
  /^\W*(?:licen[sc]es?|contribut(?:ing|ors?|ions?)|acknowledge?ments?|references|bibliography|see also|external links|further reading|footnotes|changelog|change ?log|version history|table of contents|contents|authors?|support us|sponsors?|backers|badges|links|related(?: \p{L}+)?|navigation|einzelnachweise|weblinks|literatur|quellen|siehe auch|lizenz|inhalt|änderungen|références|voir aussi|liens externes|sommaire|notes et références|referencias|véase también|enlaces externos|licencia|índice|関連項目|脚注|出典|参考文献|外部リンク|目次|更新履歴|参见|参考资料|外部链接|目录|см\. также|примечания|ссылки|литература)\W*$/iu;

/** Whether a heading stands above a part that says little of the document itself. */
export function isSidePart(heading: string): boolean {
  return heading.length <= 80 && SIDE_PART.test(heading);
}
