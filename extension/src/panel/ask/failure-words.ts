/** Which failure it is, and the panel's words for it. Pure. */
import type { Failure, FailureCause } from "@threadlore/ask";
import { failureCause } from "@threadlore/ask";
import { LEFT } from "./turn.ts";

/** A failure as the panel tells it. */
export type Cause = keyof typeof WORDS;

/** Failures of the panel's own, and those of a key that the person here can do something about. */
const BY_CODE: Readonly<Record<string, Cause>> = {
  not_configured: "setup",
  page_unreadable: "page",
  memory_on: "memory",
  memory_unknown: "memoryUnknown",
  [LEFT]: "left",
  forbidden: "rights",
  INSUFFICIENT_PERMISSIONS: "rights",
  BUDGET_EXCEEDED: "budget",
  protocol: "reach",
  website: "website",
  CONTENT_POLICY: "refused",
};

const BY_CAUSE: Readonly<Record<FailureCause, Cause>> = {
  busy: "busy",
  limit: "limit",
  unreachable: "reach",
  too_long: "long",
  declined: "declined",
  key: "key",
  setup: "model",
  empty: "empty",
  cut_off: "cut",
  session_lost: "session",
  unexpected: "other",
};

/**
 * Which failure an answer ended with.
 * @param isPartial a part of the answer had come
 */
export function causeOf(failure: Failure, isPartial: boolean): Cause {
  const { code = "" } = failure;
  const own = Object.hasOwn(BY_CODE, code) ? BY_CODE[code] : undefined;
  const cause = own ?? BY_CAUSE[failureCause({ status: "failed", failure })];
  return cause === "other" && isPartial ? "cut" : cause;
}

/** Of the panel itself: there is nothing more to be told. */
export const OWN: ReadonlySet<Cause> = new Set(["setup", "page", "left", "memory", "memoryUnknown"]);

/** Asked again as it is, it would end the same way. */
export const NOT_AGAIN: ReadonlySet<Cause> = new Set(["setup", "key", "rights", "memory", "memoryUnknown"]);

/** Keys of what happened, and of what to do where the service itself does not say it. */
export const WORDS = {
  setup: ["panel.failure.setup", "panel.failure.setupWhat"],
  page: ["panel.failure.page", "panel.failure.pageWhat"],
  memory: ["panel.memory.title", "panel.memory.what"],
  memoryUnknown: ["panel.memory.unknown", "panel.memory.unknownWhat"],
  key: ["panel.failure.key", "panel.failure.keyWhat"],
  rights: ["panel.failure.rights", "panel.failure.rightsWhat"],
  reach: ["panel.failure.reach", "panel.failure.reachWhat"],
  website: ["panel.failure.website", "panel.failure.websiteWhat"],
  busy: ["panel.failure.busy", "panel.failure.busyWhat"],
  limit: ["panel.failure.limit", "panel.failure.limitWhat"],
  budget: ["panel.failure.budget", "panel.failure.budgetWhat"],
  session: ["panel.failure.session", "panel.failure.sessionWhat"],
  cut: ["panel.failure.cut", "panel.failure.cutWhat"],
  left: ["panel.failure.cut", "panel.failure.leftWhat"],
  long: ["panel.failure.long", "panel.failure.longWhat"],
  model: ["panel.failure.model", "panel.failure.modelWhat"],
  declined: ["panel.failure.declined", "panel.failure.declinedWhat"],
  refused: ["panel.failure.refused", "panel.failure.declinedWhat"],
  empty: ["panel.failure.empty", "panel.failure.emptyWhat"],
  other: ["panel.failure.other", undefined],
} as const;

/** Where a failure was met. */
export interface Circumstances {
  /** IT has set the service's address: nobody here can correct it. */
  readonly isManaged: boolean;
  readonly isOnline: boolean;
}

type Advice =
  | (typeof WORDS)[Cause][1]
  | "panel.failure.offlineWhat"
  | "panel.failure.reachManagedWhat"
  | "options.finding.managed";

/** Key of what to do about a failure; undefined where only the service can say. */
export function adviceFor(cause: Cause, { isManaged, isOnline }: Circumstances): Advice | undefined {
  if (cause === "reach" && !isOnline) return "panel.failure.offlineWhat";
  if (!isManaged) return WORDS[cause][1];
  if (cause === "website") return "options.finding.managed";
  return cause === "reach" ? "panel.failure.reachManagedWhat" : WORDS[cause][1];
}
