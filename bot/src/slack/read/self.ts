import type { WebClient } from "@slack/web-api";

/** Who the bot is in its workspace, from `auth.test`. */
export interface Self {
  readonly teamId: string;
  readonly teamName: string;
  /** What people call it; absent where the platform did not tell it. */
  readonly name?: string;
  readonly userId: string;
  readonly botId: string;
  /** Absent where the platform did not tell it. */
  readonly appId?: string;
  /** Address of the workspace, with a trailing slash: `https://example.slack.com/`. */
  readonly url: string;
}

/** Who the bot is, from the platform. Rejects as the platform does, and where the token is not a bot's. */
export async function whoAmI(client: WebClient): Promise<Self> {
  const reply = await client.auth.test();
  const { team_id: teamId, team, user_id: userId, bot_id: botId, url } = reply;
  if (teamId === undefined || userId === undefined || botId === undefined) {
    throw new Error("auth.test names no bot: SLACK_BOT_TOKEN has to be a bot's token (xoxb-).");
  }
  // Only this tells the app; without it deliveries are told from those of others by their workspace alone.
  const appId = await client.bots.info({ bot: botId }).then(
    ({ bot }) => bot?.app_id,
    () => undefined,
  );
  return {
    teamId,
    teamName: team ?? "",
    userId,
    botId,
    url: url ?? "",
    name: reply.user,
    appId,
  };
}
