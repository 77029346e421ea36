import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Message } from "@threadlore/chat-workspace";
import { createKeptAnswers } from "@threadlore/client/kept";
import { openStore, type Store } from "@threadlore/inbox";
import { temporaryFolder } from "@threadlore/testkit";
import { beginPinTask } from "../../pins/pin-work.ts";
import { type Ground, prepare } from "../../scenarios/kill.harness.ts";
import { heldWithin } from "../../testing/held-within.ts";
import { type KeptPair, keptPairs } from "../../testing/kept-pairs.ts";
import { KEYS } from "../../testing/running-bot.ts";
import { type Asked, startReader } from "./still-reader.harness.ts";

/** What came of doubts whose bot was killed again and again. */
export interface StillKillReport {
  readonly kept: number;
  readonly contradicted: number;
  /** Contradicted answers whose owner was asked. */
  readonly reached: number;
  /** Answers whose owner was asked though nothing contradicts them. */
  readonly falsely: readonly string[];
  /** Answers whose owner was not asked once about each document the server has against them, or somebody else was. */
  readonly misasked: readonly string[];
  /** What somebody who pinned the newer documents was asked about them; of documents that nobody brings, nothing. */
  readonly byHand: Asked;
}

/** How to kill. */
interface StillKills {
  readonly kills: number;
  readonly seed: number;
  /** Every so manieth pair is kept. */
  readonly every?: number;
  /** Newer documents come as messages that somebody pins, who says what they change; default: by the interface alone. */
  readonly pinned?: boolean;
  /** Pairs by which nothing was chosen; default: those that were looked at. */
  readonly keptBack?: boolean;
  /** Several bots share it: one goes on beside those that are killed. */
  readonly database?: string;
}

const OWNERS = 5;
const PATIENCE_MS = 120_000;

/**
 * Runs the real bot in processes that are killed at random points, `kills` times, while people's answers are kept and newer
 * documents arrive, some of which say otherwise; then lets the last one finish, and looks at who was asked what.
 */
export async function stillKillLoop({
  kills,
  seed,
  every = 1,
  pinned = false,
  keptBack = false,
  database,
}: StillKills): Promise<StillKillReport> {
  const rules = join(temporaryFolder(), "rules.yaml");
  const ahead = untilWork(Date.now());
  const settings = {
    RULES_FILE: rules,
    THREADLORE_INGEST_KEY: KEYS.owner,
    THREADLORE_PAIR: "none",
    HARNESS_LEASE_MS: "1500",
    HARNESS_STILL_TRUE_MS: "400",
    HARNESS_WATCH_MS: "50",
    ...(database !== undefined && { DATABASE_URL: database }),
  };
  // The platform's clock goes as the bots' do: what was posted is looked for by when it can have been.
  const ground = await prepare(seed, settings, { now: () => Date.now() + ahead });
  const store = await openStore(ground.database);
  const pairs = keptPairs({ keptBack, every });
  const people = Array.from({ length: OWNERS }, (_, at) => ground.workspace.addUser({ name: `owner-${at}` }));
  const owners = people.map(({ user }) => user.id);
  writeFileSync(rules, `defaults:\n  helpers: [${owners.join(", ")}]\n${pinned ? "  pins: members\n" : ""}`);
  const reader = pinned ? startReader(ground, owners) : undefined;
  const [early, late] = [Math.ceil(kills / 2), Math.floor(kills / 2)];
  const bots = startBots(ground, ahead, database !== undefined);
  try {
    const kept = await keepAll(ground, store, { pairs, people, at: Date.now() + ahead - 600_000 });
    await bots.killSome(early, async () => undefined);
    await bots.letOneGoOn();
    const areKept = async (): Promise<boolean> =>
      (await Promise.all(kept.map(({ channel, ts }) => store.findPin(channel, ts)))).every((pin) =>
        /accepted|indexed/.test(pin?.state ?? ""),
      );
    if (!(await heldWithin(PATIENCE_MS, areKept))) throw new Error("Not every answer was kept.");
    const coming = [...pairs];
    const arrive = async (most: number): Promise<void> => {
      for (const pair of coming.splice(0, most)) {
        const { id, newer } = pair;
        if (reader !== undefined) await reader.bring(pair);
        else await ground.knowledge.add({ id: `${id} newer`, ...newer, updatedAt: "2027-05-01T08:00:00Z" });
      }
    };
    await bots.killSome(late, () => arrive(Math.ceil(pairs.length / Math.max(1, late))));
    await arrive(coming.length);
    await bots.letOneGoOn();
    const missing = async (): Promise<string> => (await reader?.missing(store)) ?? "";
    if (!(await heldWithin(600_000, async () => (await missing()) === ""))) {
      throw new Error(`Not everything was found: ${await missing()}`);
    }
    const doubted = await doubtedAt(ground, store);
    await heldWithin(PATIENCE_MS, () =>
      [...doubted].every(([name, count]) => askedAbout(ground, kept, name).length >= count),
    );
    // Whoever is asked twice is asked so soon after.
    await pause(2_000);
    const byHand = reader?.asked() ?? { offered: [], inVain: [], pressed: new Set() };
    if ((reader?.seenByOthers(people) ?? 0) > 0) throw new Error("Somebody else was shown what a message may change.");
    return { ...reportOf(ground, kept, doubted), byHand };
  } finally {
    await reader?.end();
    await bots.end();
    await store.close();
    await ground.close();
  }
}

interface Kept extends KeptPair {
  readonly channel: string;
  readonly ts: string;
  readonly owner: string;
}

type People = readonly ReturnType<Ground["workspace"]["addUser"]>[];

async function keepAll(
  { workspace }: Ground,
  store: Store,
  { pairs, people, at }: { readonly pairs: readonly KeptPair[]; readonly people: People; readonly at: number },
): Promise<Kept[]> {
  const asker = workspace.addUser({ name: "asks" });
  const members = [asker, ...people].map(({ user }) => user.id);
  const { id: channel } = workspace.addChannel({ name: "questions", members, withApp: true });
  const inbox = { accept: (task: Parameters<Store["accept"]>[0]) => store.accept(task, Date.now()) };
  const context = { inbox, self: { teamId: asker.user.teamId } } as unknown as Parameters<typeof beginPinTask>[0];
  const kept: Kept[] = [];
  for (const [count, pair] of pairs.entries()) {
    const person = people[count % people.length] as People[number];
    const thread = await asker.say(channel, pair.question);
    const ts = await person.say(channel, pair.kept, { threadTs: thread });
    const owner = person.user.id;
    const { question } = pair;
    const record = { channel, ts, task: `CALL${ts}`, owner, thread, until: ts, question, keptAt: at, confirmedAt: at };
    await store.saveKeptAnswer(record);
    const work = { channel, ts, by: owner, moment: at, certain: true, how: "answer" as const };
    await beginPinTask(context, "add", work, "kept for a test");
    kept.push({ ...pair, channel, ts, owner });
  }
  return kept;
}

/** Bots that are killed one after the other, each loaded while the one before it runs; another one may go on beside them. */
function startBots(ground: Ground, ahead: number, withSteady: boolean) {
  let next = ground.load();
  const steady = withSteady ? ground.load() : undefined;
  void steady?.loaded.then(() => steady.begin(ahead));
  let running: typeof next | undefined;
  const begin = async (): Promise<typeof next> => {
    const child = next;
    await child.loaded;
    next = ground.load();
    child.begin(ahead);
    return child;
  };
  const end = async (): Promise<void> => {
    await running?.kill();
    running = undefined;
  };
  return {
    async killSome(kills: number, meanwhile: () => Promise<void>): Promise<void> {
      await end();
      for (let kill = 0; kill < kills; kill += 1) {
        const child = await begin();
        await child.started;
        await meanwhile();
        await pause(ground.random() * 1_200);
        await child.kill();
      }
    },
    async letOneGoOn(): Promise<void> {
      running ??= await begin();
    },
    async end(): Promise<void> {
      await Promise.all([end(), next.kill(), steady?.kill()]);
    },
  };
}

/** How many documents the server has against kept answers, by their messages: about each the owner is asked once. */
async function doubtedAt({ knowledge }: Ground, store: Store): Promise<ReadonlyMap<string, number>> {
  const fetch = (request: Request): Promise<Response> => knowledge.service.fetch(request);
  const server = createKeptAnswers({ baseUrl: "http://127.0.0.1:8412", apiKey: KEYS.owner, fetch });
  const { kept_answers: answers } = await server.list({ most: 200 });
  const counted = answers.map(async ({ document_id: id, doubts }) => {
    const pin = await store.pinOfDocument(id);
    return pin === undefined ? [] : [[pin.ts, doubts.length] as const];
  });
  return new Map((await Promise.all(counted)).flat());
}

/** What the bot wrote to people alone about a kept answer. */
function askedAbout({ workspace }: Ground, kept: readonly Kept[], ts: string): readonly Message[] {
  const question = kept.find((one) => one.ts === ts)?.question ?? "";
  return workspace
    .channels()
    .filter(({ kind }) => kind === "im")
    .flatMap(({ id }) => workspace.messages(id))
    .filter(({ user, shown }) => user === workspace.app.botUserId && shown.includes(question));
}

function reportOf(
  ground: Ground,
  kept: readonly Kept[],
  doubted: ReadonlyMap<string, number>,
): Omit<StillKillReport, "byHand"> {
  const { workspace } = ground;
  const members = new Map(workspace.channels().map(({ id, members: those }) => [id, those]));
  const asked = kept.map((one) => ({ one, messages: askedAbout(ground, kept, one.ts) }));
  const isRight = (one: Kept, messages: readonly Message[]): boolean =>
    messages.every(({ channel }) => members.get(channel)?.includes(one.owner) === true) &&
    messages.length === (doubted.get(one.ts) ?? 0);
  const reached = asked.filter(({ messages }) => messages.length > 0);
  return {
    kept: kept.length,
    contradicted: kept.filter(({ contradicts }) => contradicts).length,
    reached: reached.filter(({ one }) => one.contradicts).length,
    falsely: reached.filter(({ one }) => !one.contradicts).map(({ one }) => one.id),
    misasked: asked
      .filter(({ one, messages }) => !isRight(one, messages))
      .map(({ one, messages }) =>
        [`${one.id}: asked ${messages.length} times`, ...messages.map(({ shown }) => shown)].join("\n"),
      ),
  };
}

/** How far ahead it is ten o'clock of a Wednesday: nobody is asked outside their hours of work. */
function untilWork(now: number): number {
  const at = new Date(now);
  at.setUTCHours(10, 0, 0, 0);
  do at.setUTCDate(at.getUTCDate() + 1);
  while (at.getUTCDay() !== 3);
  return at.getTime() - now;
}
