import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import type { Problem } from "../../outbox/outbox-entry.ts";

/** Why a kept page was not taken, and what to do. */
export function problemText(problem: Problem | undefined): string {
  if (problem === undefined) return i18n.t("panel.problem.failed");
  const words = i18n.t(WORDS[problem.kind]);
  // Why a key is refused is known; how the server puts it adds nothing.
  return problem.detail === undefined || problem.kind === "key-refused"
    ? words
    : `${words} ${i18n.t("panel.problem.says", [visibleText(problem.detail)])}`;
}

const WORDS = {
  unreachable: "panel.problem.unreachable",
  failed: "panel.problem.failed",
  "rate-limited": "panel.problem.rateLimited",
  "key-refused": "panel.problem.keyRefused",
  "not-permitted": "panel.problem.notPermitted",
  "no-such-pair": "panel.problem.noSuchPair",
  "too-large": "panel.problem.tooLarge",
  refused: "panel.problem.refused",
  "takes-none": "panel.problem.takesNone",
  "not-a-service": "panel.problem.notAService",
} as const satisfies Record<Problem["kind"], string>;
