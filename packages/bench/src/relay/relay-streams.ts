import { monitorEventLoopDelay } from "node:perf_hooks";
import { collectGarbage } from "../measure.ts";
import type { Row } from "../report.ts";
import { stopPacket, textOf, textPacket } from "./relay-answer.ts";
import { openFeed } from "./relay-contestants.ts";
import type { Relaying } from "./relay-first-words.ts";
import { imitateSlack, type OnCall } from "./relay-slack.ts";
import { settled, type SimulatedTime, simulateTime } from "./relay-time.ts";

/** How many answers at once, and for how long. */
export interface StreamsSize {
  readonly streams: number;
  /** Workspaces they are spread over, each with its own budget and clients. */
  readonly workspaces: number;
  /** Simulated time in which packets come, seconds. */
  readonly seconds: number;
}

/** Packets a second of each stream, and characters in each. */
const PACKETS_PER_SECOND = 10;
const CHARACTERS = 6;
/** Moments between two packets of one stream at which packets of others come. */
const PARTS = 10;

const MEGABYTE = 1e6;

/**
 * Opens all streams, feeds them, and measures what they cost this process at its fullest: memory above what it was
 * before (kept and heap after a collection, peak with the garbage), the share of a core, and how long whatever comes
 * next has to wait. To be run in a process of its own.
 */
export async function measureStreams({ make }: Relaying, size: StreamsSize): Promise<Row["figures"]> {
  // Code that is loaded and compiled belongs to every process that answers a single question.
  const small = openStreams(make, { streams: 2, workspaces: 1, seconds: 5 });
  await small.begin();
  await small.feed(() => {});
  await small.end();
  await memorySettled();
  const before = process.memoryUsage();
  let peakBytes = 0;
  const time = simulateTime();
  const start = time.now();
  /** By workspace and minute. */
  const appends = new Map<string, number>();
  const streams = openStreams(make, size, time, ({ method, team, at }) => {
    if (method !== "chat.appendStream") return;
    const minute = `${team} ${Math.floor((at - start) / 60_000)}`;
    appends.set(minute, (appends.get(minute) ?? 0) + 1);
  });
  await streams.begin();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const cpuBefore = process.cpuUsage();
  await streams.feed(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss() - before.rss);
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  delays.disable();
  await memorySettled();
  const after = process.memoryUsage();
  const heapBytes = after.heapUsed - before.heapUsed;
  const keptBytes = after.rss - before.rss;
  const appendsPerMinute = Math.max(0, ...appends.values());
  await streams.end();
  return {
    "kept MB": keptBytes / MEGABYTE,
    "peak MB": Math.max(peakBytes, keptBytes) / MEGABYTE,
    "heap MB": heapBytes / MEGABYTE,
    "heap kB each": heapBytes / size.streams / 1000,
    cores: (user + system) / 1e6 / size.seconds,
    "loop delay p99 ms": delays.percentile(99) / 1e6,
    "appends a minute": appendsPerMinute,
  };
}

async function memorySettled(): Promise<void> {
  for (let times = 0; times < 3; times += 1) {
    collectGarbage();
    await settled();
  }
}

/** Prepares so many questions, one to a channel; nothing is asked before `begin`. */
export function openStreams(
  make: Relaying["make"],
  { streams, workspaces, seconds }: StreamsSize,
  time: SimulatedTime = simulateTime(),
  onCall: OnCall = () => {},
) {
  const relay = make({ time, slack: imitateSlack(time, onCall) });
  // The same bytes for all, so that the server's side of this process weighs nothing.
  const text = textOf(0, seconds * PACKETS_PER_SECOND * CHARACTERS).replaceAll(/\[\[\d\]\]\(\)/g, "");
  const packets: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; packets.length < seconds * PACKETS_PER_SECOND; at += CHARACTERS) {
    packets.push(textPacket(text.slice(at, at + CHARACTERS)));
  }
  const feeds: ReturnType<typeof openFeed>[] = [];
  const answers: Promise<void>[] = [];
  const state = { open: streams };

  return {
    async begin() {
      for (let stream = 0; stream < streams; stream += 1) {
        const feed = openFeed();
        feeds.push(feed);
        const place = { team: `t${stream % workspaces}`, channel: `C${stream}`, threadTs: `17${stream}.1` };
        answers.push(relay({ ...place, server: feed.server }).finally(() => (state.open -= 1)));
      }
      await settled();
      await time.move(1000);
    },
    /** Gives every stream its packets, `onSecond` after each simulated second. */
    async feed(onSecond: () => void) {
      for (const [index, bytes] of packets.entries()) {
        // As packets of many servers do, they come spread over the time between two of one.
        for (let part = 0; part < PARTS; part += 1) {
          for (let at = part; at < feeds.length; at += PARTS) feeds[at]?.push(bytes);
          await time.move(1000 / PACKETS_PER_SECOND / PARTS);
        }
        if (index % PACKETS_PER_SECOND === PACKETS_PER_SECOND - 1) onSecond();
      }
    },
    async end() {
      for (const feed of feeds) {
        feed.push(stopPacket());
        feed.end();
      }
      for (let waited = 0; state.open > 0 && waited < 3_600_000; waited += 100) await time.move(100);
      await Promise.all(answers);
    },
  };
}
