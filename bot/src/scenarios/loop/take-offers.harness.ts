import { setTimeout as pause } from "node:timers/promises";
import type { Message, Person, Workspace } from "@threadlore/chat-workspace";
import { buttonOf } from "../../testing/buttons.ts";
import { plainly, type TrueGap } from "../../testing/true-gaps.ts";

/** Somebody's question, where it stands, and what it is of. */
interface Asked {
  readonly gap: TrueGap;
  readonly person: Person;
  readonly channel: string;
  readonly ts: string;
}

/** An offer comes once its question is noted: it is waited for so long where nothing else waits for it, milliseconds. */
const OFFERED_MS = 3_000;
/** A press nobody took is made again after so long. */
const TAKEN_MS = 3_000;
const MAX_PRESSES = 20;
/** Characters of a question by which it is known in an offer. */
const KNOWN_BY = 100;

/** Resolves once an offer is there, or none comes. */
export async function offered(workspace: Workspace, asked: Asked): Promise<void> {
  await workspace.until(() => offerOf(asked), OFFERED_MS).catch(() => undefined);
}

/**
 * Whoever asked looks at what is offered below their question and says which of it is the same, if any is: as people do who know
 * what they asked. Answers whether they found it.
 */
export async function takeOffer(
  workspace: Workspace,
  asked: Asked,
): Promise<"taken" | "nothing fits" | "nothing offered"> {
  const offer = offerOf(asked);
  if (offer === undefined) return "nothing offered";
  const row = rowsOf(offer).findIndex((words) => isOf(asked.gap, words));
  if (row < 0) return "nothing fits";
  const action = `gap_same_${row}`;
  for (let presses = 0; presses < MAX_PRESSES && offerOf(asked) !== undefined; presses += 1) {
    await asked.person
      .press({ channel: asked.channel, ts: offer.ts }, action, buttonOf(offer, action))
      .catch(() => undefined);
    await workspace.until(() => offerOf(asked) === undefined, TAKEN_MS).catch(() => pause(100));
  }
  return offerOf(asked) === undefined ? "taken" : "nothing fits";
}

/** What stands there, as long as nothing of it was taken. */
const offerOf = ({ person, channel, ts }: Asked): Message | undefined =>
  person.ephemerals(channel).find((one) => one.threadTs === ts && buttonOf(one, "gap_same_0") !== undefined);

function rowsOf({ blocks }: Message): string[] {
  const sections = blocks as unknown as { accessory?: object; text?: { text?: string } }[];
  return sections.flatMap(({ accessory, text }) => (accessory === undefined ? [] : [plainly(text?.text ?? "")]));
}

const isOf = (gap: TrueGap, row: string): boolean =>
  [...gap.asked, ...gap.later].some((words) => row.includes(plainly(words).trim().slice(0, KNOWN_BY)));
