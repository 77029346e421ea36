import { browser } from "wxt/browser";
import { watchArea } from "../storage/watch-area.ts";

/** The service has refused the key: nothing is sent until there is another one. */
export interface Pause {
  /** Origin of the service. */
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const PAUSE = "pause";

/** The pause that holds now, if one does. */
export async function readPause(): Promise<Pause | undefined> {
  return (await browser.storage.local.get(PAUSE))[PAUSE] as Pause | undefined;
}

/** Calls `listener` when a pause begins or ends. Returns how to stop that. */
export function watchPause(listener: () => void): () => void {
  return watchArea((changes, area) => {
    if (area === "local" && PAUSE in changes) listener();
  });
}

/** Pauses sending. One that holds already stays as it is, so that a person is asked once. */
export async function pause(origin: string, now: number): Promise<void> {
  if ((await readPause()) === undefined) await browser.storage.local.set({ [PAUSE]: { origin, since: now } });
}

/** Ends the pause: there is another key, or another service. */
export async function clearPause(): Promise<void> {
  await browser.storage.local.remove(PAUSE);
}
