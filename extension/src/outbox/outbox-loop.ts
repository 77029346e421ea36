import { browser } from "wxt/browser";
import { readIntents } from "../keep/intents.ts";
import { readOutbox } from "./outbox.ts";
import { sendOutbox, type Sent } from "./send-outbox.ts";
import { armAlarm, OUTBOX_ALARM } from "./wake.ts";

let running: Promise<void> | undefined;
let again = false;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Sends what is due, now and when the next is, one run at a time. The worker may end at any moment of it: an alarm is
 * set for as long as anything waits. `told` hears of every run.
 */
export function runOutbox(told: (sent: Sent) => Promise<void>): Promise<void> {
  again = true;
  running ??= runUntilQuiet(told).finally(() => {
    running = undefined;
  });
  return running;
}

async function runUntilQuiet(told: (sent: Sent) => Promise<void>): Promise<void> {
  while (again) {
    again = false;
    if ((await readOutbox()).length === 0) {
      await rest();
      continue;
    }
    // Together: just after the browser's start, it takes seconds to say which alarms there are.
    const [sent] = await Promise.all([sendOutbox(), armAlarm()]);
    await told(sent);
    clearTimeout(timer);
    if (sent.nextAt !== undefined)
      timer = setTimeout(() => void runOutbox(told), Math.max(0, sent.nextAt - Date.now()));
    else if ((await readOutbox()).length === 0) await rest();
  }
}

/** Nothing waits: the worker may sleep for good. Looked at once more, as a page may have queued meanwhile. */
async function rest(): Promise<void> {
  if ((await readIntents()).some(({ pdf }) => pdf !== true)) return;
  await browser.alarms.clear(OUTBOX_ALARM);
  if ((await readOutbox()).length > 0) await armAlarm();
}
