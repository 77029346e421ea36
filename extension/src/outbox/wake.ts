import { browser } from "wxt/browser";

/** Said to the worker by the extension's own pages: something changed in the outbox. */
export const WAKE = "outbox-changed";

/** The alarm that looks at the outbox while something is in it. */
export const OUTBOX_ALARM = "outbox";

/** The shortest period browsers allow. */
const HALF_A_MINUTE = 0.5;

let ownWake: (() => void) | undefined;

/** Sets the alarm that brings the worker back, however it ended. */
export async function armAlarm(): Promise<void> {
  if ((await browser.alarms.get(OUTBOX_ALARM)) !== undefined) return;
  await browser.alarms.create(OUTBOX_ALARM, { periodInMinutes: HALF_A_MINUTE });
}

/** Tells the worker to look at the outbox now. Where it cannot hear, its alarm will tell it. */
export async function wakeBackground(): Promise<void> {
  if (ownWake !== undefined) ownWake();
  else await browser.runtime.sendMessage(WAKE).catch(() => {});
}

/** Said by the worker about itself: it gets no messages of its own. */
export function wakeHere(wake: () => void): void {
  ownWake = wake;
}
