import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Person, Workspace } from "@threadlore/chat-workspace";
import { temporaryFolder } from "@threadlore/testkit";
import { prepare } from "../../../scenarios/kill.harness.ts";
import { haveKept } from "../../../testing/have-kept.ts";
import { KEYS } from "../../../testing/running-bot.ts";

/** What came of calls whose bot was killed again and again. */
interface CallKillReport {
  readonly kills: number;
  /** By question: how often people were asked, its asker told, and whether its answer stands as kept. */
  readonly calls: readonly number[];
  readonly told: readonly number[];
  readonly kept: readonly boolean[];
  readonly refusals: readonly unknown[];
}

/** Something nobody wrote down, another one each time. */
const THINGS = [
  "kayak trailer",
  "sextant box",
  "moss garden",
  "brass telescope",
  "lime kiln",
  "owl nest",
  "tin whistle",
];

/**
 * People ask, want a person, reply and keep the answer, each as soon as the bot lets them, while the bot is killed at random
 * points; then the last one finishes.
 */
export async function callKillLoop({ kills, seed, questions }: { kills: number; seed: number; questions: number }) {
  const rules = join(temporaryFolder(), "rules.yaml");
  const ground = await prepare(seed, { RULES_FILE: rules, THREADLORE_INGEST_KEY: KEYS.owner, THREADLORE_PAIR: "none" });
  const { workspace, random } = ground;
  const ada = workspace.addUser({ name: "asks" });
  const bo = workspace.addUser({ name: "knows" });
  writeFileSync(rules, `defaults:\n  helpers: [${bo.user.id}]\n`);
  const rooms = Array.from({ length: questions }, (_, at) =>
    workspace.addChannel({ name: `call-${at}`, members: [ada.user.id, bo.user.id], withApp: true }),
  );
  let next = ground.load();
  try {
    const asking: ReturnType<typeof play>[] = [];
    const ask = (at: number): void => {
      const thing = `${THINGS[at % THINGS.length]} ${at}`;
      const playing = play(workspace, { ada, bo }, { channel: rooms[at]?.id ?? "", thing });
      playing.catch(() => undefined);
      asking.push(playing);
    };
    for (let kill = 0; kill < kills; kill += 1) {
      const child = next;
      await child.loaded;
      next = ground.load();
      child.begin();
      await child.started;
      // One after the other, so that each meets kills at every step.
      if (kill % (kills / questions) === 0) ask(asking.length);
      await pause(random() * 1_200);
      await child.kill();
    }
    await next.loaded;
    next.begin();
    const threads = await Promise.all(asking);
    await pause(2_000);
    return report(workspace, { kills, threads });
  } finally {
    await next.kill();
    await ground.close();
  }
}

interface Place {
  readonly channel: string;
  readonly thing: string;
}

/** One question, from being asked to its kept answer. Resolves with its thread. */
async function play(workspace: Workspace, { ada, bo }: { ada: Person; bo: Person }, { channel, thing }: Place) {
  const ts = await ada.mention(channel, `Where is the ${thing} of the northern station?`);
  const reply = `The ${thing} of the northern station is behind the ${thing} door.`;
  await haveKept(workspace, { asker: ada, helper: bo, reply }, { channel, ts });
  return { channel, ts };
}

function report(
  workspace: Workspace,
  { kills, threads }: { kills: number; threads: readonly { channel: string; ts: string }[] },
): CallKillReport {
  const own = threads.map(({ channel, ts }) =>
    workspace.messages(channel, ts).filter(({ user }) => user === workspace.app.botUserId),
  );
  return {
    kills,
    calls: own.map((all) => all.filter(({ shown }) => /Answered by|needs a person/.test(shown)).length),
    told: own.map((all) => all.filter(({ text }) => text.includes("answered this")).length),
    kept: own.map((all) => all.some(({ shown }) => shown.includes("Answered by"))),
    refusals: workspace.calls.flatMap(({ refusals }) => refusals),
  };
}
