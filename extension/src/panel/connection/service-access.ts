import { createClient } from "@threadlore/client";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import { Address } from "../../settings/address.ts";
import type { Connection, EffectiveSettings } from "../../settings/settings.ts";
import { asking } from "../ask/asking.ts";
import { offeredOf } from "./offered.ts";
import type { SearchOff, SearchTools, Service } from "./service.ts";
import { watchKey } from "./standing.ts";

/** The service as the panel uses it. */
export type ServiceAccess = ReturnType<typeof serviceAccess>;

const SEARCH_TOOL = "SearchTool";

/** How old what the service said of the key may be where nothing but words depends on it, milliseconds. */
const OFFER_MS = 60_000;

/** What it takes to ask: the client, and what the server offers beside it. Nothing is sent yet. */
export function serviceAccess(connection: Connection, settings: EffectiveSettings) {
  const { origin } = connection;
  const address = new Address(connection);
  let clients = clientsAt(connection.baseUrl, connection);
  const at = <Done>(work: (quick: Deployment) => Promise<Done>, signal: AbortSignal | undefined): Promise<Done> =>
    address.use((baseUrl) => {
      if (baseUrl !== clients.baseUrl) clients = clientsAt(baseUrl, connection);
      return work(clients.quick);
    }, signal);
  const key = watchKey(
    {
      whoami: (call) => at((quick) => quick.whoami(call), call?.signal),
      setMemory: (on, call) => at((quick) => quick.setMemory(on, call), call?.signal),
    },
    origin,
  );
  let searchTools: Promise<SearchTools> | undefined;
  return {
    asking,
    // Before any of these is used, a question asks what the key is, or which tools there are, and so for the address.
    get client() {
      return clients.client;
    },
    get recovery() {
      return clients.deployment;
    },
    get deployment() {
      return clients.deployment;
    },
    key,
    origin,
    host: new URL(origin).host,
    /** It runs on this machine, so its documents may lie there too. */
    isLocal: /^https?:\/\/(?:127\.|localhost|\[::1\])/.test(origin),
    /** IT has set its address. */
    isManaged: settings.managed.has("baseUrl"),
    extensionOrigin: clients.client.profile.extensionOrigin,
    personaId: settings.personaId,
    documentSets: settings.documentSets,
    async searchTools(signal: AbortSignal) {
      searchTools ??= searchToolsOf((call) => at((quick) => quick.tools(call), signal), signal);
      const asked = searchTools;
      const found = await asked;
      // Asked again with the next question: this time the server may answer, or the key may list them.
      if (found.off !== undefined && searchTools === asked) searchTools = undefined;
      return found;
    },
    /** Names of the questions it can be offered: it is asked whether a model answers. Never throws. */
    offered: async (hasPage: boolean) => offeredOf(hasPage, (await key.look(OFFER_MS)).writes),
    giveFeedback: (feedback: Parameters<Service["giveFeedback"]>[0]) => clients.deployment.giveFeedback(feedback),
  };
}

/** Throws the client's InvalidRequestError for an address or a key that can be none. */
function clientsAt(baseUrl: string, { askKey, ingestionPath }: Connection) {
  const options = { baseUrl, apiKey: askKey, profile: { ingestionPath } };
  return {
    baseUrl,
    client: createClient(options),
    deployment: createDeployment(options),
    // A question waits for these: one more try, and none of the waits that sit out an outage.
    quick: createDeployment({ ...options, retries: { retries: 1, longestWaitMs: 1_000 } }),
  };
}

async function searchToolsOf(list: Deployment["tools"], signal: AbortSignal): Promise<SearchTools> {
  try {
    const tools = await list({ signal });
    const ids = tools.filter((tool) => tool.in_code_tool_id === SEARCH_TOOL).map(({ id }) => id);
    return ids.length === 0 ? { ids, off: "none" } : { ids };
  } catch (error) {
    return { ids: [], off: OFF_BY_ERROR[error instanceof Error ? error.name : ""] ?? "unknown" };
  }
}

const OFF_BY_ERROR: Readonly<Record<string, SearchOff>> = {
  PermissionError: "forbidden",
  AuthError: "forbidden",
  UnsupportedError: "unlisted",
  NotFoundError: "unlisted",
};
