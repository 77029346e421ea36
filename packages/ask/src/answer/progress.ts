/**
 * What lies behind an Answer: one lane per answering model, each with its text, steps and documents. Everything here is
 * a value; `advance` never throws, whatever a packet holds.
 */
import type { Packet, Placement } from "@threadlore/client/models";
import type { ConversationRef } from "./conversation.ts";
import { append, type Draft, emptyDraft } from "./draft.ts";
import { type Fields, isObject, number } from "./fields.ts";
import { type Finding, findingOf } from "./finding.ts";
import { type Failure, failureFromServer } from "../failure/failure.ts";
import { type Found, nothingFound, withCitation, withDocuments } from "./sources.ts";
import { type AnswerStatus, isFinal } from "./status.ts";
import { isStepPacket, settle, type Step, withEnded, withNestedText, withStepPacket } from "./steps.ts";

/** The answer of one model. */
export interface Lane {
  readonly index: number;
  readonly status: AnswerStatus;
  readonly draft: Draft;
  readonly preambles: readonly string[];
  readonly steps: readonly Step[];
  readonly found: Found;
  readonly finding?: Finding;
  readonly failure?: Failure;
}

export interface Progress {
  /** By model index, in the order they turned up; index 0 is always there, and first. */
  readonly lanes: ReadonlyMap<number, Lane>;
  readonly chatSessionId?: string;
  readonly userMessageId?: number;
  /** Message ids by model index. */
  readonly messageIds: readonly (number | undefined)[];
  readonly skipped: number;
}

const newLane = (index: number): Lane => ({
  index,
  status: "waiting",
  draft: emptyDraft(),
  preambles: [],
  steps: [],
  found: nothingFound,
});

export const noProgress: Progress = { lanes: new Map([[0, newLane(0)]]), messageIds: [], skipped: 0 };

/**
 * The lane whose answer is shown: the first model's, or that of the first that did not fail; when all failed, the first.
 * First is who was named or spoke first, so that a model turning up late never displaces an answer.
 */
export function chosenLane(progress: Progress): Lane {
  let first: Lane | undefined;
  for (const lane of progress.lanes.values()) {
    if (lane.status !== "failed") return lane;
    first ??= lane;
  }
  return first ?? newLane(0);
}

export function conversationOf(progress: Progress, lane: number): ConversationRef {
  const { chatSessionId, userMessageId } = progress;
  const messageId = progress.messageIds[lane];
  return {
    ...(chatSessionId === undefined ? {} : { chatSessionId }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(userMessageId === undefined ? {} : { userMessageId }),
  };
}

/** The state after the stream ended without a packet saying how. Lanes that are complete stay so. */
export function conclude(progress: Progress, status: "partial" | "failed" | "stopped", failure?: Failure): Progress {
  return eachLane(progress, (lane) => ended(lane, status, failure));
}

/** The state after one more packet; the same object when it changes nothing. */
export function advance(progress: Progress, packet: Packet): Progress {
  const fields: unknown = packet;
  if (!isObject(fields)) return { ...progress, skipped: progress.skipped + 1 };
  // An error line can carry other keys beside it; it is told by this one (docs/wire.md, section 1.1).
  if ("error" in fields) return withError(progress, fields);
  if (isObject(fields["obj"])) return withPlaced(progress, placementOf(fields["placement"]), fields["obj"]);
  if (typeof fields["chat_session_id"] === "string") return { ...progress, chatSessionId: fields["chat_session_id"] };
  if ("user_message_id" in fields) return withMessageIds(progress, fields);
  return { ...progress, skipped: progress.skipped + 1 };
}

function withMessageIds(progress: Progress, fields: Fields): Progress {
  const userMessageId = fields["user_message_id"];
  const reserved = fields["reserved_assistant_message_id"];
  const responses = Array.isArray(fields["responses"])
    ? (fields["responses"] as readonly unknown[])
    : [{ message_id: reserved }];
  const lanes = new Map(progress.lanes);
  for (const index of responses.keys()) if (!lanes.has(index)) lanes.set(index, newLane(index));
  return {
    ...progress,
    lanes,
    messageIds: responses.map((response) => (isObject(response) ? number(response["message_id"]) : undefined)),
    ...(typeof userMessageId === "number" ? { userMessageId } : {}),
  };
}

/** An error line ends one model's answer when it names the model, and otherwise every answer not yet complete. */
function withError(progress: Progress, fields: Fields): Progress {
  const failure = failureFromServer(fields["error"], fields["error_code"], fields["is_retryable"]);
  const model = isObject(fields["details"]) ? number(fields["details"]["model_index"]) : undefined;
  if (model === undefined) return conclude(progress, "failed", failure);
  return withLane(progress, model, (lane) => ended(lane, "failed", failure));
}

function withPlaced(progress: Progress, placement: Placement, obj: Fields): Progress {
  const type = obj["type"];
  const model = placement.model_index ?? undefined;
  if (type === "stop") return withStop(progress, model, obj["stop_reason"]);
  if (type === "chat_heartbeat" || type === "top_level_branching") return progress;
  if (type === "tool_call_argument_delta" || type === "tool_call_debug") return progress;
  if (typeof type !== "string") return { ...progress, skipped: progress.skipped + 1 };
  const change = laneChange(placement, type, obj);
  if (change === undefined) return { ...progress, skipped: progress.skipped + 1 };
  // A complete answer is not changed by what comes behind it.
  return withLane(progress, model ?? 0, (lane) => (isOver(lane) ? lane : change(lane)));
}

function withStop(progress: Progress, model: number | undefined, reason: unknown): Progress {
  const status = reason === "user_cancelled" ? "stopped" : "done";
  // Without a model: made by the server itself, for the whole run.
  if (model === undefined) return eachLane(progress, (lane) => ended(lane, status));
  return withLane(progress, model, (lane) => ended(lane, status));
}

/** What a packet does to its lane; undefined for a type this version does not know. */
function laneChange(placement: Placement, type: string, obj: Fields): ((lane: Lane) => Lane) | undefined {
  const nested = typeof placement.sub_turn_index === "number";
  switch (type) {
    case "message_start":
      return (lane) => withDocumentsOf(nested ? lane : withNewGroup(lane, obj), obj);
    case "message_delta":
      return (lane) => withText(lane, placement, nested, obj["content"]);
    case "citation_info":
      return (lane) => ({ ...lane, found: withCitation(lane.found, obj["citation_number"], obj["document_id"]) });
    case "section_end":
      return (lane) => ({ ...lane, steps: withEnded(lane.steps, placement, "done") });
    case "error":
      return (lane) => ({ ...lane, steps: withEnded(lane.steps, placement, "failed") });
    default:
      if (!isStepPacket(type)) return undefined;
      return (lane) => ({
        ...withDocumentsOf(lane, obj),
        status: "searching",
        steps: withStepPacket(lane.steps, placement, type, obj),
      });
  }
}

/** A top-level message start begins a new answer; what was there was a preamble (docs/wire.md, section 1.3). */
function withNewGroup(lane: Lane, obj: Fields): Lane {
  const preamble = lane.draft.text;
  return {
    ...lane,
    status: "answering",
    steps: settle(lane.steps, "done"),
    preambles: preamble === "" ? lane.preambles : [...lane.preambles, preamble],
    draft: emptyDraft(),
    finding: findingOf(obj["finding"]),
  };
}

function withText(lane: Lane, placement: Placement, nested: boolean, content: unknown): Lane {
  if (typeof content !== "string" || content === "") return lane;
  if (nested) return { ...lane, steps: withNestedText(lane.steps, placement, content) };
  return { ...lane, status: "answering", draft: append(lane.draft, content) };
}

function withDocumentsOf(lane: Lane, obj: Fields): Lane {
  const found = ["final_documents", "documents", "cited_docs"].reduce(
    (known, field) => withDocuments(known, obj[field]),
    lane.found,
  );
  return found === lane.found ? lane : { ...lane, found };
}

function ended(lane: Lane, status: AnswerStatus, failure?: Failure): Lane {
  if (isOver(lane)) return lane;
  const steps = settle(lane.steps, status === "done" ? "done" : "stopped");
  return { ...lane, status, steps, failure };
}

const isOver = (lane: Lane): boolean => isFinal(lane.status);

function withLane(progress: Progress, index: number, change: (lane: Lane) => Lane): Progress {
  const before = progress.lanes.get(index) ?? newLane(index);
  const after = change(before);
  return after === before ? progress : { ...progress, lanes: new Map(progress.lanes).set(index, after) };
}

function eachLane(progress: Progress, change: (lane: Lane) => Lane): Progress {
  const lanes = new Map([...progress.lanes].map(([index, lane]) => [index, change(lane)]));
  const same = [...lanes].every(([index, lane]) => progress.lanes.get(index) === lane);
  return same ? progress : { ...progress, lanes };
}

function placementOf(value: unknown): Placement {
  const fields = isObject(value) ? value : {};
  return {
    turn_index: number(fields["turn_index"]) ?? 0,
    tab_index: number(fields["tab_index"]) ?? 0,
    sub_turn_index: number(fields["sub_turn_index"]) ?? null,
    model_index: number(fields["model_index"]) ?? null,
  };
}
