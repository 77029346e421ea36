/** The message that asks an owner whether their answer still holds, as it stands at each moment; pure. */
import type { Button, KnownBlock } from "@slack/types";
import type { DoubtRecord } from "@threadlore/inbox";
import { plainText, section } from "../../ask/block-kit.ts";
import { button } from "../../slack/render/answer-actions.ts";
import { inOwnDirection, markupAddress, mrkdwnText, shortened } from "../../slack/render/escape.ts";
import { context } from "../../slack/render/text-blocks.ts";

/** `action_id`s of its buttons; their values are ids of doubts. */
export const STILL_ACTIONS = { holds: "still_holds", edit: "still_edit", retire: "still_retire" } as const;

const MAX_WORDS = 300;
const MAX_TITLE = 120;

/** What an answer is called to those who may not read its channel. */
export const HIDDEN_TITLE = "An answer in a private channel";

/** What is asked. */
export interface Asked {
  readonly doubt: DoubtRecord;
  /** The kept answer: its question, how it begins, where it stands, since when. `words` empty: they cannot be read. */
  readonly kept: { readonly title: string; readonly words: string; readonly permalink?: string | undefined };
  readonly keptAt: number;
  /** Days after which an answer is old. */
  readonly days: number;
  /** The newer document may be shown. */
  readonly showsNewer: boolean;
  /** Whose words they are, where they have left: then administrators are asked. */
  readonly left?: string | undefined;
  readonly isReminder?: boolean;
}

/** Its text and blocks. */
export function stillMessage(asked: Asked): { readonly text: string; readonly blocks: KnownBlock[] } {
  const { kept, doubt, keptAt, left, isReminder = false } = asked;
  const name = linkTo(kept.title, kept.permalink, "an answer of yours");
  const ask = left === undefined ? "Is this answer of yours still true?" : "Is this answer still true?";
  const head = isReminder ? `I asked a week ago, and ask no more after this. ${ask}` : ask;
  const whose = left === undefined ? "" : ` It is ${mrkdwnText(left)}’s, who is not here any more.`;
  const words = kept.words === "" ? "" : `\n${quoted(kept.words)}`;
  return {
    text: `${head} ${mrkdwnText(line(kept.title))}`,
    blocks: [
      section(`*${head}*${whose}\n${name}, kept ${monthOf(keptAt)}.${words}`),
      ...whyAsked(asked),
      { type: "actions", elements: actions(doubt.id, left !== undefined) },
    ],
  };
}

function whyAsked({ doubt: { reason, newer }, kept, days, showsNewer }: Asked): KnownBlock[] {
  if (reason === "bad_mark") return [context(["Somebody marked an answer that was made from it as not helpful."])];
  if (reason === "age" || newer === undefined) return [context([`It is older than ${days} days.`])];
  if (!showsNewer)
    return [context(["A newer document says something else, which this channel’s readers may not all see."])];
  const title = linkTo(newer.title, newer.link, "A newer document");
  // What stands above already is not said again.
  const isShown = line(kept.words).slice(0, MAX_WORDS).includes(line(newer.keptSays));
  const yours = isShown ? "" : `\nYours says:\n${quoted(newer.keptSays)}`;
  return [section(`A newer document says something else: ${title}\n${quoted(newer.says)}${yours}`)];
}

function actions(id: string, isLeft: boolean): Button[] {
  const edit = isLeft ? [] : [button("Edit", STILL_ACTIONS.edit, id)];
  const holds: Button = { ...button("Yes, still true", STILL_ACTIONS.holds, id), style: "primary" };
  return [holds, ...edit, retireButton(STILL_ACTIONS.retire, id)];
}

/** A button that takes an answer back, with what that means before it is done. */
export function retireButton(action: string, id: string): Button {
  const text = "It is found no more, and the question counts as open again. The messages in the thread stay.";
  const confirm = {
    title: plainText("Retire this answer?"),
    text: plainText(text),
    confirm: plainText("Retire"),
    deny: plainText("Cancel"),
  };
  return { ...button("Retire", action, id), confirm };
}

/** How it ended. */
export type StillEnding = "holds" | "edited" | "retired" | "settled";

const ENDED: Readonly<Record<StillEnding, string>> = {
  holds: ":white_check_mark: Still true",
  edited: ":pencil2: Changed since",
  retired: ":wastebasket: Retired",
  settled: ":white_check_mark: Nothing speaks against it any more",
};

/** The message once nothing is asked any more. `by`: who said so. */
export function overMessage(
  { title, permalink }: { readonly title: string; readonly permalink?: string | undefined },
  ending: StillEnding,
  by?: string,
): { readonly text: string; readonly blocks: KnownBlock[] } {
  const isRetired = ending === "retired";
  const who = by === undefined ? "" : isRetired ? ` by <@${by}>` : `, said <@${by}>`;
  const text = `${ENDED[ending]}${who}${isRetired ? ": it is found no more" : ""}.`;
  return {
    text,
    blocks: [section(linkTo(title, isRetired ? undefined : permalink, "Your answer")), context([text])],
  };
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** `in Mar 2025`. */
function monthOf(at: number): string {
  const day = new Date(at);
  return `in ${MONTHS[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}

const line = (words: string): string => words.replace(/\s+/g, " ").trim();
/** Of a quotation and of an address as they are sent: with two of them and a title beside it a section takes no more. */
const MAX_QUOTED = 400;
const MAX_ADDRESS = 1_400;

/** A sentence of somebody, as a quotation in one line. */
export const quoted = (words: string): string => `> ${cutLine(words)}`;

/** Words of somebody in one line, as they are sent. What is written with many signs that are escaped is cut sooner. */
export function cutLine(words: string): string {
  const one = line(words);
  let longest = MAX_WORDS;
  let text = mrkdwnText(shortened(one, longest));
  while (text.length > MAX_QUOTED) {
    longest -= Math.ceil((text.length - MAX_QUOTED) / MAX_ESCAPED);
    text = mrkdwnText(shortened(one, longest));
  }
  return text;
}

/** What one character becomes at most: `&amp;`. */
const MAX_ESCAPED = 5;

/** A title as a link, where there is an address that has room. */
export function linkTo(title: string, address: string | undefined, otherwise: string): string {
  const words = inOwnDirection(mrkdwnText(shortened(line(title), MAX_TITLE)).replaceAll("|", "¦")) || otherwise;
  const href = address === undefined ? "" : markupAddress(address);
  return href === "" || href.length > MAX_ADDRESS ? words : `<${href}|${words}>`;
}
