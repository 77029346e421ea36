/** A turn as its conversation has it: everything that changes is a signal. */
import { type Answer, NO_ANSWER } from "@threadlore/ask";
import { type Signal, signal } from "@preact/signals";
import {
  type HeldTurn,
  newMark,
  NO_NOTES,
  NO_PAGES,
  revivedAnswer,
  type Scope,
  type Thumb,
  type Turn,
  type TurnNotes,
  type TurnPages,
} from "./turn.ts";

/** A turn whose conversation is shown. */
export interface OpenTurn extends Turn {
  scope: Scope;
  isPrivate: boolean;
  readonly answer: Signal<Answer>;
  readonly pages: Signal<TurnPages>;
  readonly notes: Signal<TurnNotes>;
  readonly thumb: Signal<Thumb>;
  readonly reading: Signal<"no" | "reading" | "slow">;
  /** Ends the wait for its pages. */
  readonly enough: AbortController;
}

let count = 0;

/** A turn that was just asked. */
export function newTurn(question: string, scope: Scope): OpenTurn {
  return {
    id: `turn-${(count += 1)}`,
    question,
    scope,
    answer: signal<Answer>(NO_ANSWER),
    pages: signal(NO_PAGES),
    notes: signal(NO_NOTES),
    thumb: signal<Thumb>("none"),
    reading: signal<"no" | "reading" | "slow">(scope.page ? "reading" : "no"),
    isPrivate: true,
    mark: newMark(),
    enough: new AbortController(),
  };
}

/** A turn that was kept. */
export function revivedTurn(held: HeldTurn): OpenTurn {
  return {
    ...newTurn(held.question, held.scope),
    isPrivate: held.isPrivate === true,
    mark: held.mark ?? "",
    reading: signal<"no" | "reading" | "slow">("no"),
    answer: signal(revivedAnswer(held.answer)),
    pages: signal(held.pages),
    notes: signal(held.notes ?? NO_NOTES),
    thumb: signal<Thumb>(held.thumb ?? "none"),
  };
}
