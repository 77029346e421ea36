import type { Refusal } from "../validator/refusal.ts";
import { SlackError } from "./method.ts";

/** A refusal as it stands in a record of a call. */
export function inWords({ pointer, words }: Refusal): string {
  return pointer === "" ? words : `${pointer}: ${words}`;
}

/** Throws what Slack would answer to arguments that are wrong by themselves, with its words for every reason. */
export function refuseUnsound(refusals: readonly Refusal[]): void {
  const [first] = refusals;
  if (first === undefined) return;
  const errors = refusals.map(({ pointer, words }) => (pointer === "" ? words : `${words} [json-pointer:${pointer}]`));
  const messages = errors.map((error) => `[ERROR] ${error}`);
  throw new SlackError(first.code, { errors, response_metadata: { messages } });
}
