import type { Failure } from "@threadlore/ask";
import { visibleText } from "@threadlore/ask";
import type { VNode } from "preact";
import { i18n } from "#i18n";
import { Icon } from "./icons.tsx";
import { LEFT } from "./turn.ts";
import { momentOf } from "./wording.ts";

interface FailureCardProps {
  readonly failure: Failure;
  /** A part of the answer has come. */
  readonly isPartial: boolean;
  /** Absent where asking again makes no sense here. */
  readonly onAgain?: (() => void) | undefined;
  readonly onSettings: () => void;
  readonly onFresh: () => void;
}

type Cause =
  | "setup"
  | "key"
  | "rights"
  | "reach"
  | "limit"
  | "page"
  | "session"
  | "cut"
  | "left"
  | "long"
  | "model"
  | "declined"
  | "other";

/** Why there is no complete answer, and what to do about it. */
export function FailureCard({ failure, isPartial, onAgain, onSettings, onFresh }: FailureCardProps): VNode {
  const cause = causeOf(failure);
  const words = ownWords(cause);
  const isOwn = cause === "setup" || cause === "page" || cause === "left";
  const isMild = cause === "cut" || cause === "left";
  const title = cause === "other" && isPartial ? i18n.t("panel.failure.cut") : headline(cause);
  return (
    <div class={isMild ? "notice mild" : "notice"} role="group" aria-label={title}>
      <p class="notice-title">
        <Icon name="warning" />
        {title}
      </p>
      <p>{words ?? visibleText(failure.message)}</p>
      {words === undefined || isOwn ? null : (
        <details class="exact">
          <summary>{i18n.t("panel.failure.details")}</summary>
          <p dir="auto">{visibleText(failure.message)}</p>
        </details>
      )}
      {failure.retryAt === undefined ? null : <p>{i18n.t("panel.failure.retryAt", [momentOf(failure.retryAt)])}</p>}
      <div class="actions">
        {onAgain === undefined ||
        cause === "setup" ||
        cause === "session" ||
        cause === "key" ||
        cause === "rights" ? null : (
          <button type="button" class="primary" onClick={onAgain}>
            {i18n.t("panel.failure.again")}
          </button>
        )}
        {cause === "setup" || cause === "key" || cause === "rights" || cause === "reach" ? (
          <button type="button" class={cause === "reach" ? "quiet" : "primary"} onClick={onSettings}>
            {i18n.t("panel.failure.settings")}
          </button>
        ) : null}
        {cause === "session" ? (
          <button type="button" class="primary" onClick={onFresh}>
            {i18n.t("panel.failure.fresh")}
          </button>
        ) : null}
      </div>
    </div>
  );
}

function causeOf({ code = "", message }: Failure): Cause {
  switch (code) {
    case "not_configured":
      return "setup";
    case "page_unreadable":
      return "page";
    case "partial":
      return "cut";
    case LEFT:
      return "left";
    case "auth":
    case "UNAUTHENTICATED":
      return "key";
    case "forbidden":
    case "INSUFFICIENT_PERMISSIONS":
      return "rights";
    case "rate_limited":
    case "RATE_LIMIT":
    case "RATE_LIMITED":
    case "BUDGET_EXCEEDED":
      return "limit";
    case "SESSION_NOT_FOUND":
      return "session";
    case "CONTEXT_TOO_LONG":
    case "REQUEST_TOO_LARGE":
      return "long";
    case "AUTH_ERROR":
    case "PERMISSION_DENIED":
    case "NOT_FOUND":
    case "SERVICE_UNAVAILABLE":
    case "CONNECTION_ERROR":
    case "EMPTY_LLM_RESPONSE":
      return "model";
    case "CONTENT_POLICY":
      return "declined";
    case "unavailable":
    case "protocol":
      return "reach";
    default:
      if (/^E[A-Z]+$/.test(code)) return "reach";
      return /chat session/i.test(message) ? "session" : "other";
  }
}

function headline(cause: Cause): string {
  switch (cause) {
    case "setup":
      return i18n.t("panel.failure.setup");
    case "key":
      return i18n.t("panel.failure.key");
    case "rights":
      return i18n.t("panel.failure.rights");
    case "reach":
      return i18n.t("panel.failure.reach");
    case "limit":
      return i18n.t("panel.failure.limit");
    case "page":
      return i18n.t("panel.failure.page");
    case "session":
      return i18n.t("panel.failure.session");
    case "cut":
    case "left":
      return i18n.t("panel.failure.cut");
    case "long":
      return i18n.t("panel.failure.long");
    case "model":
      return i18n.t("panel.failure.model");
    case "declined":
      return i18n.t("panel.failure.declined");
    case "other":
      return i18n.t("panel.failure.other");
  }
}

/** What happened and what to do, in the person's language; undefined where only the service can say. */
function ownWords(cause: Cause): string | undefined {
  switch (cause) {
    case "setup":
      return i18n.t("panel.failure.setupWhat");
    case "page":
      return i18n.t("panel.failure.pageWhat");
    case "key":
      return i18n.t("panel.failure.keyWhat");
    case "rights":
      return i18n.t("panel.failure.rightsWhat");
    case "left":
      return i18n.t("panel.failure.leftWhat");
    case "reach":
      return i18n.t(navigator.onLine ? "panel.failure.reachWhat" : "panel.failure.offlineWhat");
    case "limit":
      return i18n.t("panel.failure.limitWhat");
    case "session":
      return i18n.t("panel.failure.sessionWhat");
    case "cut":
      return i18n.t("panel.failure.cutWhat");
    case "long":
      return i18n.t("panel.failure.longWhat");
    case "model":
      return i18n.t("panel.failure.modelWhat");
    case "declined":
      return i18n.t("panel.failure.declinedWhat");
    case "other":
      return undefined;
  }
}
