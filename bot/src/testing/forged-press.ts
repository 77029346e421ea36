import type { Person, Workspace } from "@threadlore/chat-workspace";
import type { Bot } from "../bot.ts";

/** Presses of a button that may never have stood anywhere, with a signature that is good: who, where, with which value. */
export async function forgedPresses(
  workspace: Workspace,
  { eventUrl: url = "" }: Pick<Bot, "eventUrl">,
  action: string,
): Promise<(who: Person, channel: string, value: string) => Promise<void>> {
  await workspace.useRequestUrl(url);
  let sent = 0;
  return async ({ user }, channel, value) => {
    sent += 1;
    const payload = {
      type: "block_actions",
      team: { id: workspace.team.id },
      api_app_id: workspace.app.appId,
      user: { id: user.id, team_id: workspace.team.id },
      channel: { id: channel },
      container: { type: "message", channel_id: channel, message_ts: "1.1", is_ephemeral: true },
      trigger_id: `${sent}.1.a`,
      response_url: `${workspace.url}/response/none`,
      actions: [{ type: "button", action_id: action, block_id: "b", value, action_ts: `${sent}.1` }],
    };
    const form = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    await workspace.postSigned(url, form, { contentType: "application/x-www-form-urlencoded" });
  };
}
