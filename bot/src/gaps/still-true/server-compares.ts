import type { BotContext } from "../../context.ts";
import { isNotOffered } from "../../knowledge-server/not-offered.ts";

/** Whether the server looks which newer documents contradict kept answers, and tells the bot. One that is away may. */
export async function comparesDocuments({ servers }: Pick<BotContext, "servers">): Promise<boolean> {
  try {
    await servers.ingest.kept.list({ state: "doubted", most: 1 });
    return true;
  } catch (error) {
    return !isNotOffered(error);
  }
}
