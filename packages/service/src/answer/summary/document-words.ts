/** What documents are called whatever they are about: "the travel page" is the page titled "Travel". */
import { foldWord } from "@threadlore/language";

const WORDS =
  "page pages webpage document documents doc docs file files text article articles policy policies guide guides guideline " +
  "guidelines handbook manual wiki entry entries note notes section chapter " +
  "seite seiten dokument dokumente dokuments datei dateien artikel artikels richtlinie richtlinien leitfaden leitfadens handbuch " +
  "handbuchs anleitung merkblatt eintrag eintrags regelung regelungen leitlinie leitlinien abschnitt kapitel " +
  "fichier fichiers texte textes politique politiques manuel charte règlement règlements notice fiche rubrique chapitre " +
  "página páginas documento documentos archivo archivos fichero ficheros texto textos artículo artículos política políticas " +
  "guía guías norma normas normativa reglamento apartado sección capítulo";
const DOCUMENT_WORDS: ReadonlySet<string> = new Set(WORDS.split(" ").map((word) => foldWord(word)));

/** "Urlaubsrichtlinie": what stands before it, without the sound that joins the two. */
const GERMAN_COMPOUND =
  /^(\p{L}{3,}?)s?(?:seite|dokument|richtlinie|leitfaden|handbuch|anleitung|merkblatt|regelung|leitlinie|artikel|ordnung)(?:n|en|s)?$/iu;
const JAPANESE =
  /の?(?:ウェブ)?(?:ページ|文書|ドキュメント|資料|ファイル|記事|規程|規定|規則|ガイドライン|ガイド|手引き?|マニュアル|ハンドブック|方針|ポリシー)/gu;

/** The name of a document without what only says that it is one; as it is where it says nothing else. */
export function withoutDocumentWords(named: string): string {
  const left = named
    .replace(JAPANESE, " ")
    .replace(/[\p{L}\p{M}\p{N}]+/gu, (word) =>
      DOCUMENT_WORDS.has(foldWord(word)) ? " " : word.replace(GERMAN_COMPOUND, "$1"),
    )
    .replace(/\s+/g, " ")
    .trim();
  return saysSomething(left) ? left : named;
}

/** More than the small words between: "the page of the". */
function saysSomething(text: string): boolean {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).some((word) => word.length > 3 || /[^\p{Script=Latin}]/u.test(word));
}
