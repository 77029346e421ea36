import type { WebClient } from "@slack/web-api";

/** Who the bot is in its workspace. */
export type Self = Readonly<Awaited<ReturnType<typeof whoAmI>>>;

/** Who the bot is, from the platform. Rejects as the platform does, and where the token is not a bot's. */
export async function whoAmI(client: WebClient) {
  const reply = await client.auth.test();
  const { team_id: teamId, team: teamName = "", user: name, user_id: userId, bot_id: botId, url = "" } = reply;
  if (teamId === undefined || userId === undefined || botId === undefined) {
    throw new Error("auth.test names no bot: SLACK_BOT_TOKEN has to be a bot's token (xoxb-).");
  }
  // Only this tells the app; without it deliveries are told from those of others by their workspace alone.
  const appId = await client.bots.info({ bot: botId }).then(
    ({ bot }) => bot?.app_id,
    () => undefined,
  );
  // Installed for a whole organisation, it hears of people in all its workspaces.
  const organisation = reply.is_enterprise_install === true ? reply.enterprise_id : undefined;
  /** `organisation`: id of the one it is installed for as a whole; `name`: what people call it; `url`: of the workspace, with a trailing slash: `https://example.slack.com/`. */
  return { teamId, teamName, name, userId, botId, appId, url, ...(organisation !== undefined && { organisation }) };
}
