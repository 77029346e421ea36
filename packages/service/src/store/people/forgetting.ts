import type { Log } from "../../log.ts";
import { startRepeating } from "../../repeated.ts";
import type { Store } from "../store.ts";
import { forgetRemoved } from "./removal.ts";

/** From the start to the first look, and from one to the next. Milliseconds. */
const FIRST_MS = 60_000;
const EVERY_MS = 3_600_000;

/** Looks now and then for what requests left of people who were removed while they went on. Answers what ends it. */
export function startForgetting(store: Store, log: Log): () => void {
  const told = (cause: unknown): void => {
    log.warn("what is left of removed people stays for now", { cause });
  };
  return startRepeating(() => forgetRemoved(store), { firstMs: FIRST_MS, everyMs: EVERY_MS, told });
}
