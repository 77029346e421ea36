/** Kept answers among what is found: shown by their words, and never by the questions they are found by. */
import { KEPT_ENTRY, type BaseFilters, type Section } from "@threadlore/client/models";
import type { Caller, ServiceContext, Settings } from "../../context.ts";
import { mayHoldKept } from "../../kept/any-kept.ts";
import type { Gaps } from "../../gaps/gaps.ts";
import { isKept } from "../../kept/kept-store.ts";
import { keptText } from "../../kept/kept-text.ts";
import { chunkSection } from "../../search/chunk.ts";
import { type Found, foundDocument, type Passage, type Search, search } from "../../search/query.ts";
import { all, ofNumbers, type Steps } from "../../store/steps.ts";
import { type PossibleReply, replyTo } from "./reply.ts";

type SearchContext = Pick<ServiceContext, "db" | "store"> & {
  readonly settings?: Pick<Settings, "evenMs">;
  readonly gaps?: Pick<Gaps, "answerTo"> | undefined;
};

/** What is asked, and by whom. */
interface AskedFor {
  readonly text: string;
  readonly caller: Caller;
  readonly filters: BaseFilters | null;
}

/** A passage that is shown. */
export interface ShownPassage extends Passage {
  /** It is the reply to a question that asks the same. */
  readonly isReply?: true;
}

/** Kept answers looked at beside what a question finds, and passages of one that are shown. */
const MAX_KEPT = 16;
const MAX_SHOWN = 3;

/**
 * The passages with those of kept answers as they are to be shown; first of all the reply to a question that asks the same as
 * this one, where the caller may see it and the filters let it through.
 * @param found what the question found
 */
export async function withKept(
  context: SearchContext,
  asked: AskedFor,
  meaning: Search["meaning"],
  { passages, corpus, words }: Found,
): Promise<readonly ShownPassage[]> {
  const among = passages.filter(({ metadata }) => isKept(metadata));
  const [beside, known] = await Promise.all([keptBeside(context, asked, meaning), knownReply(context, asked, meaning)]);
  const found = [...among, ...beside, ...(known === undefined ? [] : [known])];
  if (found.length === 0) return passages;
  const texts = await readKept(context, [...new Set(found.map(({ number }) => number))]);
  const first = new Map(found.toReversed().map((passage) => [passage.number, passage]));
  const holding = new Map(words.map((word) => [word.word, word.holding]));
  const statistics = { passages: corpus, holding: (word: string) => holding.get(word) ?? 0 };
  const otherwise = passages.flatMap(({ metadata, similarity }) => (isKept(metadata) ? [] : (similarity ?? [])));
  const reply = replyTo(asked.text, possibleReplies(found, texts), statistics, { otherwise, known: known?.number });
  const shown = new Set<number>();
  const most = Math.max(1e-9, ...passages.map(({ score }) => score));
  const own = first.get(reply ?? -1);
  const replies = own === undefined ? [] : shownOf({ ...own, score: most }, texts);
  if (reply !== undefined) shown.add(reply);
  return [
    ...replies.map((passage) => ({ ...passage, isReply: true as const })),
    ...passages.flatMap((passage) => {
      if (!isKept(passage.metadata)) return passage;
      if (shown.has(passage.number)) return [];
      shown.add(passage.number);
      return shownOf(passage, texts);
    }),
  ];
}

/**
 * The kept answer to what people asked before that is alike: the gap their questions are in was closed with it. Undefined: there
 * is none that the caller may see and the filters let through.
 */
async function knownReply(
  context: SearchContext,
  { text, caller, filters }: AskedFor,
  meaning: Search["meaning"],
): Promise<Passage | undefined> {
  if (context.gaps === undefined || !mayHoldKept(context.db) || (filters?.tags?.length ?? 0) > 0) return undefined;
  const number = await context.gaps.answerTo({ words: text, meaning });
  const document = number === undefined ? undefined : await foundDocument(context, number, { caller, filters });
  // What is no reply is not read from its beginning: search finds the place in it.
  return document !== undefined && isKept(document.metadata) ? document : undefined;
}

/** What else is kept that says something of it: among many documents the one that was written for it may not be among the best. */
async function keptBeside(
  context: SearchContext,
  { text, caller, filters }: AskedFor,
  meaning: Search["meaning"],
): Promise<readonly Passage[]> {
  // Several tags are alternatives: one more would let more through.
  if (!mayHoldKept(context.db) || (filters?.tags?.length ?? 0) > 0) return [];
  const tags = [{ tag_key: KEPT_ENTRY.key, tag_value: KEPT_ENTRY.value }];
  return (await search(context, { text, caller, filters: { ...filters, tags }, limit: MAX_KEPT, meaning })).passages;
}

type KeptTexts = ReadonlyMap<number, { readonly sections: readonly Section[]; readonly asked: readonly string[] }>;

async function readKept({ store }: SearchContext, numbers: readonly number[]): Promise<KeptTexts> {
  const rows = await store.read(sectionsOf(numbers));
  return new Map(rows.map(({ number, sections }) => [number, keptText(JSON.parse(sections) as Section[])]));
}

function* sectionsOf(numbers: readonly number[]): Steps<{ number: number; sections: string }[]> {
  const sql = ofNumbers((among) => `SELECT number, sections FROM documents WHERE number ${among}`);
  return yield* all(sql, JSON.stringify(numbers));
}

/** Kept answers as they are compared with a question. */
function possibleReplies(kept: readonly Passage[], texts: KeptTexts): PossibleReply[] {
  return [...Map.groupBy(kept, ({ number }) => number)].flatMap(([number, [first, ...rest]]) => {
    if (first === undefined) return [];
    const { sections = [], asked = [] } = texts.get(number) ?? {};
    const questions = [...new Set([first.semanticIdentifier, first.title, ...asked])].filter((one) => one !== "");
    const similarities = [first, ...rest].flatMap(({ similarity }) => similarity ?? []);
    return {
      number,
      questions,
      answer: sections.map(({ text }) => text ?? "").join("\n"),
      similarity: similarities.length === 0 ? undefined : Math.max(...similarities),
    };
  });
}

/** The answer's own passages in place of one that was found. */
function shownOf(passage: Passage, texts: KeptTexts): Passage[] {
  const { sections = [] } = texts.get(passage.number) ?? {};
  const shown: Passage[] = [];
  for (const { text, link } of sections) {
    for (const chunk of chunkSection(text ?? "")) {
      if (shown.length < MAX_SHOWN)
        shown.push({ ...passage, ...chunk, ordinal: shown.length, link: link ?? passage.link });
    }
  }
  return shown;
}
