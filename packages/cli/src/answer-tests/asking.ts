import { type Answer, ask, emptyAnswer } from "@threadlore/ask";
import { RateLimitError } from "@threadlore/client";
import { delay, leavesRunning } from "@threadlore/client/delay";
import type { BaseFilters, SendMessageInput } from "@threadlore/client/models";
import { CAUSE_OF_OUTCOME, type ExitCause, UsageError } from "../exit-codes.ts";
import { momentOf } from "../ask/question.ts";
import type { Asker } from "./asked-by.ts";
import type { AnswerTest, TestSettings } from "./test-model.ts";

/** What a question came to: an answer to judge, or why there is none. */
export type Asked = { readonly answer: Answer } | { readonly error: NotAnswered };

/** Why there is nothing to judge. */
export interface NotAnswered {
  readonly cause: ExitCause;
  readonly message: string;
}

/** Longest wait for the rest of an answer that broke off, milliseconds. */
const PATIENCE_MS = 20_000;
/** Longest time for taking a conversation away again, milliseconds; after Ctrl-C somebody waits. */
const DELETING_MS = 10_000;
const HURRIED_MS = 1_200;

/** How a question is asked. */
export interface AskingOptions {
  readonly asker: Asker;
  readonly personas: ReadonlyMap<string, number>;
  readonly signal: AbortSignal;
  /** Longest time for one answer, milliseconds. */
  readonly longestMs: number;
}

/** Longest wait for a budget that is used up, milliseconds; longer ones are for a person to decide about. */
const MAX_WAIT_MS = 600_000;

/**
 * Asks the question of a test in a conversation of its own, which is deleted then. Where a budget is used up, it is asked
 * again when the server says there is one. Never throws.
 */
export async function askTest(test: AnswerTest, options: AskingOptions): Promise<Asked> {
  for (;;) {
    const asked = await askOnce(test, options);
    if (asked.retryAt === undefined) return asked;
    const waitMs = asked.retryAt.getTime() - Date.now();
    if (waitMs > MAX_WAIT_MS) return asked;
    await delay(Math.max(LEAST_WAIT_MS, waitMs), options.signal);
  }
}

/** Where a server says that the moment is now, milliseconds. */
const LEAST_WAIT_MS = 200;

async function askOnce(test: AnswerTest, options: AskingOptions): Promise<Asked & { readonly retryAt?: Date }> {
  const { asker, personas, signal, longestMs } = options;
  const late = AbortSignal.timeout(longestMs);
  let answer = emptyAnswer();
  const given = {
    signal: AbortSignal.any([signal, late]),
    recovery: asker.deployment,
    patienceMs: PATIENCE_MS,
    // A name is one call more, for a conversation nobody will see.
    isNamed: false,
  };
  for await (const snapshot of ask(asker.client, requestOf(test, personas), given)) answer = snapshot;
  await forget(asker, answer, signal);
  if (answer.status === "done") return { answer };
  if (signal.aborted) return { error: { cause: "interrupted", message: "Stopped." } };
  if (late.aborted) {
    const message = `No whole answer came within ${longestMs / 1_000} seconds. \`--patience\` gives it longer; \`threadlore doctor\` looks at the server.`;
    return { error: { cause: "unavailable", message } };
  }
  const { outcome = "retryable", message = "The answer ended early.", error } = answer.failure ?? {};
  const cause = answer.status === "partial" ? "partial" : CAUSE_OF_OUTCOME[outcome];
  const retryAt = error instanceof RateLimitError ? error.retryAt : undefined;
  return { error: { cause, message }, ...(retryAt !== undefined && { retryAt }) };
}

async function forget({ deployment }: Asker, { conversation }: Answer, signal: AbortSignal): Promise<void> {
  const id = conversation.chatSessionId;
  if (id === undefined || leavesRunning(signal)) return;
  const within = AbortSignal.timeout(signal.aborted ? HURRIED_MS : DELETING_MS);
  // Where it cannot be deleted it stays, as one that somebody asked by hand does.
  await deployment.deleteSession(id, { signal: within }).catch(() => {});
}

function requestOf({ ask: message, settings }: AnswerTest, personas: ReadonlyMap<string, number>): SendMessageInput {
  const { persona } = settings;
  return {
    message,
    origin: "api",
    internal_search_filters: filtersOf(settings),
    ...(persona !== undefined && { chat_session_info: { persona_id: personas.get(persona) ?? Number(persona) } }),
  };
}

/** The filters of a test as the wire has them; undefined: it has none. */
export function filtersOf({ documentSets, sources, tags, changedSince }: TestSettings): BaseFilters | undefined {
  const filters: BaseFilters = {
    ...(sources.length > 0 && { source_type: [...sources] }),
    ...(documentSets.length > 0 && { document_set: [...documentSets] }),
    ...(tags.length > 0 && { tags: tags.map(tagOf) }),
    ...(changedSince !== undefined && { time_cutoff: momentOf(changedSince, Date.now(), []) }),
  };
  return Object.keys(filters).length === 0 ? undefined : filters;
}

function tagOf(text: string): { tag_key: string; tag_value: string } {
  const at = text.indexOf("=");
  return { tag_key: text.slice(0, at), tag_value: text.slice(at + 1) };
}

/** Numbers of the personas that tests name by their names. Throws UsageError where there is no such one. */
export async function personasOf(
  tests: readonly AnswerTest[],
  { deployment }: Asker,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const names = new Set(tests.flatMap(({ settings: { persona } }) => (persona === undefined ? [] : [persona])));
  const named = [...names].filter((name) => !/^\d{1,9}$/.test(name));
  if (named.length === 0) return new Map();
  const known = await deployment.personas({ signal });
  const found = new Map(known.map(({ name, id }) => [name.normalize().toLowerCase(), id]));
  const unknown = named.filter((name) => !found.has(name.normalize().toLowerCase()));
  if (unknown.length > 0) {
    const all = known.map(({ name }) => name).join(", ");
    throw new UsageError(`The server has no persona ${unknown.join(", ")}. It has: ${all || "none"}.`);
  }
  return new Map(named.map((name) => [name, found.get(name.normalize().toLowerCase()) ?? 0]));
}
