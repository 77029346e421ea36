import type { RunResult } from "@threadlore/inbox";
import type { BotContext } from "../../context.ts";
import { noteDoubts } from "../still-true/look-still-true.ts";
import { isRefused } from "../../knowledge-server/not-offered.ts";
import type { StillStep } from "../still-true/still-tasks.ts";

/** Somebody says that a message they had kept changes a kept answer: the server knows it first, then whoever owns that is asked. */
export async function doubtChanged(context: BotContext, step: StillStep<"doubted">): Promise<RunResult> {
  const { store, servers, log } = context;
  const { channel, ts, kept } = step;
  const pin = await store.findPin(channel, ts);
  // What is kept no more changes nothing.
  if (pin === undefined || pin.state === "tombstone") return "gone";
  try {
    await noteDoubts(context, await servers.ingest.kept.doubt(kept, pin.serverId ?? pin.documentId));
    return "done";
  } catch (error) {
    if (!isRefused(error)) throw error;
    log.warn("the server does not take that a message changes an answer", { channel, ts, error });
    return "gone";
  }
}
