import type { AnyBlock } from "@slack/types";

import { card, ending, paragraphs } from "../delivery.harness.ts";
import type { Ending, Progress, View } from "../delivery-seam.ts";
import { STREAM } from "../../transport/limits.ts";
import type { AnswerMark, OwnMessage } from "../../transport/reconcile.ts";
import type { Refusal } from "../../transport/refusals.ts";
import type { Answered, Awaited, DeliveryEvent, DeliveryState, Effect } from "./state.ts";
import { initialState, step } from "./step.ts";

export const TASK = "TASK";
const QUESTION_TS = "100.000000";

/** A delivery that hears one event after the other, and what it wants done last. */
export interface Walk {
  readonly state: DeliveryState;
  /** Effects of the last event. */
  readonly effects: readonly Effect[];
  /** What is waited for. */
  readonly awaited: Awaited | undefined;
}

export function begin(kept?: Progress, isPrivate = false): Walk {
  const plan = { task: TASK, questionTs: QUESTION_TS, isPrivate };
  return { state: frozen(initialState(plan, STREAM, kept)), effects: [], awaited: undefined };
}

/** The walk after some more events. No step may change what it was given. */
export function hear(walk: Walk, ...events: readonly DeliveryEvent[]): Walk {
  return events.reduce<Walk>((before, event) => {
    const [state, effects] = step(before.state, event);
    const wanted = effects.flatMap((effect) => (effect.do === "await" ? [effect.what] : []));
    if (wanted.length > 1) throw new Error("Two things are waited for at once.");
    const awaited = state.work === undefined ? undefined : (wanted[0] ?? before.awaited);
    return { state: frozen(state), effects, awaited };
  }, walk);
}

/** Answers everything as a platform does on a good day, until nothing is waited for. */
export function answerAll(walk: Walk): Walk {
  let now = walk;
  for (let count = 0; now.awaited !== undefined; count += 1) {
    if (count > 500) throw new Error(`It does not come to an end: ${JSON.stringify(now.state.work).slice(0, 500)}`);
    now = answerOne(now, count);
  }
  return now;
}

/** Answers what is waited for, if anything is, as a platform does on a good day. */
export function answerOne(walk: Walk, number: number): Walk {
  return walk.awaited === undefined ? walk : hear(walk, answered(goodAnswer(walk.awaited, number)));
}

function goodAnswer(what: Awaited, count: number): Answered {
  switch (what.do) {
    case "prepare":
      return { type: "done", isOff: false };
    case "read":
      return { type: "done", messages: [] };
    case "save":
    case "switchOff":
    case "guard":
    case "settle":
    case "backOff":
      return { type: "done" };
    default:
      return { type: "done", ts: `900.${String(count).padStart(6, "0")}` };
  }
}

export const answered = (result: Answered, isLate = false): DeliveryEvent => ({ type: "answered", result, isLate });
export const done = (ts = "200.000000"): DeliveryEvent => answered({ type: "done", ts });
export const ready = answered({ type: "done" });
export const opened: DeliveryEvent = { type: "opened" };
export const prepared = (isOff = false): DeliveryEvent => answered({ type: "done", isOff });
export const readBack = (messages: readonly OwnMessage[] | undefined, isLate = false): DeliveryEvent =>
  answered({ type: "done", messages }, isLate);
export const broke: DeliveryEvent = { type: "broke", error: new Error("The lease was lost.") };

/** A message of ours as the thread shows it. */
export function own(ts: string, text: string, mark?: Partial<AnswerMark>): OwnMessage {
  const marked = mark === undefined ? {} : { mark: { task: TASK, part: 1, last: false, ...mark } };
  return { ts, text, foreign: false, ...marked };
}

/** The text of the chunks that are about to be sent. */
export function sentText({ awaited }: Walk): string {
  const chunks = awaited?.do === "start" || awaited?.do === "append" ? awaited.chunks : [];
  return chunks.map((chunk) => (chunk.type === "markdown_text" && "text" in chunk ? String(chunk.text) : "")).join("");
}

/** One refusal of each kind. */
export const REFUSALS = {
  limited: { kind: "limited", code: "ratelimited", waitMs: 1000 },
  lost: { kind: "lost", code: "no_answer" },
  gone: { kind: "gone", code: "is_archived" },
  deleted: { kind: "gone", code: "message_not_found" },
  unstreamable: { kind: "unstreamable", code: "feature_not_enabled", wide: true },
  ended: { kind: "ended", code: "message_not_in_streaming_state" },
  stopped: { kind: "stopped", code: "stopped_by_user" },
  tooLong: { kind: "content", code: "msg_too_long", long: true },
  content: { kind: "content", code: "invalid_blocks", long: false },
  stillOpen: { kind: "other", code: "streaming_state_conflict" },
  other: { kind: "other", code: "missing_scope" },
} as const satisfies Record<string, Refusal>;

export const refused = (name: keyof typeof REFUSALS, isLate = false): DeliveryEvent =>
  answered({ type: "refused", refusal: REFUSALS[name] }, isLate);

const table: View["pieces"][number] = {
  kind: "table",
  block: { type: "table", rows: [[{ type: "raw_text", text: "Berth" }]] },
  text: "Berth",
};

/** The answer as far as so many paragraphs, the third of them a table. */
function viewOf(count: number, words = 12): View {
  const pieces = paragraphs(count, words).map((piece, index) => (index === 2 ? table : piece));
  return { cards: [card("search")], pieces };
}

export const turn = (count: number, words?: number, aged?: string): DeliveryEvent => ({
  type: "turn",
  view: viewOf(count, words),
  ...(aged === undefined ? {} : { aged }),
});
export const finish = (more: Partial<Ending> = {}, count = 6): DeliveryEvent => ({
  type: "end",
  job: { do: "finish", ending: ending(paragraphs(count), { cards: [card("search", "complete")], ...more }) },
});
export const fail: DeliveryEvent = {
  type: "end",
  job: { do: "fail", message: { text: "It failed." } },
  view: viewOf(1),
};
const CLOSING: readonly AnyBlock[] = [{ type: "context", elements: [{ type: "mrkdwn", text: "Stopped." }] }];
export const stop: DeliveryEvent = { type: "end", job: { do: "stop", closing: CLOSING } };

/** Frozen through and through, so that whoever changes it is found out. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value) || value instanceof Error) return value;
  Object.freeze(value);
  for (const each of Object.values(value)) frozen(each);
  return value;
}
