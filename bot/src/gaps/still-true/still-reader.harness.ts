import { setTimeout as pause } from "node:timers/promises";
import type { Message } from "@threadlore/chat-workspace";
import type { Store } from "@threadlore/inbox";
import type { Ground } from "../../scenarios/kill.harness.ts";
import { buttonOf } from "../../testing/buttons.ts";

/** A newer document, and what it is about. */
interface Newer {
  readonly id: string;
  readonly question: string;
  readonly newer: { readonly title: string; readonly text: string };
  readonly contradicts: boolean;
}

/** The same, and the channel where it was brought. */
interface Brought extends Newer {
  readonly channel: string;
}

/** What somebody was asked about what they brought. */
export interface Asked {
  /** Newer documents below which they were asked, each as often as that was. */
  readonly offered: readonly string[];
  /** Those of them where nothing that was shown is true. */
  readonly inVain: readonly string[];
  /** Those where they said that it changes the kept answer. */
  readonly pressed: ReadonlySet<string>;
}

const CHANGES = "Does this change what is kept?";
/** A channel has no more than a hundred. */
const PINS = 90;

/**
 * Somebody who brings newer documents as messages they pin, has read them and the answers, and says what is true: where the
 * answer of the same pair is among what they are shown, and the document contradicts it, they press; and nothing else.
 */
export function startReader({ workspace }: Ground, others: readonly string[]) {
  const reader = workspace.addUser({ name: "reads" });
  const members = [reader.user.id, ...others];
  const channels: string[] = [];
  const brought = new Map<string, Brought>();
  /** What they were shown, by its message; `at`: the row that is true. */
  const shown = new Map<string, { readonly of: Brought; readonly at: number; isDone: boolean }>();
  const look = async (): Promise<void> => {
    const offers = channels.flatMap((channel) => reader.ephemerals(channel)).filter(({ text }) => text === CHANGES);
    // A bot that was slow to acknowledge a press has thanked for it all the same.
    for (const [ts, seen] of shown) seen.isDone ||= offers.every((offer) => offer.ts !== ts);
    for (const offer of offers) {
      const seen = shown.get(offer.ts) ?? readOffer(offer, brought);
      if (seen === undefined || seen.isDone) continue;
      shown.set(offer.ts, seen);
      const action = `kept_changed_${seen.at}`;
      const { channel } = seen.of;
      const press = async (): Promise<void> => reader.press({ channel, ts: offer.ts }, action, buttonOf(offer, action));
      // A press that no bot takes is done again.
      seen.isDone =
        seen.at < 0 ||
        (await press().then(
          () => true,
          () => false,
        ));
    }
  };
  const over = new AbortController();
  const looking = (async () => {
    while (!over.signal.aborted) {
      await look();
      await pause(50);
    }
  })();
  return {
    async bring(newer: Newer): Promise<void> {
      if (brought.size % PINS === 0) {
        channels.push(workspace.addChannel({ name: `news-${channels.length}`, members, withApp: true }).id);
      }
      const channel = channels.at(-1) ?? "";
      const ts = await reader.say(channel, `${newer.newer.title}\n${newer.newer.text}`);
      brought.set(ts, { ...newer, channel });
      await reader.pin(channel, ts);
    },
    /** What is still to come of what they brought, in words; empty: everything can be found, and nobody waits for anything. */
    async missing(store: Store): Promise<string> {
      const pins = await Promise.all([...brought].map(([ts, { channel }]) => store.findPin(channel, ts)));
      const { waiting, running } = await store.backlog();
      const counts = {
        pins: pins.filter((pin) => pin?.state !== "indexed").length,
        tasks: waiting + running,
        offers: [...shown.values()].filter(({ isDone }) => !isDone).length,
      };
      return Object.values(counts).some((count) => count > 0) ? JSON.stringify(counts) : "";
    },
    async end(): Promise<void> {
      over.abort();
      await looking;
    },
    asked(): Asked {
      const all = [...shown.values()];
      const ids = (some: typeof all): string[] => some.map(({ of }) => of.id);
      return {
        offered: ids(all),
        inVain: ids(all.filter(({ at }) => at < 0)),
        pressed: new Set(ids(all.filter(({ at }) => at >= 0))),
      };
    },
    /** What others than they were shown of it. */
    seenByOthers: (people: readonly { ephemerals(): readonly Message[] }[]): number =>
      people.flatMap((one) => one.ephemerals()).filter(({ text }) => text === CHANGES).length,
  };
}

function readOffer({ blocks }: Message, brought: ReadonlyMap<string, Brought>) {
  const [head, ...rows] = (blocks as unknown as readonly object[]).map((block) => JSON.stringify(block));
  const of = [...brought].find(([ts]) => head?.includes(`p${ts.replace(".", "")}`))?.[1];
  if (of === undefined) return undefined;
  const at = of.contradicts ? rows.findIndex((row) => row.includes(of.question)) : -1;
  return { of, at, isDone: false };
}
