import type { CallToolResult } from "@modelcontextprotocol/server";
import { NothingSearchedError } from "@threadlore/ask";
import { ClientError } from "@threadlore/client";
import { KnowledgeMissing } from "../knowledge.ts";
import { failed, failureText } from "./failure-text.ts";

/** Takes what nobody foresaw: for a log, never for whoever called. */
export type Report = (error: unknown) => void;

/** A tool's result; what was thrown becomes one that says in plain words what went wrong. */
export async function answering(report: Report, work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ClientError) return failed(failureText(error));
    if (error instanceof NothingSearchedError || error instanceof KnowledgeMissing) return failed(error.message);
    report(error);
    return failed("Threadlore itself failed here, and wrote down why. Trying again may help.");
  }
}
