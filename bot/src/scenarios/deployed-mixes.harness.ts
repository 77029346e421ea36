import { type ReplyCut, seededRandom } from "@threadlore/testkit";
import { expect } from "vitest";
import { type DeployedTown, startDeployedTown } from "../testing/deployed-town.ts";

/** What came of a mix. */
export interface Mixed {
  /** Whole answers, and plain sentences instead. */
  readonly whole: number;
  readonly told: number;
  /** How often each side was started anew. */
  readonly restarts: { readonly server: number; readonly bot: number };
}

const PLACES: readonly ReplyCut["at"][] = [
  "before-head",
  "after-head",
  "before-end",
  { lines: 1 },
  { lines: 2 },
  { packets: 3 },
  { insidePacket: 4 },
];
const HOWS: readonly NonNullable<ReplyCut["how"]>[] = ["close", "reset", "clean", "stall"];
/** Questions under way at the same time. */
const AT_ONCE = 10;
const SENTENCE = /I could not answer this\. |The answer broke off before it was complete\./;

/**
 * Asks so many questions, each in a thread of its own, while connections are cut, answers fall silent, and now and then the
 * server or the bot is started anew; expects that each ends as one message, whole or with one plain sentence, and that
 * none was asked while the server was still answering it.
 */
export async function mixQuestions(count: number, seed: number): Promise<Mixed> {
  const random = seededRandom(seed);
  const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)] as One;
  const town = await startDeployedTown({
    settings: { heartbeatMs: 100 },
    parts: {
      drainMs: 20,
      times: { pollMs: 30, backoffMs: () => 50 },
      patience: { resumeMs: 2_000 },
      serverTimeouts: { firstByteMs: 600, slowFirstByteMs: 600, quietIdleMs: 600 },
    },
  });
  const { server } = town;
  server.faults.cut = ({ kind }) => {
    if (kind === "other" || random() > (kind === "answer" ? 0.6 : 0.2)) return undefined;
    return { at: pick(PLACES), how: pick(HOWS) };
  };
  server.answerWith(({ message }) => [
    { piece: `Begun for ${message}` },
    ...(random() < 0.3 ? [{ pauseMs: Math.floor(random() * 900) }] : []),
    { piece: " and gone on," },
    ...(random() < 0.2 ? [{ pauseMs: 200 }] : []),
    { piece: " whole to its end." },
  ]);
  const restarts = { server: 0, bot: 0 };
  const { ada, workspace } = town;
  // A channel takes a message a second: the questions of one moment stand in channels of their own.
  const channels = Array.from({ length: AT_ONCE }, (_, index) =>
    workspace.addChannel({ name: `mix-${index}`, members: [ada.user.id], withApp: true }),
  );
  const threads: Thread[] = [];
  for (let at = 0; at < count; at += AT_ONCE) {
    const some: Thread[] = [];
    for (let index = at; index < Math.min(count, at + AT_ONCE); index += 1) {
      const message = `question ${index}`;
      const channel = channels[index % AT_ONCE]?.id ?? "";
      some.push({ channel, ts: await ada.mention(channel, message), message });
    }
    if (random() < 0.3) {
      restarts.server += 1;
      await server.restart(Math.floor(random() * 100));
    }
    if (random() < 0.3) {
      restarts.bot += 1;
      await town.restart();
    }
    await ended(town, some);
    threads.push(...some);
  }
  let whole = 0;
  for (const { channel, ts, message } of threads) {
    const answers = town.answers(channel, ts);
    expect(answers, message).toHaveLength(1);
    const shown = answers[0]?.shown ?? "";
    const isWhole = shown.includes(`Begun for ${message} and gone on, whole to its end.`);
    expect(isWhole || SENTENCE.test(shown), `${message}: ${shown}`).toBe(true);
    // A server that ends between the last word and its end leaves nobody sure that it was the last.
    if (isWhole && !SENTENCE.test(shown)) whole += 1;
  }
  expect(server.questions.filter(({ whileRunning }) => whileRunning).map(({ message }) => message)).toEqual([]);
  return { whole, told: count - whole, restarts };
}

interface Thread {
  readonly channel: string;
  readonly ts: string;
  readonly message: string;
}

/** Every one of these threads has its answer, and the bot is at rest. */
async function ended(town: DeployedTown, threads: readonly Thread[]): Promise<void> {
  const isOver = async (): Promise<boolean> => {
    const { waiting, running } = await town.bot.context.store.backlog();
    return waiting + running === 0 && threads.every(({ channel, ts }) => town.answers(channel, ts).length > 0);
  };
  await expect.poll(isOver, { timeout: 60_000, interval: 50 }).toBe(true);
}
