import { seededRandom } from "@threadlore/testkit";
import { takeTurns } from "../measure.ts";
import { type Manner, scriptAnswer } from "./relay-answer.ts";
import { openFeed, type Relay, relayOurs, type RelayParts, relaySdk } from "./relay-contestants.ts";
import { imitateSlack, type SlackCall } from "./relay-slack.ts";
import { settled, type SimulatedTime, simulateTime } from "./relay-time.ts";

/** A way to relay, made anew for each scene. */
export interface Relaying {
  readonly name: string;
  readonly ours: boolean;
  make(parts: RelayParts): Relay;
}

export const RELAYS: readonly Relaying[] = [
  { name: "SDK chatStream, 256 characters (its default)", ours: false, make: (parts) => relaySdk(parts) },
  { name: "SDK chatStream, 1 character", ours: false, make: (parts) => relaySdk(parts, 1) },
  { name: "threadlore bot", ours: true, make: relayOurs },
];

/** Between two questions, so that each finds its workspace's budget as a quiet channel would, simulated milliseconds. */
const PAUSE_MS = 20_000;

/** Every relay over the same questions, in a new random order for each of them. */
export function measureFirstWords(relays: readonly Relaying[], manner: Manner, questions: number) {
  const desks = relays.map((relaying) => ({ ...relaying, run: openDesk(relaying, manner) }));
  return takeTurns(desks, questions, { warmUp: WARM_UP, random: seededRandom(3) });
}

/** Questions before anything counts. */
const WARM_UP = 20;

/** A relay with a Slack of its own, to which questions are put one after the other. */
function openDesk({ name, make }: Relaying, manner: Manner) {
  const time = simulateTime();
  let calls: SlackCall[] = [];
  const relay = make({ time, slack: imitateSlack(time, (call) => void calls.push(call)) });
  return async (question: number) => {
    calls = [];
    const number = question + WARM_UP;
    const script = scriptAnswer(number, manner);
    const firstTextAt = await play(relay, { time, number, script });
    const first = calls.find(({ text }) => text.trim() !== "");
    const problem = wrongIn(calls, script.text);
    if (problem !== undefined || first === undefined)
      throw new Error(`${name}, question ${number}: ${problem ?? "no text"}`);
    await time.move(PAUSE_MS);
    return {
      /** From the packet or timer that let the first text go until its call was with the HTTP layer, real milliseconds. */
      ownMs: first.ownMs,
      /** From the first packet of text to that call, simulated milliseconds: text held back, pacing, Slack's replies. */
      waitedMs: first.at - firstTextAt,
      /** For the whole answer. */
      calls: calls.length,
    };
  };
}

/** Puts one question and gives its answer, packet by packet; the simulated moment of the first text. */
async function play(
  relay: Relay,
  { time, number, script }: { time: SimulatedTime; number: number; script: ReturnType<typeof scriptAnswer> },
): Promise<number> {
  const feed = openFeed();
  const asked = time.now();
  const state = { isDone: false };
  const done = relay({ team: "t0", channel: "C1", threadTs: `17${number}.1`, server: feed.server }).finally(() => {
    state.isDone = true;
  });
  // Its failure is thrown below; until then nobody listens.
  done.catch(() => {});
  await settled();
  let firstTextAt: number | undefined;
  for (const { at, bytes, isText } of script.packets) {
    if (asked + at > time.now()) await time.move(asked + at - time.now());
    if (isText) firstTextAt ??= time.now();
    time.touch();
    feed.push(bytes);
    await settled();
  }
  feed.end();
  for (let waited = 0; !state.isDone && waited < MAX_MS; waited += 20) await time.move(20);
  if (!state.isDone) throw new Error(`Question ${number} was not answered in ten minutes.`);
  await done;
  return firstTextAt ?? time.now();
}

const MAX_MS = 600_000;

/** What Slack was not given of the text, in plain words. Marks of citations are left out: they read otherwise there. */
export function wrongIn(calls: readonly Pick<SlackCall, "text">[], text: string): string | undefined {
  const shown = wordsOf(calls.map((call) => call.text).join(""));
  const said = wordsOf(text);
  const at = said.findIndex((word, index) => word !== shown[index]);
  if (at < 0 && shown.length === said.length) return undefined;
  return `${shown.length} words of ${said.length} arrived; after "${said.slice(Math.max(0, at - 3), at).join(" ")}" came "${shown[at] ?? "nothing"}"`;
}

function wordsOf(text: string): string[] {
  return text.replaceAll(/\]\([^)]*\)/g, "]").match(/\p{L}+/gu) ?? [];
}
