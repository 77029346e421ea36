import { START } from "../../layout/cut-into-messages.ts";
import type { MessageLimits } from "../../layout/message-budget.ts";
import type { Progress } from "../delivery-seam.ts";
import { PlaceGone } from "../../transport/refusals.ts";
import { fail, finish, leave, stop } from "./ending.ts";
import { prepare, resume, show } from "./live.ts";
import { Run, type Script } from "./run.ts";
import type { DeliveryEvent, DeliveryState, Effect, Job, Plan, Work } from "./state.ts";
import { isLive, nextBatch, outcomeOf } from "./streamed.ts";

/** The next state, and what is to be done outside, in this order; at most one of it is awaited. */
export type Stepped = readonly [DeliveryState, readonly Effect[]];

/**
 * A delivery before it is `opened`. `kept`: how far another process got; its messages are looked for and replaced.
 */
export function initialState(plan: Plan, limits: MessageLimits, kept?: Progress): DeliveryState {
  const { stage, messages = [], doubts } = kept ?? {};
  const isClosed = stage === "closed";
  const isResumed = kept !== undefined && !isClosed && !plan.isPrivate;
  return {
    tag: isClosed ? "closed" : isResumed ? "resuming" : plan.isPrivate ? "quiet" : "waiting",
    plan,
    work: undefined,
    end: undefined,
    how: plan.isPrivate ? "ephemeral" : isClosed ? "post" : "stream",
    shown: isClosed || isResumed ? messages : [],
    slots: [],
    isResumed: false,
    view: { cards: [], pieces: [] },
    limits,
    plainTables: false,
    ended: [],
    open: undefined,
    cursor: START,
    nextNumber: 1,
    isProcessing: false,
    failedStarts: 0,
    expiries: 0,
    aged: undefined,
    again: false,
    isStopped: false,
    lostStarts: doubts?.starts ?? [],
    // Whoever was at it may have ended between a post and the record of it.
    isTwinPossible: doubts?.posts === true || (isResumed && stage === "posting"),
    isStreamPossible: doubts?.streams === true || (isResumed && stage !== "posting"),
    remembered: {},
    posted: undefined,
    outcome: isClosed ? outcomeOf({ shown: messages, how: "post" }, "delivered") : undefined,
    error: undefined,
  };
}

/** What a delivery does about an event. Pure and total: what makes no sense any more changes nothing. */
export function step(state: DeliveryState, event: DeliveryEvent): Stepped {
  const { work } = state;
  switch (event.type) {
    case "opened":
      return state.tag === "closed"
        ? [state, []]
        : begin(state, { do: state.tag === "resuming" ? "resume" : "prepare" });
    case "shown":
      if (!isLive(state) || state.again) return [state, []];
      return work === undefined ? [state, [{ do: "wantTurn" }]] : changed(state, work, { again: true });
    case "turn": {
      if (!isLive(state)) return [state, []];
      const now = { view: event.view, aged: event.aged ?? state.aged };
      return work === undefined ? showMore({ ...state, ...now }) : changed(state, work, { ...now, again: true });
    }
    case "answered":
      return work === undefined ? [state, []] : goOn({ ...work, heard: [...work.heard, event] });
    case "broke":
      return work === undefined ? [state, []] : over(new Run(state), event.error);
    case "end":
      return end(state, event.job, event.view);
  }
}

/** One step of a growing answer: opens a message, adds to it, or ends it because it is full or old. */
function showMore(state: DeliveryState): Stepped {
  const batch = nextBatch(state);
  return state.open === undefined && batch.chunks.length === 0 ? [state, []] : begin(state, { do: "show", batch });
}

/** Everything that ends a delivery, once: what is under way is brought to its end first. */
function end(state: DeliveryState, job: Job, view = state.view): Stepped {
  const { tag, work } = state;
  if (tag === "closed" || tag === "closing" || tag === "broken") return [state, []];
  const closing = { view, tag: "closing", again: false, end: tag === "gone" ? leaving(state.error) : job } as const;
  return work === undefined ? over(new Run({ ...state, ...closing })) : changed(state, work, closing);
}

const leaving = (error: unknown): Job => ({
  do: "leave",
  reason: error instanceof PlaceGone ? error.code : "unknown",
});

/** How each job is done. */
type Jobs = { readonly [Name in Job["do"]]: (run: Run, job: Extract<Job, { do: Name }>) => Script };
const JOBS: Jobs = { prepare, resume, show, finish, fail, stop, leave };

function scriptOf<Name extends Job["do"]>(run: Run, job: Extract<Job, { do: Name }>): Script {
  const name: Name = job.do as Name;
  return JOBS[name](run, job);
}

const begin = (state: DeliveryState, job: Job): Stepped => goOn({ job, from: state, heard: [] });

/** Something changes from outside while a job is under way. */
const changed = (state: DeliveryState, work: Work, change: Partial<DeliveryState>): Stepped => [
  { ...state, ...change, work: { ...work, heard: [...work.heard, { type: "changed", change }] } },
  [],
];

/** Runs a job's script with all that was heard: it asks for the next thing, or comes to its end. */
function goOn(work: Work): Stepped {
  const run = new Run(work.from);
  const script = scriptOf(run, work.job);
  try {
    let asked = script.next();
    for (const heard of work.heard) {
      if (heard.type === "changed") run.change(heard.change);
      else {
        run.effects = [];
        run.isLate = heard.isLate;
        asked = script.next(heard.result);
      }
    }
    if (asked.done === true) return over(run);
    return [{ ...run.state, work }, [...run.effects, { do: "await", what: asked.value }]];
  } catch (error) {
    return over(run, error);
  }
}

/** Nothing is under way any more, because of an error where there is one: what is next. */
function over(run: Run, error?: unknown): Stepped {
  run.change({ work: undefined });
  const { tag, shown } = run.state;
  if (error instanceof PlaceGone) {
    const messages = shown.map(({ ts }) => ts);
    if (tag === "closing") run.change({ end: leaving(error) });
    else if (tag !== "resuming") run.change({ tag: "gone", error });
    else run.change({ tag: "closed", how: "post", outcome: { kind: "gone", reason: error.code, messages } });
  } else if (error !== undefined) run.change({ tag: "broken", error });
  const { effects, state } = run;
  if (state.tag === "closing" && state.end !== undefined) {
    const [ending, then] = begin({ ...state, end: undefined }, state.end);
    return [ending, [...effects, ...then]];
  }
  if (!state.again) return [state, effects];
  return [{ ...state, again: false }, isLive(state) ? [...effects, { do: "wantTurn" }] : effects];
}
