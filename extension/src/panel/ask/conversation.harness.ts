/** The panel's conversation with the embedded service, without a browser. */
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import type { SendMessageInput } from "@threadlore/client/models";
import { type ContextPage, pageContext } from "@threadlore/documents";
import { createService, type Service as EmbeddedService } from "@threadlore/service";
import { answering } from "./answering.ts";
import type { Service, Wire } from "../connection/service.ts";
import { Conversation } from "./conversation.ts";
import type { ConversationWorld, PagesRead } from "./conversation-world.ts";
import type { Frame } from "./frame.ts";
import type { HeldTurn, TurnPages } from "./turn.ts";

/** The key of the service, and where it would listen. */
export const KEY = ["tl", "TESTowner"].join("_");
export const BASE = "http://127.0.0.1:8411";
const page = (name: string, title: string, text: string): ContextPage => ({
  title,
  url: `https://wiki.example.com/${name}`,
  parts: [{ level: 0, heading: "", text }],
  extent: "main",
  cut: false,
});
/** What is read, and what it says. */
export const SENTENCE = "The release of version four is planned for the twelfth of March.";
export const PLAN = page("plan", "Release plan", `${SENTENCE}\n\nAda Ames leads it.`);
export const GARDEN = page("garden", "Garden", "Beans are sown in the second week of May.");

/** What reading pages comes to. */
export function readOf(pages: readonly ContextPage[], unread: TurnPages["unread"] = []): PagesRead {
  const { text, leftOut, passages } = pageContext(pages, "?");
  const asked = pages.map(({ title, url }, index) => ({ title, url, passages: passages[index] ?? [] }));
  return { context: text, pages: { asked, leftOut, unread } };
}

let embedded: EmbeddedService;

/** Starts the service that is asked, with one document in it. Returns what ends it. */
export async function startEmbedded(): Promise<() => Promise<void>> {
  embedded = createService({ database: ":memory:", apiKey: KEY });
  const client = createClient({ baseUrl: BASE, apiKey: KEY, fetch: send });
  const sections = [{ text: "Travel costs are paid back within ten days.", link: "https://wiki.example.com/travel" }];
  await client.ingest({ document: { id: "travel", semantic_identifier: "Travel costs", sections } });
  await embedded.drain();
  return () => embedded.close();
}

/** To the service, past the wire. */
export const send: typeof fetch = (input, init) => embedded.fetch(new Request(input, init));

/** A request as it goes over the wire. */
const asJson = (request: SendMessageInput) => JSON.parse(JSON.stringify(request)) as SendMessageInput;

/** A conversation, with what was sent and kept of it. */
export interface Talk {
  readonly conversation: Conversation;
  readonly sent: readonly SendMessageInput[];
  readonly kept: () => readonly HeldTurn[];
}

/** A conversation with the real service, and what was sent to it. */
export function talk(
  read: PagesRead = readOf([PLAN]),
  { client: otherClient, ...change }: Partial<Service & Pick<Wire, "client">> = {},
  world: Partial<ConversationWorld> = {},
): Talk {
  const sent: SendMessageInput[] = [];
  let kept: readonly HeldTurn[] = [];
  const options = { baseUrl: BASE, apiKey: KEY, fetch: send };
  const client = createClient(options);
  const deployment = createDeployment(options);
  const recording: Wire["client"] = {
    streamMessage(request, given) {
      sent.push(asJson(request));
      return client.streamMessage(request, given);
    },
  };
  const service: Service = {
    wire: () => Promise.resolve({ client: otherClient ?? recording, deployment }),
    extensionOrigin: client.profile.extensionOrigin,
    personaId: null,
    documentSets: [],
    async searchTools(signal) {
      const tools = await deployment.tools({ signal });
      return { ids: tools.filter((tool) => tool.in_code_tool_id === "SearchTool").map(({ id }) => id) };
    },
    key: { look: () => Promise.resolve({ isThere: true, memory: "off", isShared: false, writes: true }) },
    giveFeedback: (feedback) => deployment.giveFeedback(feedback),
    ...change,
  };
  const conversation = new Conversation(
    {
      service: () => service,
      settle: (scope) => Promise.resolve(scope),
      readPages: () => Promise.resolve(read),
      isPrivate: () => Promise.resolve(false),
      keep: (turns) => (kept = turns),
      frame: everyTime(),
      ...world,
    },
    () => Promise.resolve(answering),
  );
  return { conversation, sent, kept: () => kept };
}

/** What a service says that is not there. */
export const unreachable = (): ReturnType<Wire["client"]["streamMessage"]> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new TypeError("fetch failed")) }),
});

/** Shows everything at once, as a screen would that is never late. */
export function everyTime(): Frame {
  return { schedule: (work) => work(), flush: () => {}, breathe: () => undefined };
}

/** What a question can be about. */
export const BOTH = { page: true, company: true };
export const PAGE = { page: true, company: false };
export const COMPANY = { page: false, company: true };
/** The newest turn. */
export const last = ({ conversation }: Talk) => {
  const turn = conversation.turns.value.at(-1);
  if (turn === undefined) throw new Error("Nothing was asked.");
  return turn;
};
