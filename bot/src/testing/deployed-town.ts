import { afterThisTest, type DeployedServer, type Settings, startDeployedServer } from "@threadlore/testkit";
import { startTown, type Town, type TownOptions } from "./running-bot.ts";

/** A workspace whose bot asks a deployed server. */
export interface DeployedTown extends Town {
  readonly server: DeployedServer;
  /** Lines of the bot's log, oldest first. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** What `/health` says now. */
  health(): Promise<{ ok: boolean; problems: string[]; server: Health }>;
}

interface Health {
  ok: boolean | "unknown";
  findings: { what: string; ok: boolean | "unknown"; evidence: string; fix: string }[];
}

/** Channel for administrators. */
export const ADMINS = "C0000ADMIN";
/** Answered from the documents of these servers. */
export const LEAVE = "How many days of annual leave do I have?";

/** How to start one. */
export interface DeployedTownOptions extends Omit<TownOptions, "env"> {
  readonly settings?: Partial<Settings>;
  readonly server?: DeployedServer;
  /** Over what is set by default: the address without `/api`, a member's key, an administrator's to ingest with. */
  readonly env?: (server: DeployedServer) => Readonly<Record<string, string>>;
}

/** Starts a server, a workspace and the bot; all of it is ended after the test. */
export async function startDeployedTown(options: DeployedTownOptions = {}): Promise<DeployedTown> {
  const { env, settings, server = await startDeployedServer(settings), parts, ...rest } = options;
  afterThisTest(() => server.close());
  // What people tell one key is not what these tests are about, but where they say so.
  for (const key of Object.values(server.keys)) forgetful(server, key);
  server.addDocument({
    id: "leave",
    title: "Leave",
    text: "Everybody has thirty days of annual leave. Ask your team lead for longer leave.",
    link: "https://handbook.example/leave",
  });
  server.addDocument({
    id: "travel",
    title: "Travel",
    text: "Train tickets for business travel are booked second class by the office.",
    link: "https://handbook.example/travel",
  });
  const lines: Record<string, unknown>[] = [];
  const town = await startTown({
    ...rest,
    env: {
      THREADLORE_URL: server.origin,
      THREADLORE_KEY: server.keys.member,
      THREADLORE_DM_KEY: server.keys.member,
      THREADLORE_INGEST_KEY: server.keys.admin,
      THREADLORE_PROFILE: "deployed",
      THREADLORE_PAIR: "none",
      OPERATIONS_PORT: "0",
      ADMIN_CHANNEL: ADMINS,
      LOG_LEVEL: "info",
      QUESTIONS_PER_USER: "off",
      ...env?.(server),
    },
    onLog: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
    parts: {
      serverFetch: (request) => fetch(request),
      // Every question looks at its key: what a test changes holds at once.
      watchTimes: { everyMs: 100, freshMs: 0 },
      ...parts,
    },
  });
  afterThisTest(() => town.close());
  return Object.assign(town, {
    server,
    lines,
    async health() {
      const reply = await fetch(`${town.bot.operationsUrl}/health`);
      return (await reply.json()) as { ok: boolean; problems: string[]; server: Health };
    },
  });
}

/** A key whose account remembers nothing. */
export function forgetful(server: DeployedServer, key: string): string {
  const { personalization } = server.account(key);
  personalization.use_memories = false;
  personalization.enable_memory_tool = false;
  return key;
}
