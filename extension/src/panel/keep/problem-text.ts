import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import type { Problem } from "../../outbox/outbox.ts";

/** Why a kept page was not taken, and what to do. */
export function problemText(problem: Problem | undefined): string {
  if (problem === undefined) return i18n.t("panel.problem.failed");
  const words = wordsFor(problem);
  // Why a key is refused is known; how the server puts it adds nothing.
  return problem.detail === undefined || problem.kind === "key-refused"
    ? words
    : `${words} ${i18n.t("panel.problem.says", [visibleText(problem.detail)])}`;
}

function wordsFor({ kind }: Problem): string {
  switch (kind) {
    case "unreachable":
      return i18n.t("panel.problem.unreachable");
    case "failed":
      return i18n.t("panel.problem.failed");
    case "rate-limited":
      return i18n.t("panel.problem.rateLimited");
    case "key-refused":
      return i18n.t("panel.problem.keyRefused");
    case "not-permitted":
      return i18n.t("panel.problem.notPermitted");
    case "no-such-pair":
      return i18n.t("panel.problem.noSuchPair");
    case "too-large":
      return i18n.t("panel.problem.tooLarge");
    case "refused":
      return i18n.t("panel.problem.refused");
    case "takes-none":
      return i18n.t("panel.problem.takesNone");
    case "not-a-service":
      return i18n.t("panel.problem.notAService");
  }
}
