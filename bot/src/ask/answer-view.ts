import {
  type Answer,
  askerWords,
  failureCause,
  type LinkOptions,
  type Links,
  linksOf,
  saysNothingFound,
} from "@threadlore/ask";
import { dateMarkup } from "../slack/render/sources.ts";
import type { KnownBlock } from "@slack/types";
import { answerMessages, plainMessages } from "../slack/layout/answer-messages.ts";
import { actionRow, followUpRow, type RowPart } from "../slack/render/answer-actions.ts";
import { closingBlocks, type ClosingOptions } from "../slack/render/blocks.ts";
import { context as contextBlock, verbatim } from "../slack/render/text-blocks.ts";
import type { Ending, View } from "../slack/deliver/delivery-seam.ts";
import { PieceFlow } from "../slack/render/piece-flow.ts";
import { notificationText } from "../slack/render/notification.ts";
import type { Piece, TaskCard } from "../slack/render/pieces.ts";
import type { PostedMessage } from "../slack/transport/calls.ts";
import { planTitle, taskCards } from "../slack/render/task-cards.ts";
import { mrkdwnText } from "../slack/render/escape.ts";

/** A growing answer as the platform is shown it. One per attempt to answer. */
export type AnswerView = ReturnType<typeof createAnswerView>;

/** What stands below an answer. */
export interface Below {
  /** The task: reference of all buttons. */
  readonly taskId: string;
  /** Only the asker sees it. */
  readonly private: boolean;
  /** Somebody is named who helps where it stands; below a private answer, anywhere. Default false. */
  readonly helpers?: boolean;
  /** What was not read, in plain words (mrkdwn). */
  readonly remarks: readonly string[];
  /** Says how the text came to be. Default false. */
  readonly disclaimer?: boolean;
  /** Names of what was searched, where that is not everything; told where nothing was found. */
  readonly searched?: readonly string[];
  /** Nothing can be done with it below. Default false. */
  readonly isBare?: boolean;
  /** Questions that can be asked next. */
  readonly next?: readonly string[];
}

/** A view, empty. `links`: what else than cited documents may be opened. */
export function createAnswerView(links: LinkOptions = {}) {
  const flow = new PieceFlow();
  const pieces: Piece[] = [];
  let steps: readonly TaskCard[] = [];
  const view = (title: string, status: TaskCard["status"], plan = title): View => ({
    cards: [{ id: "begin", title, status }, ...steps],
    plan,
    pieces: [...pieces],
  });
  const waiting = (): View => view("Reading the question", "in_progress");
  const READ = "Read the question";
  return {
    /** Before anything came. */
    waiting,
    /** Nothing has come for a while; what there is stays. `words`: what to say of it. */
    slow: (words = "Still waiting: the knowledge server is slow to answer"): View => view(words, "in_progress"),
    next(answer: Answer): View {
      // The server has it, and nothing more is known yet: somebody is still at work.
      if (answer.status === "waiting") return waiting();
      const allowed = linksOf(answer, links);
      pieces.push(...flow.push(answer, allowed));
      steps = taskCards(answer);
      return view(READ, "complete", planTitle(answer, READ));
    },
    /** It came to nothing: what was done for it stays, and nothing of it is at work any more. */
    failed: (): View => view("No answer came", "error"),
    /** The end, with everything below it. */
    end(answer: Answer, below: Below): Ending {
      const allowed = linksOf(answer, links);
      const last = flow.end(answer, allowed);
      pieces.push(...last.pieces);
      steps = taskCards(answer);
      const { rewritten } = last;
      return { ...view(READ, "complete", planTitle(answer, READ)), ...endingBelow(answer, allowed, below), rewritten };
    },
  };
}

function endingBelow(answer: Answer, links: Links, { taskId, remarks, ...of }: Below): Omit<Ending, keyof View> {
  const below = [
    ...searchedBlocks(answer, of.searched ?? []),
    ...remarkBlocks(remarks),
    ...(of.isBare === true ? [] : actionRow(taskId, rowBelow(answer, of))),
    ...followUpRow(taskId, of.next ?? []),
  ];
  const options: ClosingOptions = { disclaimer: of.disclaimer === true };
  const { chatSessionId, messageId } = answer.conversation;
  return {
    closing: closingBlocks(answer, links, below, options),
    messages: () => answerMessages(answer, links, below, options),
    plain() {
      const messages = plainMessages(answer, links, options);
      return remarks.length === 0 ? messages : [...messages, { text: remarks.slice(0, MAX_REMARKS).join("\n") }];
    },
    text: notificationText(answer.blocks, "An answer."),
    remember: {
      ...(chatSessionId === undefined ? {} : { chat_session_id: chatSessionId }),
      ...(messageId === undefined ? {} : { message_id: messageId }),
    },
  };
}

/** What can be done with an answer. There is one way to ask again, and one next step where nothing was found. */
function rowBelow(answer: Answer, of: Pick<Below, "private" | "helpers">): readonly RowPart[] {
  const calls: readonly RowPart[] = of.helpers === true ? ["human"] : [];
  // Where nothing was found there is no answer to judge: what helps is other words, and people.
  if (saysNothingFound(answer)) return [of.private ? "share" : "regenerate", "human"];
  const others: readonly RowPart[] = of.private ? ["share", ...calls] : calls;
  if (answer.status !== "done") return ["retry", ...calls];
  return ["votes", "regenerate", ...others, "more"];
}

/** Where it was looked, where that is less than everything. */
function searchedBlocks(answer: Answer, names: readonly string[]): KnownBlock[] {
  if (names.length === 0 || !saysNothingFound(answer)) return [];
  return [contextBlock([`Searched here: ${names.map(mrkdwnText).join(", ")}.`])];
}

/** A part of a sentence's length each: a message about files must not push the answer out of sight. */
const MAX_REMARKS = 8;

function remarkBlocks(remarks: readonly string[]): KnownBlock[] {
  if (remarks.length === 0) return [];
  const more = remarks.length - MAX_REMARKS;
  return [contextBlock([[...remarks.slice(0, MAX_REMARKS), ...(more > 0 ? [`… and ${more} more.`] : [])].join("\n")])];
}

/** Why there is no answer: words of our own, in mrkdwn. */
export function noticeMessage(words: string): PostedMessage {
  return { text: words, blocks: [verbatim(words)], plain: words };
}

/**
 * What is said of the failure of an answer where others than administrators read, in mrkdwn: what happened, and what to
 * do, once; a moment in the reader's own time zone. What the server said of it, addresses and advice for whoever runs
 * the bot go to the log, the channel for administrators, and their Home.
 */
export function publicWords(answer: Pick<Answer, "status" | "failure">): string {
  const retryAt = dateMarkup(answer.failure?.retryAt);
  const cause = failureCause(answer);
  if (retryAt === undefined || (cause !== "limit" && cause !== "busy")) return askerWords(answer);
  return `Too much has been asked for now. Ask again after ${retryAt}.`;
}

/** What went wrong (mrkdwn of our own), a reference to find it by, and a button to try again. */
export function failureMessage(taskId: string, why: string): PostedMessage {
  const words = `:warning: I could not answer this. ${why}`;
  const reference = `Reference ${taskId}. Name it when you ask for help.`;
  return {
    text: words,
    plain: `${words}\n${reference}`,
    blocks: [verbatim(words), contextBlock([reference]), ...actionRow(taskId, ["retry"])],
  };
}
