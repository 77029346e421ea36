import type { Store } from "@threadlore/inbox";
import type { Command } from "commander";
import { accountName } from "../accounts/account-name.ts";
import { readConfig } from "../settings/config.ts";
import { type CommandIo, UsageError } from "../settings/command-line.ts";

/** `threadlore-bot accounts`: which accounts people connected, and forgetting one person's. No token is ever shown. */
export function addAccountsCommand(program: Command, surroundings: CommandIo): void {
  const accounts = program
    .command("accounts")
    .summary("list the accounts people connected, or forget one")
    .description("Accounts of the knowledge server that people connected on the bot's Home. Tokens are never shown.");
  accounts
    .command("list")
    .summary("whose accounts are connected, and since when")
    .option("--json", "one JSON document on stdout")
    .action(async ({ json }: { json?: boolean }) => {
      const listed = await withStore(surroundings, async (store) =>
        (await store.allAccounts()).map(({ holder, facts, connectedAt }) => {
          const { name, refusedAt } = factsIn(facts);
          const [team = "", user = ""] = holder.split(":");
          return { team, user, name, since: new Date(connectedAt).toISOString(), isRefused: refusedAt !== undefined };
        }),
      );
      if (json === true) surroundings.out(`${JSON.stringify(listed, undefined, 2)}\n`);
      else if (listed.length === 0) surroundings.out("Nobody has connected an account.\n");
      else {
        const lines = listed.map((one) => `${one.user}  ${one.name}  since ${one.since.slice(0, 10)}${again(one)}\n`);
        surroundings.out(lines.join(""));
      }
    });
  accounts
    .command("forget")
    .summary("forget somebody's account, and what is noted of what was asked with it")
    .argument("<user>", "their id in Slack, such as U0ANNA")
    .action(async (user: string) => {
      const forgotten = await withStore(surroundings, (store, config) => forget(store, config, user));
      if (forgotten === undefined) {
        throw new UsageError(`${user} has connected no account. See: threadlore-bot accounts list`);
      }
      surroundings.out(`The account of ${user} is forgotten, and what was noted of it.\n`);
      if (!forgotten.isEnded) surroundings.out(NOT_ENDED);
    });
}

const again = ({ isRefused }: { isRefused: boolean }): string => (isRefused ? "  (to be connected again)" : "");

type Config = Awaited<ReturnType<typeof readConfig>>;

async function withStore<Result>(
  surroundings: CommandIo,
  work: (store: Store, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = await readConfig(surroundings);
  // The database's client takes a while to load; the other commands need none.
  const { openStore } = await import("@threadlore/inbox");
  const store = await openStore(config.database);
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

const NOT_ENDED =
  "The server gave the bot a key for it, and could not be told that it is over. End it there: its person in the list of their keys, or whoever runs the server.\n";

/** Undefined: there was none. `isEnded`: nothing of it is good for anything any more, at the server neither. */
async function forget(store: Store, config: Config, user: string): Promise<{ readonly isEnded: boolean } | undefined> {
  const { createVault } = await import("../accounts/vault.ts");
  const { connectionIn } = await import("../accounts/question-key.ts");
  const { withoutConversation } = await import("../ask/turn.ts");
  const { createAddress } = await import("../knowledge-server/servers.ts");
  let isThere = false;
  let isEnded = true;
  for (const { holder } of await store.allAccounts()) {
    const [team = "", whose] = holder.split(":");
    if (whose !== user) continue;
    const former = await createVault({ config, store, team, now: Date.now }).remove(user);
    if (former === undefined) continue;
    isThere = true;
    await store.forgetNotesOf(connectionIn(former.key), withoutConversation);
    if (former.toEnd === undefined) continue;
    try {
      const address = createAddress(config);
      await address.find();
      const { allowPlainHttp } = config.server;
      const { endOwnKey } = await import("@threadlore/client/sign-in");
      await endOwnKey({ baseUrl: address.baseUrl, allowPlainHttp, apiKey: former.toEnd });
    } catch (error) {
      // What the server does not know any more is over.
      isEnded &&= error instanceof Error && error.name === "AuthError";
    }
  }
  return isThere ? { isEnded } : undefined;
}

function factsIn(facts: unknown): { readonly name: string; readonly refusedAt?: number } {
  const { name, refusedAt } = Object(facts) as { readonly name?: unknown; readonly refusedAt?: unknown };
  return {
    name: typeof name === "string" ? accountName(name) : "?",
    ...(typeof refusedAt === "number" && { refusedAt }),
  };
}
