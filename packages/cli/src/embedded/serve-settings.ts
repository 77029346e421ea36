import type { ModelSettings, Settings } from "@threadlore/service";
import { InvalidArgumentError } from "commander";
import type { Terminal } from "../terminal/output.ts";

const VARIABLES = {
  model: ["MODEL_BASE_URL", "MODEL_NAME", "MODEL_API_KEY"],
  embeddings: ["EMBEDDING_BASE_URL", "EMBEDDING_NAME", "EMBEDDING_API_KEY"],
} as const;

/** The model that writes the answers, or the one of embeddings, as the environment names it. Undefined: no address is set. */
export function modelFromEnvironment(
  { env }: Pick<Terminal, "env">,
  use: keyof typeof VARIABLES = "model",
): ModelSettings | undefined {
  const [baseUrl = "", name = "", apiKey = ""] = VARIABLES[use].map((variable) => env[variable]);
  return baseUrl === "" ? undefined : { baseUrl, name, apiKey: apiKey === "" ? undefined : apiKey };
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
