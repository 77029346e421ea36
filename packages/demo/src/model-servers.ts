import type { ModelSettings } from "@threadlore/service";

/** A model server found on this machine. */
export interface ModelServer {
  readonly product: string;
  readonly baseUrl: string;
  /** Names of its models; empty when it has none loaded. */
  readonly models: readonly string[];
}

/** Where the usual servers listen, each with an OpenAI-compatible interface under /v1. */
const USUAL_PLACES = [
  { product: "Ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { product: "LM Studio", baseUrl: "http://127.0.0.1:1234/v1" },
  { product: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
];

const PATIENCE_MS = 500;

/** Model servers that answer on loopback. Nothing is sent to them but the question which models they have. */
export async function findModelServers(
  places: readonly Omit<ModelServer, "models">[] = USUAL_PLACES,
): Promise<ModelServer[]> {
  const found = await Promise.all(places.map(ask));
  return found.filter((server) => server !== undefined);
}

async function ask(place: Omit<ModelServer, "models">): Promise<ModelServer | undefined> {
  try {
    const response = await fetch(`${place.baseUrl}/models`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: "error",
    });
    const body = (await response.json()) as { data?: unknown };
    // Other programs listen on these ports too; only a list of models makes it a model server.
    if (!response.ok || !Array.isArray(body.data)) return undefined;
    const models = body.data.flatMap((model: { id?: unknown }) => (typeof model.id === "string" ? [model.id] : []));
    return { ...place, models };
  } catch {
    return undefined;
  }
}

/** The model to use when asked for one by name, or for any. Undefined when there is none such. */
export function chooseModel(servers: readonly ModelServer[], wanted: string | true): ModelSettings | undefined {
  for (const { baseUrl, models } of servers) {
    const name =
      wanted === true ? models.find((model) => !/embed/i.test(model)) : models.find((model) => model === wanted);
    if (name !== undefined) return { baseUrl, name };
  }
  return undefined;
}
