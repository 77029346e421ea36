import { i18n } from "#i18n";
import type { ConsentReason } from "../../keep/consent.ts";
import type { Notice } from "../../keep/notices.ts";
import type { PdfRefusal } from "../../pdf/reading.ts";
import { closedText } from "../view/scope-bar.tsx";

/** Why a person is asked before a page is sent. */
export function consentReasonText(reason: ConsentReason): string {
  switch (reason) {
    case "not-web":
      return i18n.t("panel.consent.notWeb");
    case "intranet-host":
      return i18n.t("panel.consent.intranetHost");
    case "password-field":
      return i18n.t("panel.consent.passwordField");
    case "token-in-address":
      return i18n.t("panel.consent.tokenInAddress");
    case "noindex":
      return i18n.t("panel.consent.noindex");
    case "not-to-be-stored":
      return i18n.t("panel.consent.notToBeStored");
    case "needs-sign-in":
      return i18n.t("panel.consent.needsSignIn");
    case "private-window":
      return i18n.t("panel.consent.privateWindow");
    case "public-pair":
      return i18n.t("panel.consent.publicPair");
    case "no-pair":
      return i18n.t("panel.consent.noPair");
    case "unknown-audience":
      return i18n.t("panel.consent.unknownAudience");
  }
}

/** Why a page was not kept, and what to do. */
export function refusalText(why: NonNullable<Notice["why"]> | PdfRefusal): string {
  switch (why) {
    case "not-set-up":
      return i18n.t("panel.failure.setupWhat");
    case "nothing-marked":
      return i18n.t("panel.refusal.nothingMarked");
    case "outbox-full":
      return i18n.t("panel.refusal.outboxFull");
    case "storage":
      return i18n.t("panel.refusal.storage");
    case "link-not-allowed":
      return i18n.t("panel.refusal.linkNotAllowed");
    case "link-failed":
      return i18n.t("panel.refusal.linkFailed");
    case "pdf":
      return i18n.t("panel.closed.pdf");
    case "not-web":
      return i18n.t("panel.refusal.notWeb");
    default:
      return closedText(why);
  }
}
