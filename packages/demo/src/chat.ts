import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ALL_FEATURES, type Bot, createBot, createLog, createManifest, readConfig, secretsOf } from "@threadlore/bot";
import {
  type Channel,
  type Person,
  startWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from "@threadlore/chat-workspace";
import { type Terminal, withOwner } from "@threadlore/cli";
import { pairNamed, type Reachable } from "./handbook.ts";

const RULES = fileURLToPath(new URL("../chat-rules.yaml", import.meta.url));

/** Connector, pair and name of what is pinned. */
const PINS = "Pinned messages";

/** A chat workspace with the bot in it. */
export interface Chat {
  readonly workspace: Workspace;
  readonly bot: Bot;
  /** Ends the bot, then the workspace; what was said is kept. */
  close(): Promise<void>;
}

/** How to open a {@link Chat}. */
export interface ChatOptions {
  /** Port of the page. Taken: any other one is used. */
  readonly port: number;
  readonly service: Reachable;
}

/**
 * Opens the chat workspace with the bot in it, talking to the service. Channels, messages and what the bot remembers
 * are kept beside the service's data. The app is installed from the bot's own manifest: what that does not ask for, the
 * bot does not get.
 */
export async function openChat(terminal: Terminal, { port, service }: ChatOptions): Promise<Chat> {
  const workspace = await startOnFreePort(port, {
    teamName: "Tidewell",
    file: join(service.files.folder, "workspace"),
    seed: randomSeed(),
    app: installation(),
  });
  try {
    furnish(workspace);
    const rulesFile = await rulesWith(workspace, service.files.folder);
    const pair = await withOwner(terminal, service.files.folder, (owner) => pairNamed(owner, PINS, "slack"));
    const config = await readConfig({
      folder: service.files.folder,
      env: {
        SLACK_BOT_TOKEN: workspace.credentials.botToken,
        SLACK_APP_TOKEN: workspace.credentials.appToken,
        SLACK_API_URL: workspace.slackApiUrl,
        THREADLORE_URL: service.url,
        THREADLORE_KEY: service.apiKey,
        THREADLORE_INGEST_KEY: service.apiKey,
        THREADLORE_PAIR: String(pair),
        RULES_FILE: rulesFile,
        DATABASE_URL: `sqlite:${join(service.files.folder, "bot.db")}`,
        OPERATIONS_PORT: "off",
        LOG_LEVEL: "error",
      },
    });
    const log = createLog({
      level: config.logLevel,
      secrets: secretsOf(config),
      to: { write: (line) => terminal.err.write(line) },
    });
    const bot = await createBot(config, { log });
    await bot.start();
    return {
      workspace,
      bot,
      close: async () => {
        await bot.stop();
        await workspace.close();
      },
    };
  } catch (error) {
    await workspace.close();
    throw error;
  }
}

/**
 * The rules in the data folder, to be played with: made once, with Jon as the one who is asked when nobody has written
 * something down. Who he is, by his id, differs from one workspace to another.
 */
async function rulesWith(workspace: Workspace, folder: string): Promise<string> {
  const file = join(folder, "chat-rules.yaml");
  const jon = workspace.people().find(({ user }) => user.name === HELPER)?.user;
  const helpers = jon === undefined ? "" : `  helpers: [${jon.id}] # ${jon.realName}\n`;
  const general = workspace.channels().find(({ name }) => name === "general");
  const panel = general === undefined || helpers === "" ? "" : `panel_questions: ${general.id} # ${general.name}\n`;
  await writeFile(file, `${await readFile(RULES, "utf8")}${helpers}${panel}`, { flag: "wx" }).catch(
    (error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    },
  );
  return file;
}

/** Account of whoever is asked. */
const HELPER = "jon";

async function startOnFreePort(port: number, options: WorkspaceOptions): Promise<Workspace> {
  try {
    return await startWorkspace({ ...options, port });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const taken = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
    if (!taken) throw error;
    return startWorkspace({ ...options, port: 0 });
  }
}

/** Everything but what needs an address of the web: previews of links, and Slack's own assistant. */
const FEATURES = ALL_FEATURES.filter((feature) => feature !== "previews" && feature !== "assistant");

/** The app as its manifest has it installed. */
function installation(): WorkspaceOptions["app"] {
  const {
    display_information: about,
    features,
    oauth_config: oauth,
    settings,
  } = createManifest({ features: FEATURES });
  const { search } = features;
  return {
    name: about.name,
    // Whoever installs it here leaves nothing out.
    scopes: [...oauth.scopes.bot, ...(oauth.scopes.bot_optional ?? [])],
    events: settings.event_subscriptions.bot_events,
    commands: features.slash_commands?.map(({ command }) => command) ?? [],
    ...(search !== undefined && {
      search: {
        callbackId: search.search_function_callback_id,
        filtersCallbackId: search.search_filters_function_callback_id,
      },
    }),
    shortcuts: features.shortcuts?.map(({ name, callback_id: callbackId, type }) => ({ name, callbackId, type })) ?? [],
  };
}

/** Tokens of the workspace are made from it, so nobody should guess it. */
function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
}

/** What is to be pinned: nothing in the handbook says it. */
const KEY_NEWS =
  "The spare key to the tide hut hangs behind the blue door in the workshop. Please sign it out on the list.";

/** Puts people, channels and a few words in where there are none yet. */
function furnish(workspace: Workspace): void {
  if (workspace.people().length > 0) return;
  const [you, mara, jon]: Person[] = [
    workspace.addUser({ name: "you", realName: "Robin Vale", kind: "admin", email: "robin@tidewell.example" }),
    workspace.addUser({ name: "mara", realName: "Mara Lind", email: "mara@tidewell.example" }),
    workspace.addUser({ name: HELPER, realName: "Jon Okafor", email: "jon@tidewell.example" }),
  ];
  const everybody = [you, mara, jon].flatMap((person) => (person === undefined ? [] : [person.user.id]));
  const general: Channel = workspace.addChannel({ name: "general", members: everybody, withApp: true });
  workspace.addChannel({ name: "it-help", members: everybody, withApp: true });
  void mara?.say(general.id, KEY_NEWS);
}
