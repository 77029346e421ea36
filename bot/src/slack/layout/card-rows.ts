import type { AnyChunk, TaskUpdateChunk } from "@slack/types";

import { byteLength, shortened } from "../render/escape.ts";
import type { TaskCard } from "../render/pieces.ts";
import type { MessageBudget, MessageLimits, CardRow } from "./message-budget.ts";

/** Id of the row in which the cards beyond the limits are counted. */
const FOLD_ID = "more-steps";

/** How cards end that are still at work when their message is closed. */
export type CardsEnd = "goes on" | "failed" | "stopped";

const CARDS_END = {
  "goes on": { status: "complete", words: " (goes on below)" },
  failed: { status: "error", words: "" },
  stopped: { status: "complete", words: " (stopped)" },
} as const;

/** Card updates that close a message, so that no card of it looks as though somebody were still at work. */
export function closeCards(
  budget: MessageBudget,
  limits: MessageLimits,
  end: CardsEnd = "goes on",
): readonly AnyChunk[] {
  const { status, words } = CARDS_END[end];
  const chunks: AnyChunk[] = [];
  const isOver = (row: CardRow): boolean => row.status === "complete" || row.status === "error";
  for (const [id, row] of budget.rows) {
    if (isOver(row) || row.title === "") continue;
    chunks.push({ type: "task_update", id, title: shortened(`${row.title}${words}`, limits.cardField), status });
  }
  if (budget.foldTitle.endsWith(" in_progress")) {
    chunks.push({ type: "task_update", id: FOLD_ID, title: budget.foldTitle.replace(/ in_progress$/, ""), status });
  }
  return chunks;
}

/** The card updates that bring a message up to these cards, within its limits. */
export function layOutCards(
  budget: MessageBudget,
  cards: readonly TaskCard[],
  limits: MessageLimits,
): { chunks: AnyChunk[]; budget: MessageBudget } {
  const rows = new Map(budget.rows);
  const folded = new Set(budget.folded);
  const chunks: AnyChunk[] = [];
  let { bytes, cardBytes, foldTitle } = budget;
  let failed = 0;
  let running = false;
  for (const card of cards) {
    if (budget.past.has(card.id) || card.title.trim() === "") continue;
    const row = rows.get(card.id);
    const change = row === undefined ? newRow(card, limits) : changedRow(card, row, limits);
    if (change === undefined) continue;
    const room = cardBytes + change.bytes <= limits.cardBytes && bytes + change.bytes <= limits.bytes;
    if (row === undefined && (folded.has(card.id) || rows.size >= limits.rows - 1 || !room)) {
      folded.add(card.id);
      if (card.status === "error") failed += 1;
      if (card.status === "in_progress" || card.status === "pending") running = true;
      continue;
    }
    if (row !== undefined && !room) {
      // No room for words any more, but its state must still be told.
      const { title, detailed, output, sourced } = row;
      if (row.status === card.status) continue;
      rows.set(card.id, { title, status: card.status, detailed, output, sourced });
      chunks.push({ type: "task_update", id: card.id, title: shortened(title, limits.cardField), status: card.status });
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
    const shown = `${title} ${status}`;
    if (shown !== foldTitle) {
      chunks.push({ type: "task_update", id: FOLD_ID, title, status });
      if (foldTitle === "") bytes += byteLength(title);
      foldTitle = shown;
    }
  }
  return { chunks, budget: { ...budget, bytes, cardBytes, rows, folded, foldTitle } };
}

interface RowChange {
  readonly chunk: TaskUpdateChunk;
  readonly row: CardRow;
  /** What it adds to the message. */
  readonly bytes: number;
}

function newRow(card: TaskCard, limits: MessageLimits): RowChange {
  return rowChange(card, { title: "", status: card.status, detailed: false, output: false, sourced: false }, limits);
}

function changedRow(card: TaskCard, row: CardRow, limits: MessageLimits): RowChange | undefined {
  const same = row.title === shortened(card.title, limits.cardField) && row.status === card.status;
  const added =
    (card.details !== undefined && !row.detailed) ||
    (card.output !== undefined && !row.output) ||
    ((card.sources?.length ?? 0) > 0 && !row.sourced);
  return same && !added ? undefined : rowChange(card, row, limits);
}

/** Title and status replace what is shown (and weigh each time); details, output and sources are given once, because they would add up. */
function rowChange(card: TaskCard, row: CardRow, limits: MessageLimits): RowChange {
  const title = shortened(card.title, limits.cardField);
  const details = row.detailed || !card.details ? undefined : shortened(card.details, limits.cardField);
  const output = row.output || !card.output ? undefined : shortened(card.output, limits.cardField);
  const sources = row.sourced || !card.sources?.length ? undefined : card.sources;
  const chunk: TaskUpdateChunk = {
    type: "task_update",
    id: card.id,
    title,
    status: card.status,
    ...(details === undefined ? {} : { details }),
    ...(output === undefined ? {} : { output }),
    ...(sources === undefined
      ? {}
      : {
          sources: sources.map(({ url, text }) => ({
            type: "url" as const,
            url,
            text: shortened(text, limits.cardField),
          })),
        }),
  };
  const bytes =
    byteLength(title) +
    2 * byteLength(details ?? "") +
    byteLength(output ?? "") +
    (sources ?? []).reduce((sum, source) => sum + byteLength(source.url) + byteLength(source.text), 0);
  return {
    chunk,
    bytes,
    row: {
      title,
      status: card.status,
      detailed: row.detailed || details !== undefined,
      output: row.output || output !== undefined,
      sourced: row.sourced || sources !== undefined,
    },
  };
}
