import { createClient } from "@threadlore/client";
import { createDeployment, type Deployment } from "@threadlore/client/deployment";
import type { Connection, EffectiveSettings } from "../settings.ts";
import type { Service } from "./conversation.ts";
import { type Offered, offeredOf } from "./offered.ts";

/** The service as the panel uses it. */
export interface ServiceAccess extends Service {
  readonly origin: string;
  readonly host: string;
  /** It runs on this machine, so its documents may lie there too. */
  readonly isLocal: boolean;
  readonly deployment: Deployment;
  /** Names of the questions it can be offered: it is asked whether a model answers. Never throws. */
  offered(hasPage: boolean): Promise<readonly Offered[]>;
}

const SEARCH_TOOL = "SearchTool";

/** What it takes to ask: the client, and what the server offers beside it. Nothing is sent yet. */
export function serviceAccess(connection: Connection, settings: EffectiveSettings): ServiceAccess {
  const { baseUrl, origin, askKey, ingestionPath } = connection;
  const options = { baseUrl, apiKey: askKey, profile: { ingestionPath } };
  const client = createClient(options);
  const deployment = createDeployment(options);
  let writes: Promise<boolean> | undefined;
  let searchTools: Promise<readonly number[] | undefined> | undefined;
  return {
    client,
    deployment,
    origin,
    host: new URL(origin).host,
    isLocal: /^https?:\/\/(?:127\.|localhost|\[::1\])/.test(origin),
    extensionOrigin: client.profile.extensionOrigin,
    personaId: settings.personaId,
    documentSets: settings.documentSets,
    searchTools(signal) {
      searchTools ??= searchToolsOf(deployment, signal).catch(() => {
        // Asked again with the next question: this time the server may answer.
        searchTools = undefined;
        return undefined;
      });
      return searchTools;
    },
    async offered(hasPage) {
      writes ??= deployment.whoami().then(
        // Deployed servers are nothing without a model, and say nothing of it.
        ({ answered_by: by }) => by !== "quotes",
        () => false,
      );
      return offeredOf(hasPage, await writes);
    },
    giveFeedback: (feedback) => deployment.giveFeedback(feedback),
  };
}

/** Undefined where the server lists no tool that only searches: its own choice of tools holds then. */
async function searchToolsOf(deployment: Deployment, signal: AbortSignal): Promise<readonly number[] | undefined> {
  const tools = await deployment.tools({ signal });
  const ids = tools.filter((tool) => tool.in_code_tool_id === SEARCH_TOOL).map(({ id }) => id);
  return ids.length === 0 ? undefined : ids;
}
