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
import type { ActionsBlock, KnownBlock } from "@slack/types";
import { answerMessages, plainMessages } from "../slack/layout/answer-messages.ts";
import {
  ACTIONS,
  answerButtons,
  button,
  closingBlocks,
  context as contextBlock,
  feedbackButtons,
  verbatim,
} from "../slack/render/blocks.ts";
import type { Ending, View } from "../slack/deliver/delivery-seam.ts";
import { PieceFlow } from "../slack/render/piece-flow.ts";
import { notificationText } from "../slack/render/notification.ts";
import type { Piece, TaskCard } from "../slack/render/pieces.ts";
import type { PostedMessage } from "../slack/transport/calls.ts";
import { taskCards } from "../slack/render/task-cards.ts";

/** A growing answer as the platform is shown it. One per attempt to answer. */
export type AnswerView = ReturnType<typeof createAnswerView>;

/** What stands below an answer. */
export interface Below {
  /** The task: reference of all buttons. */
  readonly taskId: string;
  /** Only the asker sees it. */
  readonly private: boolean;
  /** Somebody is named who helps where it stands. Default false. */
  readonly helpers?: boolean;
  /** What was not read, in plain words (mrkdwn). */
  readonly remarks: readonly string[];
}

/** A view, empty. `links`: what else than cited documents may be opened. */
export function createAnswerView(links: LinkOptions = {}) {
  const flow = new PieceFlow();
  const pieces: Piece[] = [];
  let steps: readonly TaskCard[] = [];
  const view = (title: string, status: TaskCard["status"]): View => ({
    cards: [{ id: "begin", title, status }, ...steps],
    pieces: [...pieces],
  });
  const waiting = (): View => view("Reading the question", "in_progress");
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
      steps = taskCards(answer, allowed);
      return view("Read the question", "complete");
    },
    /** It came to nothing: what was done for it stays, and nothing of it is at work any more. */
    failed: (): View => view("No answer came", "error"),
    /** The end, with everything below it. */
    end(answer: Answer, below: Below): Ending {
      const allowed = linksOf(answer, links);
      const last = flow.end(answer, allowed);
      pieces.push(...last.pieces);
      steps = taskCards(answer, allowed);
      const { rewritten } = last;
      return { ...view("Read the question", "complete"), ...endingBelow(answer, allowed, below), rewritten };
    },
  };
}

function endingBelow(answer: Answer, links: Links, { taskId, remarks, ...of }: Below): Omit<Ending, keyof View> {
  const isWhole = answer.status === "done";
  const buttons = [
    // One way to ask again: a part has its own.
    ...(isWhole ? (["regenerate"] as const) : []),
    ...(of.private ? (["share"] as const) : of.helpers === true ? (["human"] as const) : []),
  ];
  const below = [
    // Where nothing was found there is no answer to judge: what helps is other words, or a person.
    ...(saysNothingFound(answer) ? [] : [feedbackButtons(taskId)]),
    ...answerButtons(taskId, buttons),
    ...remarkBlocks(remarks),
    ...(isWhole ? [] : [retryButton(taskId)]),
  ];
  const { chatSessionId, messageId } = answer.conversation;
  return {
    closing: closingBlocks(answer, links, below),
    messages: () => answerMessages(answer, links, below),
    plain() {
      const messages = plainMessages(answer, links);
      return remarks.length === 0 ? messages : [...messages, { text: remarks.slice(0, MAX_REMARKS).join("\n") }];
    },
    text: notificationText(answer.blocks, "An answer."),
    remember: {
      ...(chatSessionId === undefined ? {} : { chat_session_id: chatSessionId }),
      ...(messageId === undefined ? {} : { message_id: messageId }),
    },
  };
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
    blocks: [verbatim(words), contextBlock([reference]), retryButton(taskId)],
  };
}

function retryButton(taskId: string): ActionsBlock {
  return { type: "actions", elements: [button("Retry", ACTIONS.retry, taskId)] };
}
