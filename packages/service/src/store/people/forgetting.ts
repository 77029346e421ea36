import type { Log } from "../../log.ts";
import type { Store } from "../store.ts";
import { forgetRemoved } from "./removal.ts";

/** From the start to the first look, and from one to the next. Milliseconds. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/** Looks now and then for what requests left of people who were removed while they went on. Answers what ends it. */
export function startForgetting(store: Store, log: Log): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  const later = (ms: number): void => {
    timer = setTimeout(() => void look(), ms).unref();
  };
  const look = async (): Promise<void> => {
    await forgetRemoved(store).catch((cause: unknown) => {
      log.warn("what is left of removed people stays for now", { cause });
    });
    if (!isEnded) later(EVERY_MS);
  };
  later(FIRST_MS);
  return () => {
    isEnded = true;
    clearTimeout(timer);
  };
}
