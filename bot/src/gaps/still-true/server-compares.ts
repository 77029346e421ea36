import {
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  UnsupportedError,
  WrongBaseUrlError,
} from "@threadlore/client";
import type { BotContext } from "../../context.ts";

/** Whether it says that the server has no doubts about kept answers to tell the bot, now and later. */
export const tellsNoDoubts = (error: unknown): boolean =>
  [UnsupportedError, PermissionError, WrongBaseUrlError].some((kind) => error instanceof kind);

/** Whether it says that the server knows no kept answers, or not this one, or not this document. */
export const knowsNoneSuch = (error: unknown): boolean =>
  tellsNoDoubts(error) || error instanceof NotFoundError || error instanceof InvalidRequestError;

/** Whether the server looks which newer documents contradict kept answers, and tells the bot. One that is away may. */
export async function comparesDocuments({ servers }: Pick<BotContext, "servers">): Promise<boolean> {
  try {
    await servers.ingest.kept.list({ state: "doubted", most: 1 });
    return true;
  } catch (error) {
    return !tellsNoDoubts(error);
  }
}
