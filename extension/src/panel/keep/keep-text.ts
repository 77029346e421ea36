import { visibleText } from "@threadlore/ask";
import { i18n } from "#i18n";
import { ADDITION_LIMITS } from "../../keep/additions.ts";
import type { ConsentReason } from "../../keep/consent.ts";
import type { Notice } from "../../keep/notices.ts";
import type { Problem } from "../../outbox/outbox-entry.ts";
import type { PdfRefusal } from "../../pdf/reading.ts";
import type { MarkAdded, Marked } from "../marking/marked.ts";
import { closedText } from "../pages/closed-text.ts";

/** Why a person is asked before a page is sent. */
export function consentReasonText(reason: ConsentReason): string {
  return i18n.t(CONSENT_WORDS[reason]);
}

const CONSENT_WORDS = {
  "not-web": "panel.consent.notWeb",
  "intranet-host": "panel.consent.intranetHost",
  "password-field": "panel.consent.passwordField",
  "token-in-address": "panel.consent.tokenInAddress",
  noindex: "panel.consent.noindex",
  "not-to-be-stored": "panel.consent.notToBeStored",
  "needs-sign-in": "panel.consent.needsSignIn",
  "private-window": "panel.consent.privateWindow",
  "public-pair": "panel.consent.publicPair",
  "no-pair": "panel.consent.noPair",
  "unknown-audience": "panel.consent.unknownAudience",
} as const satisfies Record<ConsentReason, string>;

type Refusal = NonNullable<Notice["why"]> | PdfRefusal;

/** Why a page was not kept, and what to do. */
export function refusalText(why: Refusal): string {
  return isWorded(why) ? i18n.t(REFUSAL_WORDS[why]) : closedText(why);
}

const REFUSAL_WORDS = {
  "not-set-up": "panel.failure.setupWhat",
  "nothing-marked": "panel.refusal.nothingMarked",
  "outbox-full": "panel.refusal.outboxFull",
  storage: "panel.refusal.storage",
  "link-not-allowed": "panel.refusal.linkNotAllowed",
  "link-failed": "panel.refusal.linkFailed",
  pdf: "panel.closed.pdf",
  "not-web": "panel.refusal.notWeb",
} as const;

const isWorded = (why: Refusal): why is keyof typeof REFUSAL_WORDS => Object.hasOwn(REFUSAL_WORDS, why);

/** Why nothing was highlighted, or a highlight was not taken back. */
export function notMarkedText(marked: Exclude<Marked, MarkAdded>): string {
  switch (marked.became) {
    case "refused":
      return refusalText(marked.why);
    case "known":
      return i18n.t("panel.marked.known");
    case "full":
      return i18n.t("panel.marked.full", [String(ADDITION_LIMITS.highlights)]);
    case "stuck":
      return i18n.t("panel.kept.noText");
  }
}

/**
 * Why a kept page was not taken, and what to do.
 * @param isRemoval it was to be removed
 */
export function problemText(problem: Problem | undefined, isRemoval = false): string {
  if (problem === undefined) return i18n.t("panel.problem.failed");
  if (isRemoval && problem.kind === "not-permitted") return i18n.t("panel.problem.mayNotRemove");
  if (isRemoval && problem.kind === "takes-none") return i18n.t("panel.problem.removesNone");
  const words = i18n.t(PROBLEM_WORDS[problem.kind]);
  // Why a key is refused is known; how the server puts it adds nothing.
  return problem.detail === undefined || problem.kind === "key-refused"
    ? words
    : `${words} ${i18n.t("panel.problem.says", [visibleText(problem.detail)])}`;
}

const PROBLEM_WORDS = {
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
