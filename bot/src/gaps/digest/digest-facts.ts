import { readFile } from "node:fs/promises";
import { createPlacement, traitsOf } from "@threadlore/gaps";
import type { DoubtRecord } from "@threadlore/inbox";
import * as z from "zod";
import { isDirect, keptQuestion, type QuestionBody } from "../../ask/question.ts";
import { placeSettings } from "../../ask/presses.ts";
import type { BotContext } from "../../context.ts";
import type { ListedGap, NoServerList } from "../book/book-question.ts";
import { plainText, sameWords, wordsNow } from "../asked-words.ts";
import { HIDDEN_TITLE } from "../still-true/still-message.ts";
import { comparesDocuments } from "../still-true/server-compares.ts";
import { type DigestOf, mayChange, type MayChange } from "./digest-changed.ts";
import { type Rows, some } from "./digest-rows.ts";

/** Gaps, doubts and answers that are counted: beyond, "more" is no number. */
const MAX_COUNTED = 200;
/** Questions of a week that are looked at, and different ones that are compared. */
const MAX_QUESTIONS = 2_000;
const MAX_COMPARED = 300;

/** What a digest says. No word of a private question, and no asker's name, is in it. */
export interface DigestFacts {
  readonly gaps: Rows<ListedGap & { readonly canBeAsked: boolean }>;
  readonly closed: Rows<{ readonly title: string; readonly permalink?: string | undefined }>;
  readonly doubted: Rows<{
    readonly doubt: DoubtRecord;
    readonly title: string;
    readonly permalink?: string | undefined;
  }>;
  readonly changed: Rows<MayChange>;
  readonly asked: Rows<{ readonly words: string; readonly people: number; readonly permalink?: string | undefined }>;
  readonly tests?: { readonly failed: number; readonly causes: Rows<string> } | undefined;
  readonly unknown: Unknown;
}

/** What the server, as it is, keeps from being known. */
export interface Unknown {
  /** What was asked of it elsewhere than of the bot, and why. */
  readonly elsewhere?: NoServerList | undefined;
  /** Which newer documents contradict a kept answer. */
  readonly contradictions: boolean;
}

/** Whether there is nothing to say. */
export const saysNothing = ({ gaps, closed, doubted, changed, asked, tests }: DigestFacts): boolean =>
  [gaps, closed, doubted, changed, asked].every(({ rows }) => rows.length === 0) && tests === undefined;

/** Gathers what was so since the digest before. Throws where the server cannot be asked now for its gaps, or for what a newer document may change. */
export async function gatherDigest(
  context: BotContext,
  { since, ...digest }: DigestOf & { readonly since: number },
): Promise<DigestFacts> {
  const [{ gaps, without }, closed, doubted, changed, asked, tests, compares] = await Promise.all([
    openGaps(context),
    closedSince(context, since),
    doubtedNow(context),
    mayChange(context, digest),
    askedMost(context, since),
    failedTests(context),
    comparesDocuments(context),
  ]);
  const unknown = { elsewhere: without, contradictions: !compares };
  return { gaps, closed, doubted, changed, asked, tests, unknown };
}

async function openGaps({ gaps, store }: BotContext) {
  const { gaps: open, without } = await gaps.listing(MAX_COUNTED);
  const { rows, more } = some(open);
  const told = rows.map(async (row) => {
    const waiting = row.words === undefined ? [] : await store.waitingIn(row.gap);
    return { ...row, canBeAsked: waiting.some(({ isShared, toldAt }) => isShared && toldAt === undefined) };
  });
  return { gaps: { rows: await Promise.all(told), more }, without };
}

/** What everybody may read of a kept answer: in a channel that is not everybody's, nothing. */
async function publicName(context: BotContext, { channel, ts }: { readonly channel: string; readonly ts: string }) {
  const pin = await context.store.findPin(channel, ts);
  const { place } = await placeSettings(context, channel);
  if (place?.kind !== "public") return { title: HIDDEN_TITLE };
  return { title: pin?.title ?? "", permalink: pin?.permalink };
}

async function closedSince(context: BotContext, since: number): Promise<DigestFacts["closed"]> {
  const { rows, more } = some(await context.store.keptAnswersSince(since, MAX_COUNTED));
  return { rows: await Promise.all(rows.map((kept) => publicName(context, kept))), more };
}

async function doubtedNow(context: BotContext): Promise<DigestFacts["doubted"]> {
  const { rows, more } = some(await context.store.openDoubts(MAX_COUNTED));
  return {
    rows: await Promise.all(rows.map(async (doubt) => ({ doubt, ...(await publicName(context, doubt)) }))),
    more,
  };
}

/** What most people asked where everybody could read it; what one person asked alone is nobody's news. */
async function askedMost(context: BotContext, since: number): Promise<DigestFacts["asked"]> {
  const alike = new Map<
    string,
    { readonly people: Set<string>; readonly newest: QuestionBody; readonly words: string }
  >();
  for (const { body } of await context.store.questionsSince(since, MAX_QUESTIONS)) {
    const question = keptQuestion(context, body);
    if (question.private || isDirect(question) || question.user === "" || question.botId !== undefined) continue;
    const place = await context.people.place(question.channel);
    if (place?.kind !== "public" || place.shared) continue;
    const words = await plainText(context, question.text);
    if (words === "") continue;
    const same = sameWords(words);
    const known = alike.get(same) ?? { people: new Set(), newest: question, words };
    known.people.add(question.user);
    alike.set(same, known);
  }
  const groups = new Map<string, { people: Set<string>; newest: QuestionBody }>();
  const compared: { gap: string; traits: ReturnType<typeof traitsOf> }[] = [];
  const most = [...alike].toSorted(([, one], [, other]) => other.people.size - one.people.size).slice(0, MAX_COMPARED);
  for (const [same, { people, newest, words }] of most) {
    const traits = traitsOf(words);
    const gap = createPlacement(compared).placeOf({ traits }).gap ?? same;
    compared.push({ gap, traits });
    const group = groups.get(gap) ?? { people: new Set(), newest };
    for (const one of people) group.people.add(one);
    groups.set(gap, group);
  }
  const asked = [...groups.values()].filter(({ people }) => people.size > 1);
  const { rows, more } = some(asked.toSorted((one, other) => other.people.size - one.people.size));
  const shown = await Promise.all(
    rows.map(async ({ people, newest }) => {
      const words = await wordsNow(context, newest);
      if (words === undefined || words === "") return [];
      return [{ words, people: people.size, permalink: await permalinkOf(context, newest) }];
    }),
  );
  return { rows: shown.flat(), more };
}

async function permalinkOf(
  { clients }: BotContext,
  { isMessage, channel, ts }: QuestionBody,
): Promise<string | undefined> {
  if (!isMessage) return undefined;
  const reply = await clients.reads.chat.getPermalink({ channel, message_ts: ts }).catch(() => undefined);
  return reply?.permalink;
}

/** Of a report of `threadlore test`, what is told: another program writes it. */
const Report = z.object({
  tests: z.array(
    z.object({ outcome: z.string(), name: z.string(), causes: z.array(z.object({ words: z.string() })).default([]) }),
  ),
});

async function failedTests({ config, log }: BotContext): Promise<DigestFacts["tests"]> {
  if (config.answerTests === undefined) return undefined;
  try {
    const { tests } = Report.parse(JSON.parse(await readFile(config.answerTests, "utf8")));
    const failed = tests.filter(({ outcome }) => outcome === "failed" || outcome === "error");
    if (failed.length === 0) return undefined;
    const causes = failed.map(({ name, causes: [cause] }) => (cause === undefined ? name : `${name}: ${cause.words}`));
    return { failed: failed.length, causes: some(causes) };
  } catch (error) {
    log.warn("report of answer tests not read", { file: config.answerTests, error });
    return undefined;
  }
}
