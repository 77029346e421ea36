import { afterEach, describe, expect, it } from "vitest";
import { startTown, type Town } from "../testing/running-bot.ts";

let town: Town | undefined;

afterEach(async () => {
  await town?.close();
  town = undefined;
});

const QUESTION = "How many days of annual leave do I have?";

/** A server that takes the question and never says a word. */
async function inSilence(options: { giveUpMs: number; ageS?: number; streaming?: "on" | "off" }): Promise<Town> {
  const { giveUpMs, ageS = 240, streaming = "on" } = options;
  const at = await startTown({
    env: { STREAM_MAX_AGE_S: String(ageS), STREAMING: streaming },
    parts: {
      serverTimeouts: { firstByteMs: giveUpMs, slowFirstByteMs: giveUpMs, quietIdleMs: giveUpMs },
      patience: { silence: { slowMs: 300, sayMs: [1_000, 4_000] } },
    },
  });
  town = at;
  at.knowledge.fault = async (request) => {
    if (!new URL(request.url).pathname.endsWith("/chat/send-chat-message")) return undefined;
    return new Response(new ReadableStream({ start() {} }), { headers: { "content-type": "text/event-stream" } });
  };
  return at;
}

const tasksOf = (at: Town, ts: string): readonly Record<string, unknown>[] =>
  at.answers(at.general.id, ts).flatMap(({ stream }) => stream?.tasks ?? []);

describe("a server that is silent", () => {
  it("is named twice with a way out, then given up; no card stays at work, and no message without words", async () => {
    const at = await inSilence({ giveUpMs: 12_000, ageS: 5 });
    const { workspace, ada, general } = at;
    const ts = await ada.mention(general.id, QUESTION);
    for (const title of [/Still waiting/, /Nothing new from the knowledge server for 1 seconds/, /for 4 seconds/]) {
      await workspace.until(() => tasksOf(at, ts).some((task) => title.test(String(task["title"]))));
    }
    await workspace.until(() => at.answers(general.id, ts).some(({ shown }) => shown.includes("Reference ")));
    expect(ada.ephemerals(general.id).map(({ shown }) => shown)).toEqual([
      expect.stringMatching(/nothing new for 1 seconds[^]*\[Stop\]/),
      expect.stringMatching(/nothing new for 4 seconds[^]*\[Stop\]/),
    ]);
    // It grew older than a message may without a word in it: still there is one message, and it says how it ended.
    const answers = at.answers(general.id, ts);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.shown).toContain("I could not answer this");
    expect(answers[0]?.shown).toContain("[Retry]");
    expect(answers[0]?.stream?.state).toBe("stopped");
    expect(tasksOf(at, ts).map((task) => task["status"])).toEqual(["error"]);
    expect(workspace.session(general.id, ts)?.status).toBe("active");
    at.expectNoRefusals();
  }, 60_000);

  it("can be left by the button the asker alone sees", async () => {
    const at = await inSilence({ giveUpMs: 60_000 });
    const { workspace, ada, bo, general } = at;
    const ts = await ada.mention(general.id, QUESTION);
    await workspace.until(() => ada.ephemerals(general.id).length > 0);
    expect(bo.ephemerals(general.id)).toEqual([]);
    const [offer] = ada.ephemerals(general.id);
    await ada.press({ channel: general.id, ts: offer?.ts ?? "" }, "question_stop");
    await workspace.until(() => at.answers(general.id, ts)[0]?.stream?.state === "stopped");
    expect(tasksOf(at, ts).map((task) => task["status"])).toEqual(["complete"]);
    expect(workspace.session(general.id, ts)?.status).toBe("active");
  }, 60_000);

  it("leaves no status line behind where answers are posted", async () => {
    const at = await inSilence({ giveUpMs: 8_000, streaming: "off" });
    const { workspace, ada, general } = at;
    const ts = await ada.mention(general.id, QUESTION);
    await workspace.until(() => workspace.session(general.id, ts)?.words.includes("for 1 seconds"));
    await workspace.until(() => at.answers(general.id, ts).some(({ shown }) => shown.includes("Reference ")));
    expect(workspace.session(general.id, ts)).toMatchObject({ status: "active", words: "" });
    expect(at.answers(general.id, ts)).toHaveLength(1);
  }, 60_000);
});
