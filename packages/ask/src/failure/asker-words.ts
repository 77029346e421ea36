import type { Answer } from "../answer/answer.ts";
import { causeOfCode, type FailureCause, SENTENCES } from "./failure-cause.ts";

/** Which failure an answer ended with. */
export function failureCause({ status, failure }: Pick<Answer, "status" | "failure">): FailureCause {
  if (status === "partial") return "cut_off";
  if (failure === undefined) return "empty";
  return failure.cause ?? causeOfCode(failure.code ?? "");
}

/** One sentence for somebody who only asks: what happened and what to do, without hosts, keys or advice on either. */
export function askerWords(answer: Pick<Answer, "status" | "failure">): string {
  return SENTENCES[failureCause(answer)];
}
