import type { Settings } from "@threadlore/service";
import { InvalidArgumentError } from "commander";

/** Chat budgets by whose they are; what is absent is not limited. */
export type RateLimits = Settings["rateLimits"];

/** Adds one `scope=messages/seconds` to the budgets given so far. Throws InvalidArgumentError for anything else. */
export function rateLimit(text: string, before: RateLimits = {}): RateLimits {
  const [, scope, messages, seconds] = /^(user|group|global)=([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(text) ?? [];
  if (scope === undefined) {
    throw new InvalidArgumentError("It must be user, group or global, such as user=30/60: 30 questions in 60 seconds.");
  }
  return { ...before, [scope]: { messages: Number(messages), seconds: Number(seconds) } };
}
