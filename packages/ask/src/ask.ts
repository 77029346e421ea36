import type { Packet, SendMessageInput } from "@threadlore/client/models";
import type { Answer } from "./answer.ts";
import { emptyAnswer, endedAs, reduce } from "./answer.ts";
import type { Failure } from "./failure.ts";
import { CUT_OFF } from "./failure.ts";
import { isFinal } from "./status.ts";

/** What `ask` needs of a client; `createClient` of @threadlore/client gives it. */
export interface AskingClient {
  streamMessage(request: SendMessageInput, options: { signal?: AbortSignal }): AsyncIterable<Packet>;
}

/**
 * Asks a question and yields the answer as it grows: first the empty one, then a snapshot for each packet that changed
 * something. The last snapshot's status is final.
 *
 * Never throws for an answer that did not come off: the last snapshot says `failed`, `partial` (the connection ended
 * first) or `stopped` (`signal` was aborted), with `failure` in plain words, and keeps the text that had arrived.
 * Leaving the loop early closes the connection.
 */
export async function* ask(
  client: AskingClient,
  question: SendMessageInput,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<Answer, void, undefined> {
  let answer = startedIn(question);
  yield answer;
  let last = answer;
  try {
    for await (const packet of client.streamMessage({ ...question, stream: true }, options)) {
      answer = reduce(answer, packet);
      if (answer === last) continue;
      last = answer;
      yield answer;
    }
  } catch (error) {
    yield afterError(answer, error, options.signal);
    return;
  }
  // A stream that ended without a word, from a client that does not throw for it.
  if (!isFinal(answer.status)) yield endedAs(answer, "partial", CUT_OFF);
}

/** The empty answer, in the session the question itself names: servers do not repeat that one. */
function startedIn(question: SendMessageInput): Answer {
  const session = question.chat_session_id;
  return session == null ? emptyAnswer() : reduce(emptyAnswer(), { chat_session_id: session });
}

function afterError(answer: Answer, error: unknown, signal: AbortSignal | undefined): Answer {
  const { outcome, message, code, name, retryAt } = describe(error);
  if (outcome === "aborted" || signal?.aborted === true || name === "AbortError") return endedAs(answer, "stopped");
  if (outcome === "partial") return endedAs(answer, "partial", { ...CUT_OFF, ...(message === "" ? {} : { message }) });
  const failure: Failure = {
    message: outcome === "" ? `The answer failed for a reason this program did not expect: ${message}` : message,
    ...(code === "" ? {} : { code }),
    retryable: outcome === "retryable" || outcome === "unavailable" || outcome === "rate_limited",
    ...(retryAt === undefined ? {} : { retryAt }),
  };
  return endedAs(answer, "failed", failure);
}

interface Described {
  outcome: string;
  message: string;
  code: string;
  name: string;
  retryAt: string | undefined;
}

/** Read by its fields, not by its class: an error can come from another copy of the client or another realm. */
function describe(error: unknown): Described {
  const field = (key: string): unknown =>
    typeof error === "object" && error !== null ? Reflect.get(error, key) : undefined;
  const text = (key: string): string => {
    const value = field(key);
    return typeof value === "string" ? value : "";
  };
  const outcome = text("outcome");
  return {
    outcome,
    message: text("message") || String(error),
    // A key that is known and may not do it is another matter than one that is not known.
    code: text("code") || (text("name") === "PermissionError" ? "forbidden" : outcome),
    name: text("name"),
    retryAt: isoMoment(field("retryAt")),
  };
}

/** A Date, of whichever realm, as text. */
function isoMoment(value: unknown): string | undefined {
  const moment = Object.prototype.toString.call(value) === "[object Date]" ? Number(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}
