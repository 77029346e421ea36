import { type Answer, linksOf } from "@threadlore/ask";
import type { KnownBlock } from "@slack/types";
import type { Turn } from "./running-turn.ts";
import { closingBlocks, context as contextBlock } from "../slack/render/blocks.ts";

/** Where it is kept who pressed Stop in a thread. */
export function stopMark(lane: string): string {
  return `stopped by:${lane}`;
}

/** What stands below an answer that somebody stopped: who that was, the sources so far, and a way to ask again. */
export async function stopTrace({ context, task }: Turn, answer: Answer): Promise<KnownBlock[]> {
  const { store, config } = context;
  const user = await store.recall(stopMark(task.lane), { since: task.acceptedAt }).catch(() => undefined);
  const links = linksOf(answer, { localHosts: config.slack.apiUrl !== undefined });
  return [
    ...(user === undefined ? [] : [contextBlock([`Stopped by <@${user}>.`])]),
    ...closingBlocks({ ...answer, status: "stopped" }, links, {
      ref: task.id,
      feedback: false,
      buttons: ["regenerate"],
    }),
  ];
}
