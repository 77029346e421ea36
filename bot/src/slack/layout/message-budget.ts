import { STREAM } from "../transport/limits.ts";
import type { TaskCard } from "../render/pieces.ts";

/** Limits of one streamed message; units as in `STREAM`. */
export type MessageLimits = { readonly [Name in keyof typeof STREAM]: number };

/** Limits of a message of so many bytes, which ends early in the same proportion as a streamed one. */
export function limitsOf(bytes: number): MessageLimits {
  const part = bytes / STREAM.bytes;
  return { ...STREAM, bytes, blockCutBytes: STREAM.blockCutBytes * part, lineCutBytes: STREAM.lineCutBytes * part };
}

/** A card as it is shown in a message. */
export interface CardRow {
  readonly title: string;
  readonly status: TaskCard["status"];
  readonly output: boolean;
  readonly sourced: boolean;
}

/** Whether nobody is at work on it any more. */
export const isOver = ({ status }: Pick<TaskCard, "status">): boolean => status === "complete" || status === "error";

/** What stands in one streamed message, as far as its limits go. Immutable: a refused append leaves the old one. */
export interface MessageBudget {
  /** Bytes of everything in it. */
  readonly bytes: number;
  readonly cardBytes: number;
  readonly rows: ReadonlyMap<string, CardRow>;
  /** Cards counted in the last row. */
  readonly folded: ReadonlySet<string>;
  /** Title of that row as shown; empty: there is none. */
  readonly foldTitle: string;
  /** Cards that ended in an earlier message. */
  readonly past: ReadonlySet<string>;
  readonly hasTable: boolean;
  /** There is text or a table in it. */
  readonly isBegun: boolean;
  /** What the text ends with. */
  readonly edge: "run" | "line" | "block";
}

/** A message with nothing in it. */
export const freshBudget: MessageBudget = {
  bytes: 0,
  cardBytes: 0,
  rows: new Map(),
  folded: new Set(),
  foldTitle: "",
  past: new Set(),
  hasTable: false,
  isBegun: false,
  edge: "block",
};

/** The message after this one: empty, but it knows which cards need not be shown again. */
export function budgetAfter(budget: MessageBudget): MessageBudget {
  const past = new Set([...budget.past, ...budget.folded]);
  for (const [id, row] of budget.rows) if (isOver(row)) past.add(id);
  return { ...freshBudget, past };
}

/** The message when nobody knows whether the last batch arrived: cards are sent again, what would double is not. */
export function budgetInDoubt(budget: MessageBudget): MessageBudget {
  return {
    ...budget,
    foldTitle: "",
    rows: new Map([...budget.rows].map(([id, row]) => [id, { ...row, title: "" }])),
  };
}
