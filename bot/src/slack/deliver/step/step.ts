import { START } from "../../layout/layout.ts";
import { freshBudget, type MessageLimits } from "../../layout/message-budget.ts";
import type { Progress } from "../delivery-seam.ts";
import { PlaceGone } from "../../transport/refusals.ts";
import {
  conclude,
  concludeGone,
  deliver,
  fail,
  finish,
  post,
  rest,
  sayFailure,
  stop,
  sweep,
  verify,
} from "./end-jobs.ts";
import { append, prepare, resume, start, switchOff } from "./live-jobs.ts";
import { attempt, close, endMessage, mend, read, replace, seek } from "./message-jobs.ts";
import { broken, type Move } from "./moves.ts";
import type { DeliveryEvent, DeliveryState, Effect, Job, JobOf, Plan, Result } from "./state.ts";
import { nextBatch } from "./streamed.ts";

/** The next state, and what is to be done outside, in this order; at most one of it is awaited. */
export type Stepped = readonly [DeliveryState, readonly Effect[]];

/**
 * A delivery before it is `opened`. `kept`: how far another process got; its messages are looked for and replaced.
 */
export function initialState(plan: Plan, limits: MessageLimits, kept?: Progress): DeliveryState {
  const { stage, messages = [] } = kept ?? {};
  const isClosed = stage === "closed";
  const isResumed = kept !== undefined && !isClosed && !plan.isPrivate;
  const how = messages[0]?.how ?? "post";
  const ts = messages.map((message) => message.ts);
  return {
    tag: isClosed ? "closed" : isResumed ? "resuming" : plan.isPrivate ? "quiet" : "waiting",
    plan,
    jobs: isClosed ? [] : [isResumed ? { do: "resume" } : { do: "prepare", saves: true, streams: !plan.isPrivate }],
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
    budget: freshBudget,
    nextNumber: 1,
    isProcessing: false,
    failedStarts: 0,
    expiries: 0,
    aged: undefined,
    again: false,
    isStopped: false,
    lostStarts: [],
    isTwinPossible: false,
    remembered: {},
    outcome: isClosed ? { kind: "delivered", messages: ts, how } : undefined,
    error: undefined,
  };
}

/** What a delivery does about an event. Pure and total: what makes no sense any more changes nothing. */
export function step(state: DeliveryState, event: DeliveryEvent): Stepped {
  const isBusy = state.jobs.length > 0;
  const isLive = state.tag === "waiting" || state.tag === "streaming";
  switch (event.type) {
    case "opened":
      return drive(state, { type: "begin" }, false);
    case "shown":
      if (!isLive) return [state, []];
      return isBusy ? [{ ...state, again: true }, []] : [state, [{ do: "wantTurn" }]];
    case "turn": {
      if (!isLive) return [state, []];
      const now = { ...state, view: event.view, aged: event.aged ?? state.aged };
      return isBusy ? [{ ...now, again: true }, []] : showMore(now);
    }
    case "answered":
      return drive(state, event.result, event.isLate);
    case "broke":
      return [isBusy ? broken(state, event.error) : state, []];
    case "finish":
      return end(state, { do: "finish", ending: event.ending });
    case "fail":
      return end(state, { do: "fail", message: event.message }, event.view);
    case "stop":
      return end(state, { do: "stop", closing: event.closing });
  }
}

/** One step of a growing answer: opens a message, adds to it, or ends it because it is full or old. */
function showMore(state: DeliveryState): Stepped {
  const batch = nextBatch(state);
  const patient: Effect = { do: "bePatient" };
  if (state.open === undefined && batch.chunks.length === 0) return [state, [patient]];
  const job: Job = { do: state.open === undefined ? "start" : "append", batch };
  const [next, effects] = drive({ ...state, jobs: [job] }, { type: "begin" }, false);
  return [next, [patient, ...effects]];
}

/** Everything that ends a delivery, once: what is under way is brought to its end first. */
function end(state: DeliveryState, job: Job, view = state.view): Stepped {
  switch (state.tag) {
    case "closed":
    case "closing":
    case "broken":
      return [state, []];
    case "gone":
      return drive({ ...state, tag: "closing", jobs: [goneJob(state.error)] }, { type: "begin" }, false);
    default: {
      const closing: DeliveryState = { ...state, view, tag: "closing", again: false, jobs: [...state.jobs, job] };
      return state.jobs.length > 0 ? [closing, []] : drive(closing, { type: "begin" }, false);
    }
  }
}

const goneJob = (error: unknown): Job => ({
  do: "concludeGone",
  code: error instanceof PlaceGone ? error.code : "unknown",
});

/** Moves the jobs on until one of them has to wait. */
function drive(before: DeliveryState, heard: Result, isLate: boolean): Stepped {
  const effects: Effect[] = [];
  let state = before;
  let result = heard;
  for (;;) {
    const [job, ...later] = state.jobs;
    if (job === undefined) break;
    const code = goneCode(job, result);
    if (code !== undefined) {
      state = placeGone(state, code);
      result = { type: "begin" };
      continue;
    }
    const move = advance(state, job, result, isLate);
    effects.push(...move.effects);
    const isOver = move.state.tag === "broken" || move.state.tag === "closed";
    state = { ...move.state, jobs: isOver ? [] : [...move.jobs, ...later] };
    if (move.wait !== undefined) return [state, [...effects, { do: "await", what: move.wait }]];
    result = move.jobs.length === 0 ? (move.value ?? { type: "ready" }) : { type: "begin" };
  }
  if (!state.again) return [state, effects];
  const isLive = state.tag === "waiting" || state.tag === "streaming";
  return [{ ...state, again: false }, isLive ? [...effects, { do: "wantTurn" }] : effects];
}

/** The platform's word for it, when it says that the place or the message is no more and the job cannot do without. */
function goneCode(job: Job, result: Result): string | undefined {
  if (result.type !== "refused" || result.refusal.kind !== "gone") return undefined;
  const { code } = result.refusal;
  if (job.do === "attempt" || (job.do === "replace" && job.at === "unlocking")) return undefined;
  if (job.do === "replace" && job.mayBeGone === true && code === "message_not_found") return undefined;
  return code;
}

function placeGone(state: DeliveryState, code: string): DeliveryState {
  const error = new PlaceGone(code);
  if (state.tag === "closing") return { ...state, jobs: [goneJob(error)] };
  if (state.tag !== "resuming") return { ...state, tag: "gone", error, jobs: [], again: false };
  const messages = state.shown.map(({ ts }) => ts);
  return { ...state, tag: "closed", how: "post", jobs: [], outcome: { kind: "gone", reason: code, messages } };
}

type Advance<Name extends Job["do"]> = (
  state: DeliveryState,
  job: JobOf<Name>,
  result: Result,
  isLate: boolean,
) => Move;

/** How each job goes on with what it hears. */
const JOBS: { readonly [Name in Job["do"]]: Advance<Name> } = {
  prepare,
  resume,
  start,
  append,
  switchOff,
  endMessage,
  mend,
  close,
  replace,
  attempt,
  read,
  seek,
  finish,
  fail,
  stop,
  rest,
  sayFailure,
  deliver,
  post,
  verify,
  sweep,
  conclude,
  concludeGone,
};

function advance<Name extends Job["do"]>(
  state: DeliveryState,
  job: JobOf<Name>,
  result: Result,
  isLate: boolean,
): Move {
  const name: Name = job.do as Name;
  return JOBS[name](state, job, result, isLate);
}
