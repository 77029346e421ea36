import { delay } from "@threadlore/client/delay";
import type { ConversationRef } from "../answer/conversation.ts";
import { type Asked, sessionOf } from "./recovery.ts";

/** In milliseconds. Nobody waits for it. */
const STOPPING_MS = 10_000;

/** Delays before the looks for a session nothing was heard of, milliseconds: its question may still be on its way. */
const LATE_SESSION_MS = [0, 300, 1_000, 3_000];

/** Ends the run of a question nobody wants answered any more, by the mark of its session where its id never came. */
export function stopRun(sent: Asked, { chatSessionId }: ConversationRef): void {
  stopped({ ...sent, signal: AbortSignal.timeout(STOPPING_MS) }, chatSessionId).catch(() => {});
}

async function stopped(sent: Asked & { signal: AbortSignal }, known: string | undefined): Promise<void> {
  const { recovery, question, signal } = sent;
  if (known !== undefined) return recovery.stop(known, { signal });
  if (question.chat_session_info?.description == null) return;
  for (const delayMs of LATE_SESSION_MS) {
    await delay(delayMs, signal);
    const sessionId = await sessionOf(sent);
    if (sessionId !== undefined) return recovery.stop(sessionId, { signal });
  }
}
