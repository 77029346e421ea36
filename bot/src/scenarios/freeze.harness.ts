import { setTimeout as pause } from "node:timers/promises";
import { type Asked, type Child, type Ground, isSettled, ownIn, prepare } from "./kill.harness.ts";
import { openStore, placeOf, taskKey } from "@threadlore/inbox";

/** What came of a loop of freezes, as the workspace and the store have it in the end. */
export interface FreezeReport {
  readonly freezes: number;
  readonly questions: number;
  /** Questions without exactly one whole, finished answer, and what stands there instead. */
  readonly wrong: readonly string[];
  /** Questions whose thread still says that somebody is at work. */
  readonly busy: readonly string[];
  /** Questions the store does not have as answered, and what it says of them. */
  readonly unanswered: readonly string[];
  /** What the platform would have refused. */
  readonly refusals: readonly unknown[];
  /** Freezes that met an answer half shown: what makes the loop worth its time. */
  readonly midway: number;
}

/** How to freeze. */
export interface FreezeOptions {
  readonly freezes: number;
  readonly seed: number;
  /** Questions asked before each freeze. */
  readonly questions: number;
  /** Lease of a task, milliseconds; a freeze lasts longer. 0: as shipped. */
  readonly leaseMs: number;
  /** Shortest freeze, milliseconds; up to as much again. */
  readonly freezeMs: number;
  /** Address of the database; absent: SQLite in a folder of its own. */
  readonly database?: string;
  readonly streaming?: "on" | "off";
}

/** Two bots on one database, each stopped for longer than a lease in turn, in the middle of whatever they do. */
export async function freezeLoop(options: FreezeOptions): Promise<FreezeReport> {
  const { freezes, seed, questions, leaseMs, freezeMs, database, streaming = "on" } = options;
  const ground = await prepare(seed, {
    STREAMING: streaming,
    HARNESS_LEASE_MS: String(leaseMs),
    ...(database === undefined ? {} : { DATABASE_URL: database }),
  });
  const { random, workspace } = ground;
  const bots = await startBots(ground, 2);
  let midway = 0;
  try {
    for (let freeze = 0; freeze < freezes; freeze += 1) {
      const bot = bots[freeze % bots.length];
      const asked = await Promise.all(Array.from({ length: questions }, () => ground.ask()));
      await workspace.until(() => asked.some((one) => ownIn(workspace, one).length > 0), 20_000).catch(() => undefined);
      await pause(random() * 700);
      if (asked.some((one) => isOpen(ground, one))) midway += 1;
      bot?.signal("SIGSTOP");
      await pause(freezeMs * (1 + random()));
      bot?.signal("SIGCONT");
    }
    return { ...(await lookAt(ground)), freezes, midway };
  } finally {
    await Promise.all(bots.map((bot) => bot.kill()));
    await ground.close();
  }
}

/** One bot whose machine's clock is set forward or back while it answers. */
export async function clockLoop(options: { jumps: readonly number[]; seed: number }): Promise<FreezeReport> {
  const ground = await prepare(options.seed, {});
  const [bot] = await startBots(ground, 1);
  let midway = 0;
  try {
    for (const jump of options.jumps) {
      const asked = await Promise.all([ground.ask(), ground.ask()]);
      await ground.workspace.until(() => asked.some((one) => isOpen(ground, one)), 20_000).catch(() => undefined);
      if (asked.some((one) => isOpen(ground, one))) midway += 1;
      bot?.tell(`clock ${jump}`);
      await ground.workspace
        .until(() => asked.every((one) => isSettled(ground.workspace, one)), 30_000)
        .catch(() => {});
    }
    return { ...(await lookAt(ground)), freezes: options.jumps.length, midway };
  } finally {
    await bot?.kill();
    await ground.close();
  }
}

async function startBots(ground: Ground, count: number): Promise<readonly Child[]> {
  const bots = Array.from({ length: count }, () => ground.load());
  // One after the other: the first makes the tables.
  for (const bot of bots) {
    await bot.loaded;
    bot.begin();
    await bot.started;
  }
  return bots;
}

const isOpen = (ground: Ground, asked: Asked): boolean =>
  ownIn(ground.workspace, asked).some(({ stream }) => stream?.state === "in_progress");

/** Waits until nothing moves any more, and looks. */
async function lookAt(ground: Ground): Promise<Omit<FreezeReport, "freezes" | "midway">> {
  const { workspace, asked } = ground;
  const isDone = (one: Asked): boolean => ownIn(workspace, one).length === 1 && isSettled(workspace, one);
  await workspace.until(() => asked.every(isDone), 240_000).catch(() => undefined);
  // Whoever comes late does so soon after.
  await pause(3_000);
  const name = ({ channel, ts }: Asked): string => `${channel} ${ts}`;
  const wrong = asked
    .filter((one) => !isDone(one) || !ownIn(workspace, one)[0]?.shown.includes("thirty days"))
    .map((one) => {
      const own = ownIn(workspace, one).map(({ shown, stream }) => `[${stream?.state ?? "posted"}] ${shown}`);
      return `${name(one)}: ${own.join(" // ")}`;
    });
  const busy = asked.flatMap((one) => {
    const session = workspace.session(one.channel, one.ts);
    const isBusy = session?.status === "processing" || (session?.words ?? "") !== "";
    return isBusy ? [`${name(one)}: ${session?.status ?? ""} ${session?.words ?? ""}`] : [];
  });
  const store = await openStore(ground.database);
  const unanswered: string[] = [];
  try {
    for (const one of asked) {
      const place = { team: workspace.team.id, channel: one.channel, ts: one.ts };
      const task = await store.findByKey(taskKey("question", place));
      if (task?.outcome === "answered") continue;
      const words = (await store.traceOf(placeOf(place))).map((entry) => entry.words).join(" | ");
      unanswered.push(`${name(one)}: ${task?.outcome ?? task?.state ?? "unknown"} ${words}`);
    }
  } finally {
    await store.close();
  }
  const refusals = workspace.calls.filter((call) => call.refusals.length > 0);
  return {
    questions: asked.length,
    wrong,
    busy,
    unanswered,
    refusals: refusals.map(({ method, refusals: why }) => ({ method, why })),
  };
}
