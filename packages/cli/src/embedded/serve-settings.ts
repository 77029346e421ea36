import type { ModelSettings, Settings } from "@threadlore/service";
import { InvalidArgumentError } from "commander";
import { secretOf } from "./secret-setting.ts";
import type { Terminal } from "../terminal/output.ts";

const VARIABLES = {
  model: ["MODEL_BASE_URL", "MODEL_NAME", "MODEL_API_KEY"],
  embeddings: ["EMBEDDING_BASE_URL", "EMBEDDING_NAME", "EMBEDDING_API_KEY"],
} as const;

/** The model that writes the answers, or the one of embeddings, as the environment names it; its key may stand in a file. Undefined: no address is set. Throws UsageError. */
export function modelFromEnvironment(
  { env, folder }: Pick<Terminal, "env" | "folder">,
  use: keyof typeof VARIABLES = "model",
): ModelSettings | undefined {
  const [addressOf, nameOf, keyOf] = VARIABLES[use];
  const { [addressOf]: baseUrl = "", [nameOf]: name = "" } = env;
  return baseUrl === "" ? undefined : { baseUrl, name, apiKey: secretOf({ env, folder }, keyOf) };
}

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
