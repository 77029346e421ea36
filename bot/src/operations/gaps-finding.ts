import { AuthError, PermissionError, UnsupportedError } from "@threadlore/client";
import type { Gaps } from "@threadlore/client/gaps";
import { failureWords } from "../knowledge-server/failure-words.ts";
import { unsure, well } from "../knowledge-server/server-findings.ts";
import type { ServerFinding } from "@threadlore/client/diagnose";

const WHAT = "gaps";
const HERE = "the bot keeps questions nobody could answer itself, and compares them by their words alone.";

/** Whether the server takes questions nobody could answer: nothing is noted by looking. */
export async function gapsFinding(gaps: Pick<Gaps, "forget">): Promise<ServerFinding> {
  try {
    // Of a question nobody told of: there is nothing to forget.
    await gaps.forget("threadlore-doctor");
    return well(WHAT, "The server keeps questions nobody could answer, and this key may tell of them.");
  } catch (error) {
    if (error instanceof UnsupportedError) return well(WHAT, `The server keeps none: ${HERE}`);
    if (error instanceof PermissionError || error instanceof AuthError) {
      const fix = "Set THREADLORE_INGEST_KEY to a key that may ingest, if they are to be the server's.";
      return unsure(WHAT, `The key may not tell the server of them: ${HERE}`, fix);
    }
    return unsure(WHAT, `Not found out: ${failureWords(error).what}`);
  }
}
