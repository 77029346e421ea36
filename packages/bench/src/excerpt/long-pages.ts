/** Long pages with questions whose answers are known: what is asked of a page that does not go along whole. */
import type { ContextPage } from "@threadlore/documents";
import { handbook, handbookQuestions, LANGUAGES, lighthouses, noiseQuestions, type Part } from "../answers/sets.ts";

/** A question to a long page. */
export interface PageQuestion {
  readonly lang: string;
  readonly part: Part;
  readonly q: string;
  /** Spans any of which the passage asked for holds. */
  readonly gold: readonly string[];
}

/** A page, and what is asked of it. */
export interface AskedPage {
  readonly page: ContextPage;
  readonly questions: readonly PageQuestion[];
}

/** Pages of 20,000 to 80,000 characters in eight languages, with every question whose words the page has. */
export function longPages(): AskedPage[] {
  return [handbookPage(), newsPage(), ...lighthousePages()];
}

type PagePart = ContextPage["parts"][number];

function pageOf(title: string, parts: readonly PagePart[]): ContextPage {
  return {
    title,
    url: `https://wiki.example/${encodeURIComponent(title)}`,
    parts: [...parts],
    extent: "main",
    cut: false,
  };
}

/** The handbooks in five languages on one page. */
function handbookPage(): AskedPage {
  const sets = (["handbook-en", "handbook-plain", "handbook-languages"] as const).flatMap(handbookQuestions);
  return {
    page: pageOf("Handbook", LANGUAGES.flatMap(handbookParts)),
    questions: sets.filter(({ kind, gold }) => kind === "direct" && gold.length > 0),
  };
}

/** The parts a page would have: each heading with what stands below it. */
function handbookParts(lang: string): PagePart[] {
  return handbook(lang).flatMap(({ title, text }) => {
    const sections = text.split(/^(?=#+ )/m).map((section): PagePart => {
      const [, marks = "", heading = "", rest = section] = /^(#+) (.+)\n([\s\S]*)$/.exec(section) ?? [];
      return { level: marks.length, heading, text: rest.trim() };
    });
    return [{ level: 1, heading: title, text: "" }, ...sections];
  });
}

/** So many questions' snippets of English news. */
const ENGLISH = 12;

/** News in Chinese and in English, right and wrong. */
function newsPage(): AskedPage {
  const zh = (noiseQuestions("noise-zh") ?? []).map((one) => ({ ...one, lang: "zh" }));
  const en = (noiseQuestions("news-en") ?? []).slice(0, ENGLISH).map((one) => ({ ...one, lang: "en" }));
  const all = [...zh, ...en];
  const parts = all.flatMap(({ holds, wrong }) =>
    [...holds, ...wrong].map(({ title, text }): PagePart => ({ level: 2, heading: title, text })),
  );
  return { page: pageOf("新闻", parts), questions: all.map(({ q, gold, part, lang }) => ({ lang, part, q, gold })) };
}

/** Entries that are alike but for one sentence. */
function lighthousePages(): AskedPage[] {
  return lighthouses().map(({ lang, title, names, sentences, facts }) => {
    const parts = names.map((name, index): PagePart => {
      const values: Readonly<Record<string, string | number>> = {
        name,
        a: 3 + ((index * 7) % 40),
        b: 12 + ((index * 11) % 30),
        c: 9 + ((index * 5) % 15),
        d: 4 + (index % 9),
        e: 5 + ((index * 3) % 20),
      };
      const filled = sentences.map((one) => one.replace(/\{(\w+)\}/g, (all, key: string) => `${values[key] ?? all}`));
      const turned = [...filled.slice(index % 5), ...filled.slice(0, index % 5)];
      const fact = facts.filter(({ at }) => at === index).map(({ text }) => text);
      return { level: 2, heading: name, text: [...turned.slice(0, 3), ...fact, ...turned.slice(3)].join(" ") };
    });
    return {
      page: pageOf(title, parts),
      questions: facts.map(({ q, text, part }) => ({ lang, part, q, gold: [text] })),
    };
  });
}
