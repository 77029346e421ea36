/**
 * Answer: everything known about a question's answer so far, as an immutable snapshot; and `reduce`, which makes the
 * next snapshot from one packet.
 */
import type { Packet } from "@threadlore/client/models";
import { withAsides } from "./asides.ts";
import { type Citation, readerCitations } from "./citations.ts";
import { draftBlocks } from "./draft.ts";
import type { ConversationRef } from "./conversation.ts";
import type { Finding } from "./finding.ts";
import type { Failure } from "../failure/failure.ts";
import { advance, chosenLane, conclude, conversationOf, noProgress, type Progress } from "./progress.ts";
import type { Source } from "./sources.ts";
import { type AnswerStatus, isFinal } from "./status.ts";
import type { Step } from "./steps.ts";
import type { Block } from "../markdown/tree.ts";

/** A whole answer as far as it is known. Never changes: every packet makes a new one. Plain, JSON-safe data. */
export interface Answer {
  readonly status: AnswerStatus;
  /** Markdown of the answer proper (the last message group), citation marks as the server wrote them. */
  readonly text: string;
  /** Markdown of earlier groups ("Let me check…"), oldest first. Not part of the answer. */
  readonly preambles: readonly string[];
  /**
   * `text` as a tree, parsed when first asked for, with what `finding` says as asides. Blocks that are complete keep
   * their identity from snapshot to snapshot, so that a surface can skip them.
   */
  readonly blocks: readonly Block[];
  /** What the text cites, numbered 1, 2, 3… in order of first appearance; one entry per document. */
  readonly citations: readonly Citation[];
  /** Every document found or cited, one entry per document id, in the order they came up. */
  readonly sources: readonly Source[];
  /** What was done for the answer: searches, tools, reasoning, research. In order of their beginning. */
  readonly steps: readonly Step[];
  readonly conversation: ConversationRef;
  /** How the answer stands to the question; absent where the server does not say. The text says the same in words. */
  readonly finding?: Finding;
  /** Why there is no complete answer, in words for a person. Only with status `failed` or `partial`. */
  readonly failure?: Failure;
  /** Packets this version does not know and passed over. */
  readonly skippedPackets: number;
}

/**
 * Where a snapshot carries what the next one is made from. Not enumerable, so that a snapshot stays plain data; and not
 * in a WeakMap, whose entries live until the next full collection: a snapshot for each packet is many.
 */
const PROGRESS = Symbol("progress");

function progressOf(answer: Answer): Progress {
  return (answer as { readonly [PROGRESS]?: Progress })[PROGRESS] ?? noProgress;
}

/** The answer before anything came: status `waiting`, everything else empty. */
export function emptyAnswer(): Answer {
  return snapshot(noProgress);
}

/**
 * The snapshot after one more packet. Pure and total: the given answer is left as it was and no packet makes it throw;
 * a packet that changes nothing (a heartbeat) returns the same object.
 *
 * Assembly follows deployed servers (docs/wire.md, sections 1.3, 1.4): of several message groups only the last is the
 * answer, packets of nested agents are steps, of several models the first that does not fail answers. An answer that
 * did not come from `emptyAnswer` or `reduce` (one revived from JSON, say) is continued from nothing.
 */
export function reduce(answer: Answer, packet: Packet): Answer {
  const before = progressOf(answer);
  const after = advance(before, packet);
  return after === before ? answer : snapshot(after);
}

/** The snapshot after the stream ended in a way no packet tells: cut, stopped by the caller, or failed. */
export function endedAs(answer: Answer, status: "partial" | "failed" | "stopped", failure?: Failure): Answer {
  return snapshot(conclude(progressOf(answer), status, failure));
}

/** The answer with the ids of its conversation, where no packet told them. */
export function inConversation(answer: Answer, { chatSessionId, messageId, userMessageId }: ConversationRef): Answer {
  const known = answer.conversation;
  let found = answer;
  if (known.chatSessionId === undefined && chatSessionId !== undefined)
    found = reduce(found, { chat_session_id: chatSessionId });
  if (known.messageId === undefined && messageId !== undefined) {
    const ids = { user_message_id: userMessageId ?? null, reserved_assistant_message_id: messageId };
    found = reduce(found, ids);
  }
  return found;
}

function snapshot(progress: Progress): Answer {
  const lane = chosenLane(progress);
  const final = isFinal(lane.status);
  let blocks: readonly Block[] | undefined;
  let citations: readonly Citation[] | undefined;
  const answer: Answer = {
    status: lane.status,
    text: lane.draft.text,
    preambles: lane.preambles,
    // Own accessors: parsed only for the snapshots somebody looks at, and still seen by JSON.stringify.
    get blocks() {
      blocks ??= withAsides(draftBlocks(lane.draft, final), lane.finding);
      return blocks;
    },
    get citations() {
      citations ??= readerCitations(answer.blocks, lane.found);
      return citations;
    },
    sources: lane.found.sources,
    steps: lane.steps,
    conversation: conversationOf(progress, lane.index),
    finding: lane.finding,
    failure: lane.failure,
    skippedPackets: progress.skipped,
  };
  Object.defineProperty(answer, PROGRESS, { value: progress });
  return Object.freeze(answer);
}
