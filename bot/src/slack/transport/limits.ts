/**
 * Every number the platform sets, and the budgets we keep below it. Dated, because many are not in its documentation:
 * "documented" was read in the documentation or in the SDK's declarations, "observed" was reported by others who run
 * apps on it. Nothing else in the bot writes such a number.
 */

/** Blocks and messages. */
export const LIMITS = {
  /** Blocks of a message (documented, 2026-11). */
  messageBlocks: 50,
  /** Characters of a section's text (documented, 2026-11). */
  sectionText: 3_000,
  /** Elements of a context block (documented, 2026-11). */
  contextElements: 10,
  /** Characters of one text of a context block; no limit of its own is documented, a section's is taken (2026-11). */
  contextText: 3_000,
  /** Blocks in a container block (documented, 2026-11). */
  containerChildren: 10,
  /** Characters on a button (documented, 2026-11). */
  buttonText: 75,
  /** Rows of a table block, its header included (documented, 2026-11). */
  tableRows: 100,
  /** Columns of a table block (documented, 2026-11). */
  tableColumns: 20,
  /** Characters of each field of a task card (observed, 2026-09). */
  taskField: 256,
} as const;

/** What we allow ourselves, below the limits. Where a limit was only observed the budget is what keeps us safe. */
export const BUDGETS = {
  /** Characters of all cells of one table; the rest goes into another. */
  tableCharacters: 9_000,
  /** Characters of a text-only message. */
  plainText: 3_900,
  /** Characters of a notification's text. */
  notification: 240,
  /** Sources in the line below an answer; the others are folded away. */
  sources: 3,
  /** Sources folded away; the others are counted. */
  foldedSources: 30,
  /** Characters of a source's title in that line, and where they are folded. */
  sourceTitle: 60,
  foldedTitle: 150,
  /** Task cards of an answer; later steps are counted on the last one. */
  taskCards: 40,
} as const;

/**
 * Calls a minute, for the whole workspace, and what Slack says when it has had enough. Documented as "20+" and "100+"
 * (tiers 2 and 4, read November 2026); these stay a little below, and Retry-After has the last word.
 */
export const PACE = {
  /** chat.startStream; an answer above it is posted instead. */
  startsPerMinute: 20,
  /** chat.appendStream, shared by all open streams of a workspace. */
  appendsPerMinute: 90,
  /** Appends that may follow at once after a quiet time. */
  appendBurst: 10,
  /** No stream is appended to more often than this, milliseconds: faster is not seen, only counted. */
  minFlushMs: 600,
  /** chat.postMessage: about one a second and channel; a little more, because calls do not travel evenly. */
  postSpacingMs: 1100,
  /** Waited when a refusal names no time, milliseconds. */
  retryAfterMs: 30_000,
} as const;

/**
 * What one streamed message takes. The byte rule and the life of a stream are observed, not documented (November 2026):
 * 11.0 to 11.3 kB were refused as `msg_too_long`, streams ended by themselves after about five minutes.
 */
export const STREAM = {
  /**
   * UTF-8 bytes of text, tables and cards. Streamed messages are refused between 10,600 and 11,300 bytes
   * (observed, 2026-10); the same is kept for posted ones, so that an answer is cut alike whichever way it goes.
   */
  bytes: 9_000,
  /** From here on the message ends at the next blank line. */
  blockCutBytes: 7200,
  /** From here on it ends at the next line's end. */
  lineCutBytes: 8200,
  /** Rows of cards; the last one is for those folded together. */
  rows: 50,
  /** Bytes of cards in one message; what comes after is folded into the last row. */
  cardBytes: 6000,
  /** A message older than this is closed and the answer goes on in a new one, milliseconds. */
  ageMs: 240_000,
} as const;

/**
 * How long people wait for a server that says nothing, milliseconds. A server that sends heartbeats gives one every
 * fifteen seconds; after two minutes without one nobody believes in an answer any more.
 */
export const SILENCE = {
  /** Before the first packet: the card says that the server is slow. */
  slowMs: 10_000,
  /** What is said then offers a way out; counted from the last sign of progress. */
  sayMs: [30_000, 90_000],
  /** The question is given up. */
  giveUpMs: 120_000,
} as const;

/** How long a call may take before it counts as lost, milliseconds. */
export const CALL_TIMEOUT_MS = 10_000;

/**
 * Pauses before a thread is looked at again for what a lost call did after all, milliseconds: nothing says how long a call
 * nobody waits for may still be on its way inside the platform.
 */
export const LATE_CALLS_MS: readonly number[] = [15_000, 60_000, 300_000];
