import { mock } from "node:test";
import type { Relaying } from "./relay-first-words.ts";
import type { SlackCall } from "./relay-slack.ts";
import { openStreams, type StreamsSize } from "./relay-streams.ts";
import { simulateTime } from "./relay-time.ts";

/** The refused answer, what its append is told, seconds, and when, simulated milliseconds after the beginning. */
const REFUSED = { channel: "C0", retryAfter: 30, afterMs: 20_000 } as const;
const SAMPLE_CHARACTERS = 60;

/**
 * The same answers twice, once with the refusal and once without: how much later readers saw their text because Slack
 * refused one append of one answer with 429, simulated milliseconds, a figure per sixty characters.
 */
export async function measureRefusal(relaying: Relaying, size: StreamsSize) {
  const calm = await run(relaying, size, false);
  const refused = await run(relaying, size, true);
  /** Of every other answer in that workspace, and of the refused one itself. */
  const delays = { others: [] as number[], itself: [] as number[] };
  for (const [channel, undisturbed] of calm) {
    const list = channel === REFUSED.channel ? delays.itself : delays.others;
    const disturbed = refused.get(channel) ?? [];
    if (undisturbed.at(-1)?.characters !== disturbed.at(-1)?.characters) {
      throw new Error(`${relaying.name}: the answer in ${channel} did not arrive whole after a 429.`);
    }
    for (let at = SAMPLE_CHARACTERS; at <= (undisturbed.at(-1)?.characters ?? 0); at += SAMPLE_CHARACTERS) {
      list.push(momentOf(disturbed, at) - momentOf(undisturbed, at));
    }
  }
  return delays;
}

/** How far an answer was at which moment. */
interface Reached {
  readonly at: number;
  readonly characters: number;
}

const momentOf = (reached: readonly Reached[], characters: number): number =>
  reached.find((one) => one.characters >= characters)?.at ?? Number.NaN;

async function run(
  { make }: Relaying,
  size: StreamsSize,
  withRefusal: boolean,
): Promise<ReadonlyMap<string, readonly Reached[]>> {
  // The SDK waits by the machine's timers: they follow the simulated time here.
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const time = simulateTime((ms) => mock.timers.tick(ms));
    const start = time.now();
    const reached = new Map<string, Reached[]>();
    let isRefused = !withRefusal;
    const isTheOne = ({ method, channel, at }: SlackCall): boolean =>
      method === "chat.appendStream" && channel === REFUSED.channel && at - start >= REFUSED.afterMs;
    const streams = openStreams(make, size, time, (call) => {
      if (isRefused || !isTheOne(call)) {
        const list = reached.get(call.channel) ?? [];
        list.push({ at: call.at, characters: (list.at(-1)?.characters ?? 0) + call.text.length });
        reached.set(call.channel, list);
        return undefined;
      }
      isRefused = true;
      return REFUSED.retryAfter;
    });
    await streams.begin();
    await streams.feed(() => {});
    await streams.end();
    if (!isRefused) throw new Error("There was no append to refuse.");
    return reached;
  } finally {
    mock.timers.reset();
  }
}
