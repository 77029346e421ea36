/** The panel's conversation with a deployed server, over real HTTP and without a browser. Import this first. */
import { freshBrowser } from "../../testing/fake-browser.ts";
import { fileURLToPath } from "node:url";
import { type ContextPage, pageContext } from "@threadlore/documents";
import { afterThisTest, type DeployedServer, type Settings, startDeployedServer } from "@threadlore/testkit";
import { parseMessagesFile } from "@wxt-dev/i18n/build";
import { DEFAULT_SETTINGS } from "../../settings/settings.ts";
import { answering } from "./answering.ts";
import { Conversation } from "./conversation.ts";
import type { PagesRead } from "./conversation-world.ts";
import { causeOf, WORDS } from "./failure-words.ts";
import { History } from "../history/history.ts";
import * as historyStore from "../history/history-store.ts";
import * as serverHistory from "../history/server-history.ts";
import { type ServiceAccess, serviceAccess } from "../connection/service-access.ts";
import type { HeldTurn, Scope, Turn } from "./turn.ts";
import { signal } from "@preact/signals";

/** What a question can be about. */
export const BOTH: Scope = { page: true, company: true };
export const PAGE: Scope = { page: true, company: false };
export const COMPANY: Scope = { page: false, company: true };

const PLAN: ContextPage = {
  title: "Release plan",
  url: "https://wiki.example.com/plan",
  parts: [{ level: 0, heading: "", text: "The release of version four is planned for the twelfth of March." }],
  extent: "main",
  cut: false,
};

/** A conversation, and what was kept of it. */
export interface DeployedTalk {
  readonly conversation: Conversation;
  readonly access: ServiceAccess;
  readonly history: History;
  last(): Turn;
  /** Status of the newest answer. */
  status(): string;
  text(): string;
  /** What is said in place of the newest answer, in English; "" where nothing is. */
  said(): string;
  /** Goes on with another key, as the settings would. */
  use(key: string): void;
  /** As it was held last, for another panel to go on with. */
  held(): { readonly turns: readonly HeldTurn[]; readonly place: { readonly chatSessionId?: string } };
}

/** How a conversation is held. */
export interface TalkOptions {
  /** Default: the member's key. */
  readonly key?: string;
  /** Default: the server's own. */
  readonly baseUrl?: string;
  readonly isPrivate?: boolean;
  /** Happens while the pages are read. */
  readonly whileReading?: () => void;
  /** Default: 2,000. */
  readonly patienceMs?: number;
}

/** A deployed server of this test, which fails where a question was asked while the server was still answering it. */
export async function startServer(settings: Partial<Settings> = {}): Promise<DeployedServer> {
  await freshBrowser();
  const server = await startDeployedServer(settings);
  afterThisTest(async () => {
    await server.close();
    const twice = server.questions.filter(({ whileRunning }) => whileRunning);
    if (twice.length > 0) throw new Error(`Asked twice: ${twice.map(({ message }) => message).join(", ")}`);
  });
  server.addDocument({
    id: "travel",
    title: "Travel costs",
    text: "Travel costs are paid back within ten days.",
    link: "https://wiki.example.com/travel",
  });
  return server;
}

/** A panel that talks to the server, as far as it needs no screen. */
export function talkTo(server: DeployedServer, options: TalkOptions = {}): DeployedTalk {
  const { key = server.keys.member, baseUrl = server.url, isPrivate = false, patienceMs = 2_000 } = options;
  const { origin } = new URL(baseUrl);
  const accessWith = (askKey: string) => {
    const connection = {
      baseUrl,
      given: baseUrl,
      isFound: false,
      origin,
      ingestionPath: "/onyx-api/ingestion",
      askKey,
      ingestKey: askKey,
    };
    return serviceAccess(connection, { ...DEFAULT_SETTINGS, baseUrl, managed: new Set() });
  };
  let access = accessWith(key);
  let turns: readonly HeldTurn[] = [];
  let place = {};
  const { text, leftOut, passages } = pageContext([PLAN], "?");
  const read: PagesRead = {
    context: text,
    pages: {
      asked: [{ title: PLAN.title, url: PLAN.url, passages: passages[0] ?? [] }],
      leftOut,
      unread: [],
    },
  };
  const conversation = new Conversation(
    {
      service: () => access,
      settle: (scope) => Promise.resolve(scope),
      readPages() {
        options.whileReading?.();
        return Promise.resolve(read);
      },
      isPrivate: () => Promise.resolve(isPrivate),
      keep(held, where) {
        turns = structuredClone(held);
        place = where;
      },
      frame: { schedule: (work) => work(), flush: () => {}, breathe: () => undefined },
      patienceMs,
    },
    () => Promise.resolve(answering),
  );
  const last = () => {
    const turn = conversation.turns.value.at(-1);
    if (turn === undefined) throw new Error("Nothing was asked.");
    return turn;
  };
  return {
    conversation,
    get access() {
      return access;
    },
    use: (other) => void (access = accessWith(other)),
    history: new History(signal(access), () => Promise.resolve({ ...historyStore, ...serverHistory })),
    last,
    status: () => last().answer.value.status,
    text: () => last().answer.value.text,
    said() {
      const { text: come, failure } = last().answer.value;
      if (failure === undefined) return "";
      const [title, what] = WORDS[causeOf(failure, come.trim() !== "")];
      return `${english(title)}. ${what === undefined ? failure.message : english(what)}`;
    },
    held: () => ({ turns, place }),
  };
}

const LOCALE = await parseMessagesFile(fileURLToPath(new URL("../../../locales/en.yml", import.meta.url)));

/** A text of the panel, in English. */
function english(key: string): string {
  const found = LOCALE.find((message) => message.key.join(".") === key);
  if (found?.type !== "simple") throw new Error(`There is no text ${key}.`);
  return found.message;
}

/** The questions as the server saw them, oldest first. */
export function asked({ questions }: DeployedServer): readonly string[] {
  return questions.map(({ message }) => message);
}
