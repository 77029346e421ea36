import { backoffMs } from "@threadlore/client/delay";
import { deliver, type Delivery } from "./delivery.ts";
import { markSent, postpone, readDocument, readOutbox } from "./outbox.ts";
import type { OutboxEntry, Problem } from "./outbox-entry.ts";
import { PAUSE, pause } from "./pause.ts";
import { readConnection, type Connection } from "../settings/settings.ts";

/** What sending did, for whoever shows it. */
export interface Sent {
  /** Entries that arrived. */
  readonly arrived: readonly OutboxEntry[];
  /** When to try again, milliseconds since 1970; undefined: nothing waits that could be sent. */
  readonly nextAt: number | undefined;
}

/** Delay before something is tried once more for the first time, milliseconds; it doubles up to an hour. */
const FIRST_DELAY_MS = 5_000;
const MAX_DELAY_MS = 3_600_000;
/** The same where it is looked for: servers whose index is away need longer than a moment. */
const FIRST_LOOK_MS = 30_000;

/**
 * Sends what is due, one after the other, to the service that is set up now and only what was queued for it. Stops
 * with the first failure that would meet the others as well.
 */
export async function sendOutbox(now: () => number = Date.now, send: typeof fetch = fetch): Promise<Sent> {
  const connection = await readConnection();
  const arrived: OutboxEntry[] = [];
  if (connection === undefined || (await PAUSE.read()) !== undefined) return { arrived, nextAt: undefined };
  const due = async () => (await waitingFor(connection)).find((entry) => entry.sendAfter <= now());
  for (let entry = await due(); entry !== undefined; entry = await due()) {
    const document = await readDocument(entry);
    // Taken back, or queued anew, a moment ago.
    if (document === undefined) continue;
    const delivery = await deliver(entry, document, connection, send);
    if (delivery.outcome === "accepted") {
      await markSent(entry, delivery, now());
      arrived.push(entry);
    } else if (delivery.outcome === "unconfirmed") {
      await sendLater(entry, now());
    } else if (!(await putOff(entry, delivery, now))) {
      break;
    }
  }
  if ((await PAUSE.read()) !== undefined) return { arrived, nextAt: undefined };
  const next = Math.min(...(await waitingFor(connection)).map(({ sendAfter }) => sendAfter));
  return { arrived, nextAt: Number.isFinite(next) ? next : undefined };
}

/** Entries for this service that can be sent sooner or later, those due first in front. */
async function waitingFor({ origin }: Connection): Promise<OutboxEntry[]> {
  const entries = (await readOutbox()).filter((entry) => entry.origin === origin && entry.state === "waiting");
  return entries.toSorted((one, other) => one.sendAfter - other.sendAfter);
}

/** Keeps an entry that was not taken. Answers whether the next one may fare better. */
async function putOff(
  entry: OutboxEntry,
  delivery: Exclude<Delivery, { outcome: "accepted" | "unconfirmed" }>,
  now: () => number,
): Promise<boolean> {
  const { outcome, problem } = delivery;
  const attempts = entry.attempts + 1;
  if (outcome === "stopped") {
    await postpone(entry, { attempts, problem, state: "stopped" });
    return true;
  }
  if (outcome === "key-refused") {
    await postpone(entry, { attempts, problem });
    await pause(entry.origin, now());
    return false;
  }
  const wait = delivery.retryAfterMs ?? backoffMs(attempts - 1, { baseMs: FIRST_DELAY_MS, capMs: MAX_DELAY_MS });
  await postpone(entry, { attempts, problem, sendAfter: now() + wait });
  await holdOthers(entry, problem, now() + wait);
  return false;
}

/** Keeps an entry that was answered for and is not found: it is sent again, ever more seldom, until it is. */
async function sendLater({ unconfirmed, ...entry }: OutboxEntry, now: number): Promise<void> {
  const times = (unconfirmed?.times ?? 0) + 1;
  const sendAfter = now + backoffMs(times - 1, { baseMs: FIRST_LOOK_MS, capMs: MAX_DELAY_MS });
  const since = unconfirmed?.since ?? now;
  await postpone(entry, { attempts: 0, sendAfter, problem: undefined, unconfirmed: { since, times } });
}

/** What is true of the server is true of every entry for it: none of them knocks again before the first does. */
async function holdOthers(first: OutboxEntry, problem: Problem, until: number): Promise<void> {
  for (const entry of await readOutbox()) {
    if (entry.origin !== first.origin || entry.state !== "waiting" || entry.sendAfter >= until) continue;
    await postpone(entry, { problem, sendAfter: until });
  }
}
