import { setTimeout as pause } from "node:timers/promises";
import type { Person } from "@threadlore/chat-workspace";
import { openStore } from "@threadlore/inbox";
import { type Asked, type Ground, ownIn, prepare } from "../scenarios/kill.harness.ts";
import { heldWithin } from "../testing/held-within.ts";
import { KEYS } from "../testing/running-bot.ts";
import { closeGap } from "./tell-askers.ts";

/** What came of a loop of kills. */
export interface GapKillReport {
  readonly asked: number;
  /** Questions that were not noted, or more than once. */
  readonly miscounted: readonly string[];
  /** Askers who were told never, or more than once. */
  readonly mistold: readonly string[];
  /** Answers that are missing or doubled. */
  readonly misanswered: readonly string[];
}

/** How to kill. */
interface GapKills {
  readonly kills: number;
  readonly seed: number;
  /** Gaps are the server's; else the bot's own. */
  readonly isAtServer: boolean;
  /** Several bots share it: one goes on beside those that are killed. */
  readonly database?: string;
}

const TOPICS = [
  "Where is the spare key of the boat house?",
  "Who signs the travel form for Norway?",
  "How is the coffee machine on the third floor cleaned?",
];

interface Waiting extends Asked {
  readonly person: Person;
}

/**
 * Runs the real bot in processes that are killed at random points, `kills` times, while new people ask what nobody can answer
 * and gaps are closed; then lets the last one finish, and looks at who was told what.
 */
export async function gapKillLoop({ kills, seed, isAtServer, database }: GapKills): Promise<GapKillReport> {
  const ground = await prepare(seed, {
    HARNESS_LEASE_MS: "1500",
    ...(isAtServer && { THREADLORE_INGEST_KEY: KEYS.owner }),
    ...(database !== undefined && { DATABASE_URL: database }),
  });
  const { workspace, random } = ground;
  const store = await openStore(ground.database);
  const asked: Waiting[] = [];
  const accept = { inbox: { accept: (task: Parameters<typeof store.accept>[0]) => store.accept(task, Date.now()) } };
  const closed = new Set<string>();
  async function closeSome(isAll: boolean): Promise<void> {
    const askers = await Promise.all((await store.askersWaiting()).map(store.waitingOf));
    for (const { gap } of askers.flat()) {
      if (closed.has(gap) || (!isAll && random() < 0.7)) continue;
      closed.add(gap);
      const permalink = `https://team.example/archives/${asked[0]?.channel ?? ""}/p1700000000000100`;
      const closing = { documentId: "leave", title: "An answer", permalink, owner: "UNOBODY" };
      await closeGap(accept as unknown as Parameters<typeof closeGap>[0], gap, closing);
    }
  }
  let next = ground.load();
  const steady = database === undefined ? undefined : ground.load();
  try {
    await steady?.loaded;
    steady?.begin();
    for (let kill = 0; kill < kills; kill += 1) {
      const child = next;
      await child.loaded;
      next = ground.load();
      child.begin();
      asked.push(await ask(ground, asked.length));
      await pause(random() * 1_500);
      await closeSome(false);
      await pause(random() * 400);
      await child.kill();
    }
    await next.loaded;
    next.begin();
    const isNoted = async (): Promise<boolean> => (await notedOf(store, asked)).every((count) => count === 1);
    await heldWithin(120_000, isNoted);
    await closeSome(true);
    await heldWithin(120_000, () => asked.every((one) => toldIn(ground, one) > 0));
    // Whoever is told twice is told so soon after.
    await pause(2_000);
    const noted = await notedOf(store, asked);
    const wrong = (is: (one: Waiting, at: number) => boolean): string[] =>
      asked
        .filter((one, at) => is(one, at))
        .map(({ channel, ts }) => `${channel} ${ts}: ${texts(ground, channel, ts)}`);
    return {
      asked: asked.length,
      miscounted: wrong((_one, at) => noted[at] !== 1),
      mistold: wrong((one) => toldIn(ground, one) !== 1),
      misanswered: wrong((one) => ownIn(workspace, one).length !== 1 + toldIn(ground, one)),
    };
  } finally {
    await Promise.all([next.kill(), steady?.kill()]);
    await store.close();
    await ground.close();
  }
}

async function ask({ workspace, random }: Ground, number: number): Promise<Waiting> {
  const person = workspace.addUser({ name: `person-${number}` });
  const { id: channel } = workspace.addChannel({ name: `gap-${number}`, members: [person.user.id], withApp: true });
  const ts = await person.mention(channel, TOPICS[Math.floor(random() * TOPICS.length)] ?? "");
  return { channel, ts, person };
}

const notedOf = (store: Awaited<ReturnType<typeof openStore>>, asked: readonly Waiting[]): Promise<number[]> =>
  Promise.all(
    asked.map(async ({ person }) => (await store.waitingOf(`${person.user.teamId}:${person.user.id}`)).length),
  );

const toldIn = ({ workspace }: Ground, one: Asked): number =>
  ownIn(workspace, one).filter(({ text }) => text.includes("has answered")).length;

const texts = ({ workspace }: Ground, channel: string, ts: string): string =>
  ownIn(workspace, { channel, ts })
    .map(({ shown }) => shown)
    .join(" // ");
