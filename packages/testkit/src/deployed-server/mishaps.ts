import { setTimeout as delay } from "node:timers/promises";
import type { DeployedServer } from "./deployed-server.ts";
import type { Place, ReplyCut } from "./faults.ts";

/** What goes wrong with the next question, in words, and how it is made to. */
export interface Mishap {
  /** Such as `cut (reset) after 3 packets, restart after 12 ms`. */
  readonly words: string;
  /** The server goes away and forgets what it was answering, so that there may be nothing whole to give. */
  readonly losesAnswers: boolean;
  /** Sets it up. The server must have nothing wrong. */
  begin(server: DeployedServer): void;
  /** Waits for what is still to go wrong, and puts all of it right. */
  end(server: DeployedServer): Promise<void>;
}

/**
 * A random mix of cuts, restarts and silences: up to three cuts of the answer and of what is sent of it again, a pause
 * in it, and a server that goes away in the middle of it.
 * @param random from 0 to below 1, as `seededRandom` gives it
 */
export function randomMishap(random: () => number): Mishap {
  const below = (limit: number): number => Math.floor(random() * limit);
  const isSo = (share: number): boolean => random() < share;
  const cuts = Array.from({ length: isSo(0.75) ? 1 + below(3) : 0 }, (): ReplyCut => ({
    at: PLACES[below(PLACES.length)]?.(below) ?? "before-head",
    how: HOW[below(HOW.length)] ?? "close",
  }));
  const silence = isSo(0.4) ? { packets: below(6), ms: 10 + below(120) } : undefined;
  const restart = isSo(0.3)
    ? { afterMs: below(120), downMs: 10 + below(150), answers: isSo(0.5) ? ("die" as const) : ("go-on" as const) }
    : undefined;
  let restarted: Promise<void> | undefined;
  return {
    words: [
      ...cuts.map(({ at, how }) => `cut (${how}) ${JSON.stringify(at)}`),
      ...(silence === undefined ? [] : [`silence of ${silence.ms} ms after ${silence.packets} packets`]),
      ...(restart === undefined
        ? []
        : [`restart after ${restart.afterMs} ms for ${restart.downMs} ms, answers ${restart.answers}`]),
    ].join(", "),
    losesAnswers: restart?.answers === "die",
    begin(server) {
      server.faults.cut = [...cuts];
      server.faults.silence = silence;
      if (restart !== undefined) restarted = goAway(server, restart);
    },
    async end(server) {
      await restarted;
      server.faults.cut = undefined;
      server.faults.silence = undefined;
    },
  };
}

/** As connections end: with notice, without, and as if the reply had been whole. */
const HOW = ["close", "reset", "clean"] as const;

const PLACES: readonly ((below: (limit: number) => number) => Place)[] = [
  () => "before-head",
  () => "after-head",
  () => "before-end",
  (below) => ({ lines: below(6) }),
  (below) => ({ insideLine: below(6) }),
  (below) => ({ insidePacket: below(6) }),
  (below) => ({ packets: below(8) }),
];

async function goAway(
  server: DeployedServer,
  { afterMs, downMs, answers }: { afterMs: number; downMs: number; answers: "die" | "go-on" },
): Promise<void> {
  await delay(afterMs);
  await server.restart(downMs, { answers });
}
