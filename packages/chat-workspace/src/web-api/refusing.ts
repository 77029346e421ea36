import type { Refusal } from "../validator/refusal.ts";
import { refusalsOf } from "../validator/refusals.ts";
import { SlackError, type Methods } from "./method.ts";
import type { Arguments } from "../fields.ts";

/** A refusal as it stands in a record of a call. */
export function inWords({ pointer, words }: Refusal): string {
  return pointer === "" ? words : `${pointer}: ${words}`;
}

/** Throws what Slack would answer to arguments that are wrong by themselves, with its words for every reason. */
function refuseUnsound(method: string, args: Arguments): void {
  const refusals = refusalsOf(method, { ...args });
  const [first] = refusals;
  if (first === undefined) return;
  const errors = refusals.map(({ pointer, words }) => (pointer === "" ? words : `${words} [json-pointer:${pointer}]`));
  const messages = errors.map((error) => `[ERROR] ${error}`);
  throw new SlackError(first.code, { errors, response_metadata: { messages } });
}

/** The methods, refusing first what is wrong with the arguments by themselves. */
export function refusing(methods: Methods): Methods {
  const wrapped = Object.entries(methods).map(([name, method]) => {
    const run: typeof method.run = (args, call) => {
      refuseUnsound(name, args);
      return method.run(args, call);
    };
    return [name, { ...method, run }] as const;
  });
  return Object.fromEntries(wrapped);
}
