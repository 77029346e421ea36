import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { NothingSearchedError } from "@threadlore/ask";
import { ClientError } from "@threadlore/client";
import { KnowledgeMissing } from "../knowledge.ts";
import { type Progress, progressOf } from "../tools/progress.ts";
import { failed, failureText, publicFailureText } from "./failure-text.ts";
import { quotedLine } from "./quoted-text.ts";
import type { Telling } from "./telling.ts";

/**
 * A tool's result; what was thrown becomes one that says in plain words what went wrong. While it is awaited the caller
 * is told every few seconds that it is.
 * @param work is given what tells the caller more than that
 */
export async function answering(
  telling: Telling,
  context: Pick<ServerContext, "mcpReq">,
  work: (tell: Progress) => Promise<CallToolResult>,
): Promise<CallToolResult> {
  const tell = progressOf(context);
  try {
    return await work(tell);
  } catch (error) {
    return failed(plainWords(telling, error));
  } finally {
    tell.end();
  }
}

/** What was thrown, in plain words; what nobody foresaw is reported, and not told. */
export function plainWords({ report, isShared }: Telling, error: unknown): string {
  if (error instanceof KnowledgeMissing) return error.message;
  if (isShared && (error instanceof ClientError || error instanceof NothingSearchedError)) {
    report(error);
    return publicFailureText(error);
  }
  if (error instanceof ClientError) return failureText(error);
  if (error instanceof NothingSearchedError) return quotedLine(error.message);
  report(error);
  return "Threadlore itself failed here, and wrote down why. Trying again may help.";
}
