import { type ModelScript, type ScriptedModel, startScriptedModel } from "@threadlore/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { type ChatSubject, openChat } from "../../../chat.harness.ts";

let chat: ChatSubject;
let model: ScriptedModel;

afterEach(async () => {
  await chat.close();
  await model.close();
});

async function open(script: ModelScript) {
  model = await startScriptedModel(script);
  chat = await openChat({ model: { baseUrl: model.url, name: "scripted" } });
  await chat.ingest("leave", "Employees accrue 27 days of paid leave per year. Unused days expire on 31 March.");
  await chat.ingest(
    "overtime",
    "Overtime is compensated with time off at a ratio of 1:1.25. Anna Schmidt approves it.",
  );
}

const LEAVE = "[[1]](https://docs.example.com/leave)";

describe("what a model writes and cites", () => {
  it("is marked where the source holds no such number, right behind its sentence, and nowhere else", async () => {
    await open([
      { text: ["You get 45 days of lea", "ve [1]", ".", " Unused days expire on 31 March [1]. Ask if in doubt."] },
    ]);
    const reply = await chat.ask({ message: "How many days of leave do employees get?" });
    expect(reply.answer).toBe(
      `You get 45 days of leave ${LEAVE}. *(not found in the source: 45 days)* Unused days expire on 31 March ${LEAVE}. Ask if in doubt.`,
    );
    const remarks = reply.packets.flatMap(({ obj }) => (obj?.["not_in_source"] == null ? [] : [obj]));
    expect(remarks).toEqual([
      {
        type: "message_delta",
        content: " *(not found in the source: 45 days)*",
        not_in_source: { citation_numbers: [1], values: ["45 days"], opposite: false },
      },
    ]);
  });

  it("is marked in a complete response and in the history, too", async () => {
    await open([{ text: "You get 45 days [1]. Unused days expire on 31 March [1]." }]);
    const reply = await chat.answer({ message: "How many days of leave do employees get?" });
    expect(reply["answer"]).toContain("(not found in the source: 45 days)");
    expect(reply["not_in_source"]).toMatchObject([{ values: ["45 days"] }]);
    const { body } = await chat.call("GET", `/chat/get-chat-session/${String(reply["chat_session_id"])}`);
    expect(JSON.stringify(body)).toContain("(not found in the source: 45 days)");
  });

  it("is marked where the source says the opposite", async () => {
    await open([{ text: "Unused days do not expire on 31 March [1]." }]);
    const { answer, not_in_source } = await chat.answer({ message: "When do unused days of leave expire?" });
    expect(answer).toBe(`Unused days do not expire on 31 March ${LEAVE}. *(the source seems to say the opposite)*`);
    expect(not_in_source).toEqual([{ citation_numbers: [1], values: [], opposite: true }]);
  });

  it("is left alone where a sentence cites nothing, or where what it says is in any of its sources", async () => {
    const text = "That makes 45 days. Leave is 27 days [1] and overtime counts 1.25 times, says Anna Schmidt [1][2].";
    await open([{ text }]);
    const { answer, not_in_source } = await chat.answer({
      message: "How many days of paid leave per year, and at what ratio is overtime compensated?",
    });
    expect(answer).not.toContain("not found");
    expect(not_in_source).toEqual([]);
  });

  it("may repeat the question's own values beside one that is found", async () => {
    await open([{ text: "No, 45 days is too many: it is 27 [1]." }, { text: "Yes, it is 45 days [1]." }]);
    const message = "Do employees get 45 days of paid leave?";
    expect((await chat.answer({ message }))["answer"]).not.toContain("not found");
    expect((await chat.answer({ message }))["answer"]).toContain("(not found in the source: 45 days)");
  });

  it("is marked in the question's language", async () => {
    await open((request) => ({
      text: String(request.messages.at(-1)?.content).includes("休暇") ? "休暇は45日です[1]。" : "Es sind 45 Tage [1].",
    }));
    await chat.ingest("kyuka", "年次有給休暇は27日です。");
    await chat.ingest("urlaub", "Alle bekommen 27 Tage Urlaub im Jahr.");
    expect((await chat.answer({ message: "休暇は何日ですか？" }))["answer"]).toMatch(
      /\)。（出典に見当たりません：45日）$/,
    );
    expect((await chat.answer({ message: "Wie viele Tage Urlaub bekommen alle im Jahr?" }))["answer"]).toMatch(
      /\)\. \*\(nicht in der Quelle gefunden: 45 Tage\)\*$/,
    );
  });

  it("gets no link by way of a remark", async () => {
    await open([{ text: "Write to www.evil.example or x@evil.example about 45 days [1]." }]);
    const { answer } = await chat.answer({ message: "How many days of leave do employees get?" });
    expect(answer).toContain("not found in the source");
    expect(String(answer).match(/.?www\.evil\.example.?/g)).toEqual(["`www.evil.example`", "`www.evil.example`"]);
  });
});
