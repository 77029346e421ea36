import type { TaskUpdateChunk } from "@slack/types";

import { byteLength, shortened } from "../render/escape.ts";
import type { TaskCard } from "../render/pieces.ts";
import { type CardRow, isOver, type MessageBudget, type MessageLimits } from "./message-budget.ts";

/** Id of the row in which the cards beyond the limits are counted. */
const FOLD_ID = "more-steps";

/** How cards end that are still at work when their message is closed. */
export type CardsEnd = keyof typeof CARDS_END;

const CARDS_END = {
  "goes on": { status: "complete", words: " (goes on below)" },
  failed: { status: "error", words: "" },
  stopped: { status: "complete", words: " (stopped)" },
} as const;

/** Card updates that close a message, so that no card of it looks as though somebody were still at work. */
export function closeCards(
  { rows, foldTitle }: MessageBudget,
  limits: MessageLimits,
  end: CardsEnd = "goes on",
): readonly TaskUpdateChunk[] {
  const { status, words } = CARDS_END[end];
  const chunks = [...rows]
    .filter(([, row]) => !isOver(row) && row.title !== "")
    .map(([id, { title }]) => update(id, shortened(`${title}${words}`, limits.cardField), status));
  if (!foldTitle.endsWith(" in_progress")) return chunks;
  return [...chunks, update(FOLD_ID, foldTitle.replace(/ in_progress$/, ""), status)];
}

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
  let { bytes, cardBytes, foldTitle } = budget;
  let failed = 0;
  let running = false;
  for (const card of cards) {
    if (budget.past.has(card.id) || card.title.trim() === "") continue;
    const row = rows.get(card.id);
    const change = changeOf(card, row, limits);
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
      chunks.push(update(card.id, shortened(row.title, limits.cardField), card.status));
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
      chunks.push(update(FOLD_ID, title, status));
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

/**
 * What is new about a card; undefined: nothing. Title and status replace what is shown (and weigh each time); output and
 * sources are given once, because they would add up.
 */
function changeOf(card: TaskCard, row: CardRow | undefined, { cardField }: MessageLimits): RowChange | undefined {
  const { id, status, output = "", sources = [] } = card;
  const title = shortened(card.title, cardField);
  const newOutput = row?.output === true ? "" : shortened(output, cardField);
  const newSources = row?.sourced === true ? [] : sources;
  const isSame = row?.title === title && row.status === status;
  if (isSame && newOutput === "" && newSources.length === 0) return undefined;
  const urls = newSources.map(({ url, text }) => ({ type: "url" as const, url, text: shortened(text, cardField) }));
  return {
    chunk: {
      ...update(id, title, status),
      ...(newOutput === "" ? {} : { output: newOutput }),
      ...(urls.length === 0 ? {} : { sources: urls }),
    },
    bytes: [title, newOutput, ...newSources.flatMap(({ url, text }) => [url, text])].reduce(
      (sum, words) => sum + byteLength(words),
      0,
    ),
    row: {
      title,
      status,
      output: row?.output === true || newOutput !== "",
      sourced: row?.sourced === true || urls.length > 0,
    },
  };
}
