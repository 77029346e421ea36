import { describe, expect, it } from "vitest";
import { type DeployedTown, startDeployedTown } from "../testing/deployed-town.ts";
import { idle, KEYS, startTown, type Town } from "../testing/running-bot.ts";
import { scriptedAnswer } from "../testing/scripted-answer.ts";
import { afterThisTest } from "@threadlore/testkit";

const LONG = { timeout: 60_000 };
const RULES = "defaults:\n  pins: members\n";
const LEAVE = "How many days of annual leave do I have?";
const PINNED = "The boiler room code is four seven one one.";
/** Long enough to be shown while the answer is still being written. */
const BEGINNING =
  "The harbour office keeps the keys of the boat house, and hands them out against a signature. ".repeat(3);

/** A bot on one kind of server, and what a flow needs to know or to change there. */
interface Place<On extends Town = Town> {
  readonly town: On;
  /** `METHOD path` of every request, without what stands before and behind the path. */
  requests(): readonly string[];
  /** How many questions reached the server. */
  asked(): number;
  /** The next question's model fails. */
  failNext(): void;
  /** The next answer begins and does not end. */
  hangNext(): void;
}

const TIMES = { pinTimes: { confirmEveryMs: 50, spacingMs: 10, watchAfterMs: 20 } };

async function embedded(): Promise<Place> {
  const town = await startTown({
    rules: RULES,
    env: { THREADLORE_INGEST_KEY: KEYS.owner, THREADLORE_PAIR: "none", QUESTIONS_PER_USER: "off" },
    parts: TIMES,
  });
  afterThisTest(() => town.close());
  const { knowledge } = town;
  const next = (response: () => Response): void => {
    knowledge.fault = async (request) => {
      if (!request.url.endsWith("send-chat-message")) return undefined;
      knowledge.fault = undefined;
      return response();
    };
  };
  return {
    town,
    requests: () => knowledge.requests,
    asked: () => knowledge.asked.length,
    failNext: () =>
      next(() => {
        const line = JSON.stringify({ error: "busy", error_code: "RATE_LIMIT", is_retryable: true });
        return new Response(`data: ${line}\n\n`, { headers: { "content-type": "text/event-stream" } });
      }),
    hangNext: () =>
      next(() => {
        const script = scriptedAnswer();
        script.say(BEGINNING);
        return script.response;
      }),
  };
}

async function deployed(): Promise<Place<DeployedTown>> {
  const town = await startDeployedTown({ rules: RULES, parts: TIMES });
  const { server } = town;
  return {
    town,
    requests: () => server.log.map(({ method, path }) => `${method} ${path.replace(/\?.*/, "")}`),
    asked: () => server.questions.length,
    failNext: () => (server.faults.model = { code: "RATE_LIMIT", times: 1 }),
    hangNext: () => server.answerNext([{ piece: BEGINNING }, { until: new Promise(() => {}) }]),
  };
}

describe.each([
  ["the embedded service", embedded],
  ["a deployed server", deployed],
] as const)("on %s", LONG, (_, start) => {
  it("a question in a channel is answered with its source, and a follow-up goes on from there", async () => {
    const { town, asked } = await start();
    const { ada, general } = town;
    const ts = await ada.mention(general.id, LEAVE);
    const { shown } = await town.answered(general.id, ts);
    expect(shown).toContain("thirty days of annual leave");
    expect(shown).toContain("[1] Leave");
    expect(shown).toContain("[↻ Ask again]");
    await ada.mention(general.id, "How are train tickets booked?", { threadTs: ts });
    expect((await town.answered(general.id, ts, 2)).shown).toContain("second class");
    expect(asked()).toBe(2);
    expect(
      await town.bot.context.store.conversations.get(`${town.workspace.team.id}:${general.id}:${ts}:channel`),
    ).toMatchObject({ chatSessionId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    town.expectNoRefusals();
  });

  it("a direct message is answered", async () => {
    const { town } = await start();
    const ts = await town.ada.dm(LEAVE);
    const answer = await town.answered(town.workspace.dmOf(town.ada.user.id).id, ts);
    expect(answer.shown).toContain("thirty days of annual leave");
  });

  it("a pinned message is found, and unpinned it is not", async () => {
    const { town } = await start();
    const { ada, general, bot } = town;
    const ts = await ada.say(general.id, PINNED);
    await ada.pin(general.id, ts);
    const state = async (): Promise<string | undefined> => (await bot.context.store.findPin(general.id, ts))?.state;
    await expect.poll(state).toMatch(/accepted|indexed/);
    const question = "What is the boiler room code?";
    const answerTo = async (): Promise<string> =>
      (await town.answered(general.id, await ada.mention(general.id, question))).shown;
    await expect.poll(answerTo, { interval: 500 }).toContain("four seven one one");
    await ada.unpin(general.id, ts);
    await expect.poll(state).toBe("tombstone");
    expect(await answerTo()).not.toContain("four seven one one");
  });

  it("a judgement reaches the server", async () => {
    const { town, requests } = await start();
    const { ada, general } = town;
    const answer = await town.answered(general.id, await ada.mention(general.id, LEAVE));
    const ref = /"answer_regenerate","value":"([^"]+)"/.exec(JSON.stringify(answer.blocks))?.[1] ?? "";
    await ada.press({ channel: general.id, ts: answer.ts }, "answer_good", `good:${ref}`);
    await expect.poll(requests).toContainEqual(expect.stringMatching(/POST \/chat\/create-chat-message-feedback$/));
  });

  it("Stop ends an answer where it stands, on the server too", async () => {
    const { town, hangNext, requests } = await start();
    const { ada, workspace } = town;
    hangNext();
    const { id: dm } = workspace.dmOf(ada.user.id);
    const ts = await ada.dm(LEAVE);
    await workspace.until(() => town.answers(dm, ts)[0]?.shown.includes("boat house"));
    await ada.stop(dm, ts);
    await idle(town);
    await expect.poll(requests).toContainEqual(expect.stringMatching(/POST \/chat\/stop-chat-session\//));
    expect(town.answers(dm, ts)[0]?.shown).toContain("[↻ Ask again]");
    expect(town.answers(dm, ts)[0]?.shown).not.toContain("[Retry]");
  });

  it("Retry below a failure asks once more, and is answered", async () => {
    const { town, failNext, asked } = await start();
    const { ada, general } = town;
    failNext();
    const ts = await ada.mention(general.id, LEAVE);
    const failed = await town.answered(general.id, ts);
    expect(failed.shown).toContain("The language model is busy or out of reach at the moment.");
    await ada.press({ channel: general.id, ts: failed.ts }, "question_retry");
    expect((await town.answered(general.id, ts, 2)).shown).toContain("thirty days of annual leave");
    expect(asked()).toBe(2);
  });
});
