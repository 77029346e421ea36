import { DEFAULT_PROFILE } from "@threadlore/client";
import type { Deployment, DeploymentOptions } from "@threadlore/client/deployment";
import { createResources, type Resources } from "@threadlore/client/resources";
import { Address } from "../../settings/address.ts";
import type { Connection, EffectiveSettings } from "../../settings/settings.ts";
import { offeredOf } from "./offered.ts";
import type { SearchOff, SearchTools, Service } from "./service.ts";
import { watchKey } from "./standing.ts";
import type { wireTo } from "./wire.ts";

/** The service as the panel uses it. */
export type ServiceAccess = ReturnType<typeof serviceAccess>;

const SEARCH_TOOL = "SearchTool";

/** How old what the service said of the key may be where nothing but words depends on it, milliseconds. */
const OFFER_MS = 60_000;

/**
 * What the service is looked at with before anything is asked, and the way to what it takes to ask. Nothing is sent yet.
 * Throws the client's InvalidRequestError for an address or a key that can be none.
 */
export function serviceAccess(connection: Connection, settings: EffectiveSettings) {
  const { origin } = connection;
  const address = new Address(connection);
  let takesTrace = false;
  const isTraced = () => takesTrace;
  let place = placeAt(connection.baseUrl, connection, isTraced);
  const at = <Done>(work: (quick: Resources) => Promise<Done>, signal: AbortSignal | undefined): Promise<Done> =>
    address.use((baseUrl) => {
      if (baseUrl !== place.baseUrl) place = placeAt(baseUrl, connection, isTraced);
      return work(place.quick);
    }, signal);
  const key = watchKey(
    {
      async whoami(call) {
        const me = await at((quick) => quick.whoami(call), call?.signal);
        takesTrace = me.takes_traceparent === true;
        return me;
      },
      setMemory: (on, call) => at((quick) => quick.setMemory(on, call), call?.signal),
    },
    origin,
  );
  let searchTools: Promise<SearchTools> | undefined;
  return {
    /** Before it is used, a question asks what the key is, or which tools there are, and so for the address. */
    wire: () => place.wire(),
    key,
    origin,
    host: new URL(origin).host,
    /** It runs on this machine, so its documents may lie there too. */
    isLocal: /^https?:\/\/(?:127\.|localhost|\[::1\])/.test(origin),
    /** IT has set its address. */
    isManaged: settings.managed.has("baseUrl"),
    extensionOrigin: DEFAULT_PROFILE.extensionOrigin,
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
    /**
     * Does something that is seldom done, with what it takes to reach the service where it answers by now: with the key that
     * asks, or the one that keeps pages. Throws what `work` throws.
     */
    reach: <Done>(
      work: (options: DeploymentOptions) => Promise<Done>,
      whose: "askKey" | "ingestKey" = "askKey",
    ): Promise<Done> => address.use((baseUrl) => work({ baseUrl, apiKey: connection[whose] })),
    /** Names of the questions it can be offered: it is asked whether a model answers. Never throws. */
    offered: async (hasPage: boolean) => offeredOf(hasPage, (await key.look(OFFER_MS)).writes),
    async giveFeedback(feedback: Parameters<Service["giveFeedback"]>[0]) {
      const { deployment } = await place.wire();
      await deployment.giveFeedback(feedback);
    },
  };
}

function placeAt(baseUrl: string, { askKey, ingestionPath }: Connection, isTraced: () => boolean) {
  const options = { baseUrl, apiKey: askKey, profile: { ingestionPath } };
  let wire: Promise<ReturnType<typeof wireTo>> | undefined;
  return {
    baseUrl,
    wire: () => (wire ??= import("../to-ask.ts").then(({ toAsk }) => toAsk.wireTo(options, isTraced))),
    // A question waits for these: one more try, and none of the waits that sit out an outage.
    quick: createResources({ ...options, retries: { retries: 1, longestWaitMs: 1_000 } }),
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
