import type { Awaited, DeliveryState, Effect, Job, Result } from "./state.ts";

/** What a job does next. */
export interface Move {
  readonly state: DeliveryState;
  /** What takes the job's place, first things first; empty: it is over. */
  readonly jobs: readonly Job[];
  /** What the first of them waits for. Absent: it begins. */
  readonly wait?: Awaited;
  /** What a job that is over came to. */
  readonly value?: Result;
  readonly effects: readonly Effect[];
}

/** Something for the decision trace. */
export const note = (words: string): Effect => ({ do: "note", words });

/** The job goes on once it has this. */
export const wait = (state: DeliveryState, job: Job, what: Awaited, ...effects: Effect[]): Move => ({
  state,
  jobs: [job],
  wait: what,
  effects,
});

/** These take the job's place. */
export const instead = (state: DeliveryState, jobs: readonly Job[], ...effects: Effect[]): Move => ({
  state,
  jobs,
  effects,
});

/** The job is over. */
export const over = (state: DeliveryState, value: Result = { type: "ready" }, ...effects: Effect[]): Move => ({
  state,
  jobs: [],
  value,
  effects,
});

/** The delivery cannot go on. */
export const breaks = (state: DeliveryState, error: unknown): Move => over(broken(state, error));

/** A delivery that cannot go on. */
export const broken = (state: DeliveryState, error: unknown): DeliveryState => ({
  ...state,
  tag: "broken",
  error,
  jobs: [],
  again: false,
});
