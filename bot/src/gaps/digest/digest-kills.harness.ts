import { setTimeout as pause } from "node:timers/promises";
import type { Message, Workspace } from "@threadlore/chat-workspace";
import { openStore } from "@threadlore/inbox";
import { type Child, prepare } from "../../scenarios/kill.harness.ts";
import { heldWithin } from "../../testing/held-within.ts";
import { KEYS } from "../../testing/running-bot.ts";
import { DIGEST_EVENT } from "./digest-work.ts";

const WEEK_MS = 7 * 86_400_000;
/** People whose questions are young enough to be there for a few weeks more. */
const RECENT = 8;

/** What came of a loop of kills. */
export interface DigestKillReport {
  /** Weeks whose digest came due. */
  readonly weeks: number;
  /** Weeks with none, or with more than one. */
  readonly wrong: readonly string[];
  /** Digests that stand anywhere but in the administrators' channel. */
  readonly stray: number;
  /** Kills after which a digest stood that its bot had not written down yet: what makes the loop worth its time. */
  readonly midway: number;
}

/** How to kill. */
interface DigestKills {
  readonly kills: number;
  readonly seed: number;
  /** Gaps are the server's; else the bot's own. */
  readonly isAtServer: boolean;
  /** Two bots share it: one goes on beside those that are killed. */
  readonly database?: string;
}

/**
 * Runs the real bot in processes that are killed at random points, `kills` times, while new people ask what nobody can answer
 * and the clock goes on by a week as soon as a week's digest stands; then lets the last one finish, and counts digests.
 */
export async function digestKillLoop({ kills, seed, isAtServer, database }: DigestKills): Promise<DigestKillReport> {
  let ahead = 0;
  const admins = (workspace: Workspace): string =>
    workspace.channels().find(({ name }) => name === "admins")?.id ??
    workspace.addChannel({ name: "admins", withApp: true }).id;
  const ground = await prepare(
    seed,
    (workspace) => ({
      ADMIN_CHANNEL: admins(workspace),
      HARNESS_LEASE_MS: "1500",
      HARNESS_DIGEST_EVERY_MS: "50",
      ...(isAtServer && { THREADLORE_INGEST_KEY: KEYS.owner }),
      ...(database !== undefined && { DATABASE_URL: database }),
    }),
    { now: () => Date.now() + ahead },
  );
  const { workspace, random } = ground;
  const store = await openStore(ground.database);
  const digests = (): readonly Message[] => workspace.messages(admins(workspace)).filter(isDigest);
  // A call that a kill left on its way may post a week's second one, until that is taken away.
  const weeksTold = (): number => new Set(digests().map(weekOf)).size;
  const steady = database === undefined ? undefined : ground.load();
  let next: Child = ground.load();
  let weeks = 0;
  let midway = 0;
  const people: string[] = [];
  // A week in which there is nothing to say has no digest: what was asked is forgotten after three months, and of bots that are
  // killed all the time the machine may need many for one question.
  const isAnySaid = async (): Promise<boolean> => {
    const recent = people.slice(-RECENT);
    return (await store.askersWaiting()).some((asker) => recent.some((user) => asker.endsWith(`:${user}`)));
  };
  const weekGoesOn = (): void => {
    weeks += 1;
    ahead += WEEK_MS;
    steady?.tell(`clock ${WEEK_MS}`);
  };
  try {
    await steady?.loaded;
    steady?.begin(ahead);
    // Somebody waits, and the first one comes when it is its time.
    await next.loaded;
    next.begin(ahead);
    people.push(await ask(workspace, kills + 1));
    const isReady = async (): Promise<boolean> =>
      (await store.askersWaiting()).length > 0 && (await store.recall(DONE)) !== undefined;
    await heldWithin(60_000, isReady, 50);
    await next.kill();
    next = ground.load();
    weekGoesOn();
    for (let kill = 0; kill < kills; kill += 1) {
      const child = next;
      await child.loaded;
      next = ground.load();
      child.begin(ahead);
      people.push(await ask(workspace, kill));
      // Now and then as soon as it stands: what became of it is then known to nobody but the platform.
      const before = digests().length;
      if (kill % 2 === 0) await heldWithin(20_000, () => digests().length > before, 5);
      else await pause(random() * 2_000);
      await pause(random() * 60);
      await child.kill();
      if (digests().length > before && (await store.recall(DONE)) !== weekOf(digests().at(-1))) midway += 1;
      if (weeksTold() < weeks || !(await isAnySaid())) continue;
      weekGoesOn();
    }
    await next.loaded;
    next.begin(ahead);
    await ask(workspace, kills);
    await heldWithin(200_000, () => weeksTold() >= weeks);
    // Whoever posts twice does so soon after; of a call that a kill left on its way, a second one is taken away by then.
    await pause(4_000);
    const perWeek = new Map<string, number>();
    for (const one of digests()) perWeek.set(weekOf(one), (perWeek.get(weekOf(one)) ?? 0) + 1);
    const twice = [...perWeek].flatMap(([week, count]) => (count === 1 ? [] : [`${week}: ${count}`]));
    const none = weeks - perWeek.size;
    return {
      weeks,
      wrong: none === 0 ? twice : [...twice, `none: ${none}`],
      stray: workspace
        .channels()
        .flatMap(({ id }) => (id === admins(workspace) ? [] : workspace.messages(id).filter(isDigest))).length,
      midway,
    };
  } finally {
    await Promise.all([next.kill(), steady?.kill()]);
    await store.close();
    await ground.close();
  }
}

const DONE = "digest of week";

const isDigest = ({ metadata }: Message): boolean => JSON.stringify(metadata)?.includes(DIGEST_EVENT) === true;

/** The Monday of the week a message was posted in, as one that has no clock of its own counts. */
function weekOf(message: Message | undefined): string {
  const posted = new Date(Number(message?.ts ?? 0) * 1000);
  const monday = posted.getTime() - ((posted.getUTCDay() + 6) % 7) * 86_400_000;
  return new Date(monday).toISOString().slice(0, 10);
}

/** Somebody new asks; who. */
async function ask(workspace: Workspace, number: number): Promise<string> {
  const person = workspace.addUser({ name: `person-${number}` });
  const { id } = workspace.addChannel({ name: `room-${number}`, members: [person.user.id], withApp: true });
  await person.mention(id, "Where is the spare key of the boat house?");
  return person.user.id;
}
