import type { AnyBlock } from "@slack/types";
import type { BotContext } from "../../context.ts";

/**
 * Takes the buttons off every older message of a thread: only the newest answer can be judged, shared or asked again.
 * Best effort: a button that stays does what it did.
 */
export async function quietOlder(context: BotContext, channel: string, thread: string, newest: string): Promise<void> {
  const { clients, pacer, self, log, standing } = context;
  const all = standing.get(thread) ?? [];
  standing.set(
    thread,
    all.filter(({ ts }) => ts === newest),
  );
  for (const { ts, message } of all.filter((one) => one.ts !== newest)) {
    const blocks = (message.blocks ?? []).filter((block) => !isPressed(block));
    if (blocks.length === 0 || blocks.length === message.blocks?.length) continue;
    const call = { team: self.teamId, method: "chat.update", channel };
    await pacer
      .call(call, () => clients.posts.chat.update({ channel, ts, text: message.text, blocks }))
      .catch((error: unknown) => log.info("older answer keeps its buttons", { channel, ts, error }));
  }
}

const isPressed = ({ type }: AnyBlock): boolean => type === "actions" || type === "context_actions";
