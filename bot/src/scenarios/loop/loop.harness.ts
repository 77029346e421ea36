import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import type { Message, Person } from "@threadlore/chat-workspace";
import { openStore, type WaitingQuestion } from "@threadlore/inbox";
import { Database } from "@threadlore/service";
import { temporaryFolder } from "@threadlore/testkit";
import { buttonOf } from "../../testing/buttons.ts";
import { haveKept } from "../../testing/have-kept.ts";
import { addPassages, worksPassages } from "../../testing/passages.ts";
import { KEYS } from "../../testing/running-bot.ts";
import { plainly, startGapModel, type TrueGap } from "../../testing/true-gaps.ts";
import { type Ground, ownIn, prepare } from "../kill.harness.ts";
import type { CameOf, Played } from "./loop-figures.harness.ts";
import { offered, takeOffer } from "./take-offers.harness.ts";

/** How a loop is played. */
export interface LoopOptions {
  readonly gaps: readonly TrueGap[];
  readonly people: number;
  readonly passages: number;
  /** There is a server of embeddings beside the service. */
  readonly hasVectors: boolean;
  /** The bot is killed so often while all of it goes on. */
  readonly kills: number;
  readonly seed: number;
}

/** How many threads are under way at one time. */
const AT_ONCE = 4;
const CHANNELS = 10;
/** Most calls of a bot between its being connected and its end: however slow the machine is, it gets on. */
const MAX_CALLS = 60;
/** A bot that has nothing to do for so long, or lives for so long, is killed before, milliseconds. */
const MAX_IDLE_MS = 1_500;
const MAX_LIFE_MS = 20_000;
/** How long a call and its reply take: so long after a call it is killed at most, milliseconds. */
const MAX_CALL_MS = 60;
/** An outcome is waited for so long at most, milliseconds. */
const MAX_ANSWERED_MS = 600_000;
/** Whoever is told twice is told so soon after. */
const AFTER_MS = 2_000;
/** What is to be done within this is waited for, milliseconds; and for so long at most. */
const SOON_MS = 5_000;
const SETTLING_MS = 120_000;
/** A gap that was split is closed part by part. */
const MAX_PARTS = 8;

/** Somebody's question, and where. */
interface Asked {
  readonly gap: TrueGap;
  readonly words: string;
  readonly person: Person;
  readonly channel: string;
  readonly ts: string;
}

/**
 * Plays the whole loop: people ask what nobody wrote down; of each gap one of them wants a person, somebody who knows replies
 * and has it kept; then others ask the same in other words; last, whoever was not told by then has somebody asked, too.
 */
export async function playLoop(options: LoopOptions): Promise<Played> {
  const { gaps, people, passages, seed } = options;
  const model = options.hasVectors ? await startGapModel(gaps) : undefined;
  const rules = join(temporaryFolder(), "rules.yaml");
  const ground = await prepare(
    seed,
    {
      RULES_FILE: rules,
      THREADLORE_INGEST_KEY: KEYS.owner,
      THREADLORE_PAIR: "none",
      STREAMING: "off",
      // What one that was killed had begun is another's soon.
      ...(options.kills > 0 && { HARNESS_LEASE_MS: "1500" }),
    },
    { lateMs: options.kills > 0 ? 25 : 0, ...(model && { embeddings: { baseUrl: model.url, name: "gap-model" } }) },
  );
  const { workspace, knowledge } = ground;
  const store = await openStore(ground.database);
  const helper = workspace.addUser({ name: "knows", realName: "Kim Noble" });
  writeFileSync(rules, `defaults:\n  helpers: [${helper.user.id}]\n`);
  const askers = Array.from({ length: people }, (_, at) => workspace.addUser({ name: `asks-${at}` }));
  const members = [helper, ...askers].map(({ user }) => user.id);
  const channels = Array.from(
    { length: CHANNELS },
    (_, at) => workspace.addChannel({ name: `loop-${at}`, members, withApp: true }).id,
  );
  await addPassages({ service: knowledge.service, apiKey: KEYS.owner }, worksPassages(passages));
  const bots = new KilledBots(ground, options.kills);
  const world: World = { ground, store, helper, bots };
  try {
    const orders = shuffled(
      gaps.flatMap((gap) => gap.asked.map((words) => ({ gap, words }))),
      ground.random,
    );
    const place = (at: number, gap: TrueGap, turn: number) => ({
      channel: channels[at % CHANNELS] ?? "",
      // Of one gap each question is somebody else's.
      person: askers[(gaps.indexOf(gap) * 7 + turn) % people] as Person,
    });
    const turns = new Map<TrueGap, number>();
    const next = (gap: TrueGap): number => {
      const turn = turns.get(gap) ?? 0;
      turns.set(gap, turn + 1);
      return turn;
    };
    const toAsk = orders.map((one, at) => ({ ...one, ...place(at, one.gap, next(one.gap)) }));
    const asked = await askAll(world, toAsk, [0, 0.4]);
    const first = await cameOf(world, asked);
    const called = await closeAll(world, gaps, asked, [0.4, 0.85]);
    const toAskLater = gaps
      .flatMap((gap) => gap.later.map((words) => ({ gap, words })))
      .map((one, at) => ({ ...one, ...place(at, one.gap, next(one.gap)) }));
    const later = await askAll(world, toAskLater, [0.85, 1]);
    await bots.over();
    const second = await cameOf(world, later);
    const toldByThen = asked.filter((one) => tellingsIn(world, one) > 0).length;
    called.push(...(await closeRest(world, asked)));
    await pause(AFTER_MS);
    await settled(world, [...asked, ...later]);
    return {
      asked: asked.map((one, at) => ({ ...(first[at] as Came), ...endOf(world, one) })),
      later: later.map((one, at) => ({ ...(second[at] as Came), ...endOf(world, one) })),
      toldByThen,
      calls: called.map((one) => callsIn(world, one)),
      kept: called.map((one) => ownIn(workspace, one).filter(({ shown }) => shown.includes("Answered by")).length),
      documents: keptDocuments(world),
      kills: bots.kills,
      refusals: workspace.calls.flatMap(({ refusals }) => refusals),
    };
  } finally {
    await bots.close();
    await store.close();
    await ground.close();
    await model?.close();
  }
}

interface World {
  readonly ground: Ground;
  readonly store: Awaited<ReturnType<typeof openStore>>;
  readonly helper: Person;
  readonly bots: KilledBots;
}

/** One bot after the other: each but the last is killed at a random moment of what it does. */
class KilledBots {
  readonly #ground: Ground;
  readonly #wanted: number;
  readonly #killing: Promise<void>;
  #next: ReturnType<Ground["load"]>;
  #isClosing = false;
  kills = 0;

  constructor(ground: Ground, wanted: number) {
    this.#ground = ground;
    this.#wanted = wanted;
    this.#next = ground.load();
    this.#killing = this.#kill();
    this.#killing.catch(() => undefined);
  }

  async #kill(): Promise<void> {
    while (this.kills < this.#wanted && !this.#isClosing) {
      const child = this.#next;
      await child.loaded;
      this.#next = this.#ground.load();
      child.begin();
      await child.started;
      await this.#life();
      await child.kill();
      this.kills += 1;
    }
    await this.#next.loaded;
    this.#next.begin();
  }

  /** Resolves at a random moment after one of its calls, to the platform or to the server. */
  async #life(): Promise<void> {
    const { workspace, knowledge, random } = this.#ground;
    const calls = (): number => workspace.calls.length + knowledge.requests.length;
    const last = calls() + Math.floor(random() * MAX_CALLS);
    const end = performance.now() + MAX_LIFE_MS;
    let idleFrom = performance.now();
    for (let seen = calls(); seen < last && performance.now() < Math.min(end, idleFrom + MAX_IDLE_MS); await pause(2)) {
      if (calls() === seen) continue;
      seen = calls();
      idleFrom = performance.now();
    }
    await pause(random() * MAX_CALL_MS);
  }

  /** Resolves once so much of the killing is done: what people do goes on all the way. */
  async turn(share: number): Promise<void> {
    while (this.kills < Math.floor(share * this.#wanted)) await pause(50);
  }

  /** Resolves when the last one is at work. */
  over = (): Promise<void> => this.#killing;

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#killing.catch(() => undefined);
    await this.#next.kill();
  }
}

/** Does something with each, a few at a time, spread over a part of the killing. */
async function spread<Thing>(
  { bots }: World,
  things: readonly Thing[],
  [from, to]: readonly [number, number],
  act: (thing: Thing) => Promise<void>,
): Promise<void> {
  const rest = things.entries();
  const work = async (): Promise<void> => {
    for (const [at, thing] of rest) {
      await bots.turn(from + ((to - from) * at) / things.length);
      await act(thing);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Has each question asked, waits for its outcome, and has its asker say whether somebody asked it before. */
async function askAll(
  world: World,
  all: readonly Omit<Asked, "ts">[],
  part: readonly [number, number],
): Promise<Asked[]> {
  const asked = new Map<Omit<Asked, "ts">, Asked>();
  await spread(world, all, part, async (one) => {
    const ts = await one.person.mention(one.channel, one.words);
    asked.set(one, { ...one, ts });
    const { workspace } = world.ground;
    await workspace.until(() => answerOf(world, { ...one, ts }) !== undefined, MAX_ANSWERED_MS);
    await offered(workspace, { ...one, ts });
    await takeOffer(workspace, { ...one, ts });
  });
  const inOrder = all.flatMap((one) => asked.get(one) ?? []);
  await settled(world, inOrder);
  // What was noted late is offered late.
  for (const one of inOrder) await takeOffer(world.ground.workspace, one);
  await settled(world, inOrder);
  return inOrder;
}

/** The bot's finished answer below a question, or that it has none. */
const answerOf = ({ ground }: World, one: Pick<Asked, "channel" | "ts">): Message | undefined =>
  ownIn(ground.workspace, one).find(isAnswer);

const isAnswer = (message: Message): boolean =>
  ["answer_human", "answer_regenerate", "answer_good", "question_retry"].some(
    (action) => buttonOf(message, action) !== undefined,
  );

/** Resolves when every question has its outcome, and nothing is left to be done soon: what is watched for long goes on. */
async function settled({ ground, ...world }: World, asked: readonly Asked[]): Promise<void> {
  await ground.workspace.until(
    () => asked.every((one) => answerOf({ ground, ...world }, one) !== undefined),
    MAX_ANSWERED_MS,
  );
  const db = new DatabaseSync(ground.database.replace("sqlite:", ""), { readOnly: true });
  const left = db.prepare(
    "SELECT count(*) AS some FROM tasks WHERE state = 'running' OR (state = 'waiting' AND kind <> 'pin' AND not_before <= ?)",
  );
  const began = performance.now();
  for (let quiet = 0; quiet < 4 && performance.now() - began < SETTLING_MS; await pause(250)) {
    quiet = left.get(Date.now() + SOON_MS)?.["some"] === 0 ? quiet + 1 : 0;
  }
  db.close();
}

/** What the bot's store has of a question. */
async function waitingOf({ store }: World, { person, channel, ts }: Asked): Promise<WaitingQuestion[]> {
  const all = await store.waitingOf(`${person.user.teamId}:${person.user.id}`);
  return all.filter(({ where }) => where?.channel === channel && where.thread === ts);
}

type Came = Omit<CameOf, "tellings" | "isTwice" | "shown">;

/** What stands below a question in the end. */
const endOf = (world: World, one: Asked): Pick<CameOf, "tellings" | "isTwice" | "shown"> => ({
  tellings: tellingsIn(world, one),
  isTwice: isToldTwice(ownIn(world.ground.workspace, one)),
  shown: ownIn(world.ground.workspace, one)
    .map(({ shown, text }) => (shown === "" ? text : shown))
    .join(" // "),
});

/** What came of each question: the gap it is in, as it is called now, and what its asker sees. */
async function cameOf(world: World, asked: readonly Asked[]): Promise<Came[]> {
  const db = new Database(world.ground.knowledge.database);
  try {
    const rows = db.all("SELECT id, merged_into FROM gaps");
    const living = new Map(rows.map((row) => [`s${Number(row["id"])}`, row["merged_into"] as number | null]));
    const nowOf = (gap: string): string => ((into) => (into == null ? gap : `s${into}`))(living.get(gap));
    return await Promise.all(
      asked.map(async (one) => {
        const waiting = await waitingOf(world, one);
        const own = ownIn(world.ground.workspace, one);
        const answers = own.filter(isAnswer);
        const holds = ({ shown }: Message): boolean =>
          one.gap.gold.some((gold) => plainly(shown).includes(plainly(gold)));
        return {
          truth: one.gap.id,
          words: one.words,
          noted: waiting.length,
          gap: waiting[0] && nowOf(waiting[0].gap),
          askedAt: waiting[0]?.askedAt ?? 0,
          answers: answers.length,
          isFailed: answers.some((message) => buttonOf(message, "question_retry") !== undefined),
          isAnswered:
            waiting.length === 0 && answers.some((message) => message.shown.includes("[1]") && holds(message)),
          isPointed: own.some((message) => !answers.includes(message) && holds(message)),
        };
      }),
    );
  } finally {
    db.close();
  }
}

/** How often an asker was told, in the thread of the question. */
const tellingsIn = ({ ground }: World, one: Asked): number =>
  ownIn(ground.workspace, one).filter(({ text }) => /has answered|answered this|there is an answer/.test(text)).length;

/** Told of the answer to something else, one can be told of the answer to one's own call; but nothing the other way round. */
function isToldTwice(own: readonly Message[]): boolean {
  const [said, answered] = [/has answered|there is an answer/, /answered this/].map((words) =>
    own.flatMap(({ text }, at) => (words.test(text) ? [at] : [])),
  ) as [number[], number[]];
  return said.length > 1 || answered.length > 1 || (said[0] ?? -1) > (answered[0] ?? own.length);
}

const callsIn = ({ ground }: World, one: Asked): number =>
  ownIn(ground.workspace, one).filter(({ shown }) => /Answered by|needs a person/.test(shown)).length;

/** Of each gap one who waits wants a person. Resolves with their questions. */
async function closeAll(
  world: World,
  gaps: readonly TrueGap[],
  asked: readonly Asked[],
  part: readonly [number, number],
): Promise<Asked[]> {
  const called: Asked[] = [];
  await spread(world, gaps, part, async (gap) => {
    const noted: Asked[] = [];
    for (const one of asked) if (one.gap === gap && (await waitingOf(world, one)).length > 0) noted.push(one);
    // Where what all who asked were told of answers something else, one of them asks on.
    const one = noted.find((some) => tellingsIn(world, some) === 0) ?? noted[0];
    if (one === undefined) return;
    called.push(one);
    await close(world, one);
  });
  await settled(world, asked);
  return called;
}

const close = ({ ground, helper }: World, one: Asked): Promise<void> =>
  haveKept(ground.workspace, { asker: one.person, helper, reply: one.gap.answer }, one);

/** Whoever was not told wants a person, too: one of each gap that is left, until nobody is. Resolves with their questions. */
async function closeRest(world: World, asked: readonly Asked[]): Promise<Asked[]> {
  const called: Asked[] = [];
  for (let parts = 0; parts < MAX_PARTS; parts += 1) {
    const firsts = new Map<string, Asked>();
    for (const one of asked) {
      const [waiting] = await waitingOf(world, one);
      if (waiting !== undefined && tellingsIn(world, one) === 0 && !firsts.has(waiting.gap))
        firsts.set(waiting.gap, one);
    }
    if (firsts.size === 0) break;
    called.push(...firsts.values());
    await spread(world, [...firsts.values()], [1, 1], (one) => close(world, one));
    await settled(world, asked);
  }
  return called;
}

/** How many kept answers the service has. */
function keptDocuments({ ground }: World): number {
  const db = new Database(ground.knowledge.database);
  try {
    return db.all("SELECT id FROM documents WHERE metadata LIKE '%\"kept\"%'").length;
  } finally {
    db.close();
  }
}

function shuffled<Thing>(things: readonly Thing[], random: () => number): Thing[] {
  return things
    .map((thing) => ({ thing, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ thing }) => thing);
}
