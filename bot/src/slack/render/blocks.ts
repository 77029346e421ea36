/** What stands below an answer: how it ended, its sources, and who wrote it. */
import type { KnownBlock } from "@slack/types";
import { type Answer, askerWords, type Links, saysNothingFound } from "@threadlore/ask";
import { mrkdwnText } from "./escape.ts";
import { sourceBlocks, sourceLines } from "./sources.ts";
import { context } from "./text-blocks.ts";

/** How it stands below an answer. */
export interface ClosingOptions {
  /** Says how the text came to be. Default false. */
  readonly disclaimer?: boolean;
  /** How it ended, in mrkdwn of ours. Default: as the answer's status has it. */
  readonly ended?: string;
}

/** The blocks below an answer, then `below`. They hold no `block_id`, so that a message may be updated with them. */
export function closingBlocks(
  answer: Answer,
  links: Links,
  below: readonly KnownBlock[] = [],
  options: ClosingOptions = {},
): KnownBlock[] {
  const status = statusLine(answer);
  const ended = options.ended ?? (status === undefined ? undefined : `:warning: ${mrkdwnText(status)}`);
  const said = disclaimer(answer, options);
  return [
    ...(ended === undefined ? [] : [context([ended])]),
    ...sourceBlocks(answer, links),
    ...(said === undefined ? [] : [context([said])]),
    ...below,
  ];
}

/** The same as lines of mrkdwn, for messages without blocks. */
export function closingLines(answer: Answer, links: Links, options: ClosingOptions = {}): readonly string[] {
  const status = statusLine(answer);
  const said = disclaimer(answer, options);
  return [
    ...(status === undefined ? [] : [mrkdwnText(status)]),
    ...sourceLines(answer, links),
    ...(said === undefined ? [] : [said]),
  ];
}

/** How an answer that is not complete ended; undefined for one that is. */
export function statusLine(answer: Answer): string | undefined {
  switch (answer.status) {
    case "stopped":
      return "The answer was stopped before it was complete.";
    case "partial":
    case "failed":
      return askerWords(answer);
    default:
      return undefined;
  }
}

/**
 * Where nothing was found there is nothing to check. Servers that say how an answer stands to its question put it
 * together from what stands in the documents: no model wrote it.
 */
function disclaimer(answer: Answer, options: ClosingOptions): string | undefined {
  if (options.disclaimer !== true || answer.status !== "done" || saysNothingFound(answer)) return undefined;
  return answer.finding?.state === "quote"
    ? "Quoted from the documents – check important details."
    : "AI-generated – check important details.";
}
