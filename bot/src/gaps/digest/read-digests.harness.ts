import type { Message } from "@threadlore/chat-workspace";
import { buttonOf } from "../../testing/buttons.ts";
import { type DigestTown, digestTown, nextDigest, somebodyWaits } from "../../testing/digest-town.ts";
import { keepAnswer } from "../../testing/kept-answers.ts";
import type { KeptPair } from "../../testing/kept-pairs.ts";
import { idle, type Town, type TownOptions } from "../../testing/running-bot.ts";
import { lookStillTrue } from "../still-true/look-still-true.ts";

/** What came of documents that a program sent, and of an administrator who reads each digest. */
export interface DigestsRead {
  readonly kept: number;
  readonly contradicted: number;
  /** Contradicted answers whose owner was asked. */
  readonly reached: number;
  /** Those of which an administrator said so, and those of them whose owner was not asked all the same. */
  readonly pressed: readonly string[];
  readonly inVainPressed: readonly string[];
  /** Answers whose owner was asked though nothing contradicts them. */
  readonly falsely: readonly string[];
  /** Rows of all digests, and those of them that are not true. */
  readonly rows: number;
  readonly inVain: number;
  readonly weeks: number;
}

/** What is kept and contradicted in a week: a digest has room for five. */
const A_WEEK = 8;
const MINUTE_MS = 60_000;
const PART = "Kept answers a newer document may change";
const ROW = "digest_changed";

/**
 * Weeks of a company in which answers are kept, and a program sends documents, some of which say otherwise. Of what no rule tells,
 * an administrator who has read both says what is true, and presses nothing else.
 * @param open of `useTowns`
 */
export async function readDigests(
  open: (options?: TownOptions) => Promise<Town>,
  pairs: readonly KeptPair[],
): Promise<DigestsRead> {
  const place = await digestTown(open, { withServer: true });
  await somebodyWaits(place);
  const told = new Set<string>();
  const read = { pressed: new Set<KeptPair>(), rows: 0, inVain: 0, weeks: 0 };
  for (let from = 0; from < pairs.length; from += A_WEEK) {
    const some = pairs.slice(from, from + A_WEEK);
    await keepAndSend(place, some);
    await lookStillTrue(place.bot.context);
    await readOne(place, pairs, told, read);
  }
  // What there was no room for.
  for (const until = read.weeks + 3; read.weeks < until;) await readOne(place, pairs, told, read);
  const reached = pairs.filter(({ question }) => isAsked(place, question));
  const ids = (some: readonly KeptPair[]): string[] => some.map(({ id }) => id);
  const pressed = [...read.pressed];
  return {
    ...read,
    pressed: ids(pressed),
    inVainPressed: ids(pressed.filter((pair) => !reached.includes(pair))),
    kept: pairs.length,
    contradicted: pairs.filter(({ contradicts }) => contradicts).length,
    reached: reached.filter(({ contradicts }) => contradicts).length,
    falsely: ids(reached.filter(({ contradicts }) => !contradicts)),
  };
}

async function keepAndSend(place: DigestTown, pairs: readonly KeptPair[]): Promise<void> {
  const { clock, knowledge } = place;
  for (const { question, kept } of pairs) await keepAnswer(place, { question, answer: kept });
  clock.advance(MINUTE_MS);
  const updatedAt = new Date(clock.now()).toISOString();
  for (const { id, newer } of pairs) await knowledge.add({ id: `${id} newer`, ...newer, updatedAt });
  await idle(place);
}

/** Reads the digest of the next week, and presses what is true. */
async function readOne(
  place: DigestTown,
  pairs: readonly KeptPair[],
  told: Set<string>,
  read: { readonly pressed: Set<KeptPair>; rows: number; inVain: number; weeks: number },
): Promise<void> {
  const digest = await nextDigest(place);
  read.weeks += 1;
  for (const { words, value } of rowsIn(digest)) {
    if (told.has(value)) throw new Error(`Shown twice: ${words}`);
    told.add(value);
    read.rows += 1;
    const pair = pairs.find(
      ({ question, newer }) => words.includes(inJson(question)) && words.includes(inJson(newer.title)),
    );
    if (pair?.contradicts === true) {
      await place.boss.press({ channel: digest.channel, ts: digest.ts }, ROW, value);
      read.pressed.add(pair);
    } else read.inVain += 1;
  }
  await idle(place);
  await lookStillTrue(place.bot.context);
  await idle(place);
}

/** As it stands in a block's text, within JSON. */
const inJson = (words: string): string => JSON.stringify(words).slice(1, -1);

function rowsIn({ blocks, shown }: Message): { readonly words: string; readonly value: string }[] {
  if (!shown.includes(PART)) return [];
  return (blocks as unknown as readonly object[]).flatMap((block) => {
    const words = JSON.stringify(block);
    const value = buttonOf({ blocks: [block] } as unknown as Message, ROW);
    return value === undefined ? [] : [{ words, value }];
  });
}

/** Whether its owner was asked whether it still holds. */
function isAsked({ workspace, bo }: DigestTown, question: string): boolean {
  const direct = workspace.channels().find(({ kind, members }) => kind === "im" && members.includes(bo.user.id));
  const all = direct === undefined ? [] : workspace.messages(direct.id);
  return all.some(({ user, shown }) => user === workspace.app.botUserId && shown.includes(question));
}
