import { delay, leavesRunning } from "@threadlore/client/delay";
import { type Answer, endedAs, inConversation, reduce } from "../answer/answer.ts";
import { isFinal } from "../answer/status.ts";
import { CUT_OFF, type Failure, LEFT_UNANSWERED } from "../failure/failure.ts";
import { Patience } from "./patience.ts";
import { lookAt, NOTHING_SEEN, type SentQuestion } from "./recovery.ts";
import { stopRun } from "./stop-run.ts";
import { STOP } from "./stored-answer.ts";

/** Delays between two looks at the server, milliseconds. */
const DELAY_MS = { first: 200, max: 5_000 };

/** How long a question that arrived late, or through a slow proxy, is given to turn up, milliseconds. */
const ARRIVAL_MS = 1_300;

/**
 * Finishes an answer: yields snapshots from where `shown` ends, the last of which is final. Never throws. An answer the
 * server does not finish ends `partial`, or `failed` where nothing of it had come.
 */
export async function* recovered(sent: SentQuestion): AsyncGenerator<Answer, void, undefined> {
  const { signal } = sent;
  let { shown } = sent;
  const patience = new Patience(sent.patienceMs, signal);
  let delayMs = DELAY_MS.first;
  let seen: { ending: Failure; at: number } | undefined;
  for (;;) {
    const look = lookAt({ ...sent, shown, signal: patience.signal });
    let found = await patience.during(look.next());
    try {
      for (; found.done !== true; found = await patience.during(look.next())) {
        shown = notShorter(found.value, shown);
        delayMs = DELAY_MS.first;
        yield shown;
        patience.sign();
        if (isFinal(shown.status)) return;
      }
    } finally {
      await look.return(NOTHING_SEEN);
    }
    const { ending, isAway, conversation } = found.value;
    shown = inConversation(shown, conversation);
    if (signal?.aborted === true) {
      if (!leavesRunning(signal)) stopRun(sent, shown.conversation);
      return yield endedAs(shown, "stopped");
    }
    if (ending !== undefined && isSure(ending, seen)) return yield brokenOff(shown, ending);
    if (ending === undefined || ending.message !== seen?.ending.message)
      seen = ending && { ending, at: performance.now() };
    if (!patience.lasts(delayMs)) {
      // Nothing was heard of it from first to last: it did not break off.
      const unreached = isAway === true ? sent.unreached : undefined;
      return yield brokenOff(shown, ending ?? unreached ?? CUT_OFF);
    }
    await patience.during(delay(delayMs, patience.signal));
    delayMs = Math.min(delayMs * 2, DELAY_MS.max);
  }
}

/** What one look shows can be a moment between two states, or a proxy's own word while its server is away. */
function isSure(ending: Failure, seen: { ending: Failure; at: number } | undefined): boolean {
  if (seen === undefined || seen.ending.message !== ending.message) return false;
  return ending !== LEFT_UNANSWERED || performance.now() - seen.at >= ARRIVAL_MS;
}

/** What was shown is not taken back: an answer that ends as less than it was ends where it was. */
function notShorter(found: Answer, shown: Answer): Answer {
  if (!isFinal(found.status) || found.text.length >= shown.text.length) return found;
  if (found.status === "done") return shown.text.startsWith(found.text) ? reduce(shown, STOP) : found;
  return endedAs(shown, found.status as "failed" | "stopped", found.failure);
}

/** The answer as far as it came; nothing of it at all is a failure. */
function brokenOff(shown: Answer, failure: Failure): Answer {
  if (shown.text === "") return endedAs(shown, "failed", failure);
  // Something of it came, so that the question had arrived.
  return endedAs(shown, "partial", failure === LEFT_UNANSWERED ? CUT_OFF : failure);
}
