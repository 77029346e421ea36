import type { ModelSettings } from "@threadlore/service";
import type { Terminal } from "../terminal/output.ts";

/** The model of MODEL_BASE_URL, MODEL_NAME and MODEL_API_KEY. Undefined when no address is set. */
export function modelFromEnvironment({ env }: Pick<Terminal, "env">): ModelSettings | undefined {
  const { MODEL_BASE_URL: baseUrl, MODEL_NAME: name, MODEL_API_KEY: apiKey } = env;
  if (baseUrl === undefined || baseUrl === "") return undefined;
  return { baseUrl, name: name ?? "", apiKey: apiKey === "" ? undefined : apiKey };
}

/** The embedding model of EMBEDDING_BASE_URL, EMBEDDING_NAME and EMBEDDING_API_KEY. Undefined when no address is set. */
export function embeddingsFromEnvironment({ env }: Pick<Terminal, "env">): ModelSettings | undefined {
  const { EMBEDDING_BASE_URL, EMBEDDING_NAME, EMBEDDING_API_KEY } = env;
  return modelFromEnvironment({
    env: { MODEL_BASE_URL: EMBEDDING_BASE_URL, MODEL_NAME: EMBEDDING_NAME, MODEL_API_KEY: EMBEDDING_API_KEY },
  });
}
