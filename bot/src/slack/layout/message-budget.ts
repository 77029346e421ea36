import type { PlanUpdateChunk, TaskUpdateChunk } from "@slack/types";

import { shortened } from "../render/escape.ts";
import type { TaskCard } from "../render/pieces.ts";
import { LIMITS, STREAM } from "../transport/limits.ts";

/** Limits of one streamed message; units as in `STREAM`. */
export type MessageLimits = { readonly [Name in keyof typeof STREAM]: number };

/** Limits of a message of so many bytes, which ends early in the same proportion as a streamed one. */
export function limitsOf(bytes: number): MessageLimits {
  const part = bytes / STREAM.bytes;
  return { ...STREAM, bytes, blockCutBytes: STREAM.blockCutBytes * part, lineCutBytes: STREAM.lineCutBytes * part };
}

/** A card as it is shown in a message. */
interface CardRow {
  readonly title: string;
  readonly status: TaskCard["status"];
  readonly output: boolean;
}

/** Whether nobody is at work on it any more. */
const isOver = ({ status }: Pick<TaskCard, "status">): boolean => status === "complete" || status === "error";

/** What stands in one streamed message, as far as its limits go. Immutable: a refused append leaves the old one. */
export interface MessageBudget {
  /** Bytes of everything in it. */
  readonly bytes: number;
  readonly cardBytes: number;
  readonly rows: ReadonlyMap<string, CardRow>;
  /** Cards counted in the last row. */
  readonly folded: ReadonlySet<string>;
  /** That row as shown; undefined: there is none. */
  readonly fold: Pick<TaskCard, "title" | "status"> | undefined;
  /** The row the cards are folded into, as shown; undefined: it says nothing yet. */
  readonly plan: string | undefined;
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
  fold: undefined,
  plan: undefined,
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
    fold: undefined,
    plan: undefined,
    rows: new Map([...budget.rows].map(([id, row]) => [id, { ...row, title: "" }])),
  };
}

/** Id of the row in which the cards beyond the limits are counted. */
const FOLD_ID = "more-steps";

/** How cards end that are still at work when their message is closed. */
type CardsEnd = keyof typeof CARDS_END;

const CARDS_END = {
  "goes on": { status: "complete", words: " (goes on below)" },
  failed: { status: "error", words: "" },
  stopped: { status: "complete", words: " (stopped)" },
} as const;

/** Card updates that close a message, so that no card of it looks as though somebody were still at work. */
export function closeCards(
  { rows, fold, plan }: MessageBudget,
  end: CardsEnd,
): readonly (TaskUpdateChunk | PlanUpdateChunk)[] {
  const { status, words } = CARDS_END[end];
  const running = [...rows].filter(([, row]) => !isOver(row) && row.title !== "");
  const chunks = running.map(([id, { title }]) => update(id, cardText(`${title}${words}`), status));
  const isSaid = plan === undefined || running.length === 0 || words === "";
  return [
    ...(isSaid ? [] : [planUpdate(cardText(`${plan}${words}`))]),
    ...chunks,
    ...(fold?.status === "in_progress" ? [update(FOLD_ID, fold.title, status)] : []),
  ];
}

const planUpdate = (title: string): PlanUpdateChunk => ({ type: "plan_update", title });

/** The update that has the row of the cards say this, where there are cards and room for it. */
export function layOutPlan(
  budget: MessageBudget,
  plan: string | undefined,
  limits: MessageLimits,
): { chunks: PlanUpdateChunk[]; budget: MessageBudget } {
  const hasCards = budget.rows.size > 0 || budget.fold !== undefined;
  if (plan === undefined || plan.trim() === "" || plan === budget.plan || !hasCards) return { chunks: [], budget };
  const title = cardText(plan);
  const bytes = Buffer.byteLength(title);
  const isRoom = budget.cardBytes + bytes <= limits.cardBytes && budget.bytes + bytes <= limits.bytes;
  if (!isRoom) return { chunks: [], budget };
  const said = { ...budget, plan, bytes: budget.bytes + bytes, cardBytes: budget.cardBytes + bytes };
  return { chunks: [planUpdate(title)], budget: said };
}

const cardText = (text: string): string => shortened(text, LIMITS.taskField);

const update = (id: string, title: string, status: TaskCard["status"]): TaskUpdateChunk => ({
  type: "task_update",
  id,
  title,
  status,
});

/** The card updates that bring a message up to these cards, within its limits. */
export function layOutCards(
  budget: MessageBudget,
  cards: readonly TaskCard[],
  limits: MessageLimits,
): { chunks: TaskUpdateChunk[]; budget: MessageBudget } {
  const rows = new Map(budget.rows);
  const folded = new Set(budget.folded);
  const chunks: TaskUpdateChunk[] = [];
  let { bytes, cardBytes, fold } = budget;
  let failed = 0;
  let running = false;
  for (const card of cards) {
    if (budget.past.has(card.id) || card.title.trim() === "") continue;
    const row = rows.get(card.id);
    const change = changeOf(card, row);
    if (change === undefined) continue;
    const room = cardBytes + change.bytes <= limits.cardBytes && bytes + change.bytes <= limits.bytes;
    if (row === undefined && (folded.has(card.id) || rows.size >= limits.rows - 1 || !room)) {
      folded.add(card.id);
      if (card.status === "error") failed += 1;
      if (!isOver(card)) running = true;
      continue;
    }
    if (row !== undefined && !room) {
      // No room for words any more, but its state must still be told.
      if (row.status === card.status) continue;
      rows.set(card.id, { ...row, status: card.status });
      chunks.push(update(card.id, row.title, card.status));
      continue;
    }
    bytes += change.bytes;
    cardBytes += change.bytes;
    rows.set(card.id, change.row);
    chunks.push(change.chunk);
  }
  if (folded.size > 0) {
    const title = `and ${folded.size} more steps${failed > 0 ? `, ${failed} failed` : ""}`;
    const status = running ? "in_progress" : failed > 0 ? "error" : "complete";
    if (fold?.title !== title || fold.status !== status) {
      chunks.push(update(FOLD_ID, title, status));
      if (fold === undefined) bytes += Buffer.byteLength(title);
      fold = { title, status };
    }
  }
  return { chunks, budget: { ...budget, bytes, cardBytes, rows, folded, fold } };
}

/**
 * What is new about a card, and what that adds to the message; undefined: nothing. Title and status replace what is shown (and weigh each time); output is
 * given once, because it would add up.
 */
function changeOf(card: TaskCard, row: CardRow | undefined) {
  const { id, status, output = "" } = card;
  const title = cardText(card.title);
  const newOutput = row?.output === true ? "" : cardText(output);
  const isSame = row?.title === title && row.status === status;
  if (isSame && newOutput === "") return undefined;
  return {
    chunk: {
      ...update(id, title, status),
      ...(newOutput === "" ? {} : { output: newOutput }),
    },
    bytes: Buffer.byteLength(title + newOutput),
    row: { title, status, output: row?.output === true || newOutput !== "" },
  };
}
