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

type Cause = keyof typeof WORDS;

/** Why there is no complete answer, and what to do about it. */
export function FailureCard({ failure, isPartial, onAgain, onSettings, onFresh }: FailureCardProps): VNode {
  const cause = causeOf(failure);
  const words = ownWords(cause);
  const isOwn = cause === "setup" || cause === "page" || cause === "left";
  const isMild = cause === "cut" || cause === "left";
  const title = i18n.t(cause === "other" && isPartial ? "panel.failure.cut" : WORDS[cause][0]);
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

/** Keys of what happened, and of what to do where the service itself does not say it. */
const WORDS = {
  setup: ["panel.failure.setup", "panel.failure.setupWhat"],
  page: ["panel.failure.page", "panel.failure.pageWhat"],
  key: ["panel.failure.key", "panel.failure.keyWhat"],
  rights: ["panel.failure.rights", "panel.failure.rightsWhat"],
  reach: ["panel.failure.reach", "panel.failure.reachWhat"],
  limit: ["panel.failure.limit", "panel.failure.limitWhat"],
  session: ["panel.failure.session", "panel.failure.sessionWhat"],
  cut: ["panel.failure.cut", "panel.failure.cutWhat"],
  left: ["panel.failure.cut", "panel.failure.leftWhat"],
  long: ["panel.failure.long", "panel.failure.longWhat"],
  model: ["panel.failure.model", "panel.failure.modelWhat"],
  declined: ["panel.failure.declined", "panel.failure.declinedWhat"],
  other: ["panel.failure.other", undefined],
} as const;

/** What happened and what to do, in the person's language; undefined where only the service can say. */
function ownWords(cause: Cause): string | undefined {
  const [, key] = WORDS[cause];
  if (cause === "reach" && !navigator.onLine) return i18n.t("panel.failure.offlineWhat");
  return key === undefined ? undefined : i18n.t(key);
}
