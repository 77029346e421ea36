import type { Store } from "@threadlore/inbox";
import { ConfigError } from "../settings/config.ts";
import type { Self } from "../slack/read/self.ts";

/** Where it is kept which workspace a database is of. */
const MARK = "workspace";

/**
 * Makes a database this workspace's, where it is nobody's yet. Throws ConfigError where it is another's: what is asked there
 * would be done with this one's token, and would go with the other one when that uninstalls its app.
 */
export async function claimDatabase(
  store: Store,
  { teamId, teamName }: Pick<Self, "teamId" | "teamName">,
): Promise<void> {
  const known = await store.recall(MARK);
  if (known === undefined) return store.remember(MARK, JSON.stringify({ teamId, teamName }), { lasting: true });
  const { teamId: other, teamName: called = "" } = JSON.parse(known) as Partial<Self>;
  if (other === teamId) return;
  throw new ConfigError([
    `DATABASE_URL is the database of another workspace, ${called || "?"} (${other ?? "?"}); SLACK_BOT_TOKEN is of ${teamName || "?"} (${teamId}). Each workspace has a bot and a database of its own: set another DATABASE_URL, or the token of that workspace.`,
  ]);
}
