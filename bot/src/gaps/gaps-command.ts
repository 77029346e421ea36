import type { Subcommand } from "../ask/entry/command.ts";
import { inOwnDirection, mrkdwnText, shortened } from "../slack/render/escape.ts";
import { notCounted } from "./digest/digest-message.ts";
import type { ListedGap } from "./book/book-question.ts";

/** Gaps a list names. */
const MAX_LISTED = 10;

/** `/ask gaps`: what nobody has written down, for administrators of the workspace. */
export const gapsCommand: Subcommand = {
  word: "gaps",
  does: "lists what was asked and nobody could answer (only for administrators).",
  async run(context, { user }) {
    const account = await context.people.account(user);
    if (account?.kind !== "admin") return "Only administrators of this workspace see what nobody could answer.";
    const listing = await context.gaps.listing(MAX_LISTED).catch(() => undefined);
    if (listing === undefined)
      return "The knowledge server cannot be asked for its gaps right now. Try again in a minute.";
    const { gaps, without } = listing;
    const notes = without === undefined ? [] : [`_${notCounted(without)}_`];
    if (gaps.length === 0) return ["Nobody waits for an answer.", ...notes].join("\n");
    return ["*Asked, and not answered yet, by how many people wait:*", ...gaps.map(lineOf), ...notes].join("\n");
  },
};

function lineOf({ people, questions, words }: ListedGap): string {
  const who = people === 1 ? "1 person" : `${people} people`;
  const often = questions === people ? "" : `, ${questions} questions`;
  const what =
    words === undefined
      ? "_asked in private: its words are not shown_"
      : inOwnDirection(mrkdwnText(shortened(words, 200)));
  return `• ${what} — ${who}${often}`;
}
