import { describe, expect, it } from "vitest";
import { lineOf } from "../pins/pins-command.ts";
import { type Town, useTowns } from "../testing/running-bot.ts";
import { scriptedAnswer, type ScriptedAnswer } from "../testing/scripted-answer.ts";

const town = useTowns((one) => one.expectNoRefusals());

const LONG = { timeout: 120_000 };
const HOSTILE =
  "<!channel> <@U0000001> <#C0000001> <!subteam^S1> @here &lt;!here&gt; <https://evil.test/a|reset> " +
  "[reset](https://evil.test/b) https://evil.test/c www.evil.test mailto:a@evil.test `*_~ ``` \u202E\u{E0041}";

function scripted({ knowledge }: Town): ScriptedAnswer {
  const script = scriptedAnswer();
  knowledge.fault = (request) =>
    Promise.resolve(request.url.endsWith("send-chat-message") ? script.response : undefined);
  return script;
}

/** Every text the bot gave the platform, whatever it is called there. */
function written({ workspace }: Town): string[] {
  const texts: string[] = [];
  const collect = (part: unknown): void => {
    if (typeof part === "string") texts.push(part);
    else if (typeof part === "object" && part !== null) for (const inner of Object.values(part)) collect(inner);
  };
  for (const { method, args } of workspace.calls) {
    if (/^(?:chat|views|agents|assistant|response_url|command_reply)/.test(method)) collect(args);
  }
  return texts;
}

/** What a reader of markup or of plain text would take for a mention or a link to the attacker. */
function expectHarmless(place: Town): void {
  const own = new RegExp(
    `<@(?:${place.workspace.app.botUserId}|${place.ada.user.id}|${place.bo.user.id})>|<!date\\^`,
    "g",
  );
  for (const text of written(place)) {
    const rest = text.replaceAll(own, "");
    expect(rest).not.toMatch(/<[!@#]/);
    expect(rest).not.toMatch(/<https?:\/\/evil|\]\(https?:\/\/evil|:\/\/evil|@here/);
    expect(rest).not.toMatch(/[\u202E\u{E0041}]/u);
  }
}

describe("words of the server", LONG, () => {
  it("that say why it failed stay with whoever runs it, however long they are", async () => {
    const place = await town();
    const script = scripted(place);
    const ts = await place.ada.mention(place.general.id, "How many days of annual leave do I have?");
    script.packet({ error: `It broke. ${"x".repeat(100_000)}` });
    script.end();
    const answer = await place.answered(place.general.id, ts);
    expect(answer.shown).toContain("The knowledge server could not finish the answer.");
    expect(answer.shown).not.toContain("It broke.");
  });

  it("that say why it ended do not keep what was answered before from people", async () => {
    const place = await town();
    const script = scripted(place);
    const ts = await place.ada.mention(place.general.id, "How many days of annual leave do I have?");
    script.say("Thirty days of leave.");
    script.packet({ error: `It broke. ${"x ".repeat(50_000)}` });
    script.end();
    const answer = await place.answered(place.general.id, ts);
    expect(answer.shown).toContain("Thirty days of leave.");
    expect(answer.shown).toContain("The knowledge server could not finish the answer.");
  });

  it("mention nobody and link nowhere, whatever they are about", async () => {
    const place = await town({ env: { ADMIN_CHANNEL: "" } });
    const script = scripted(place);
    const ts = await place.ada.mention(place.general.id, "How many days of annual leave do I have?");
    const placed = (obj: object): object => ({ placement: { turn_index: 0, tab_index: 0 }, obj });
    script.packet(placed({ type: "search_tool_start", is_internet_search: false }));
    script.packet(placed({ type: "search_tool_queries_delta", queries: [HOSTILE] }));
    const document = {
      document_id: "d",
      semantic_identifier: HOSTILE,
      link: "https://docs.ok.test/a",
      blurb: HOSTILE,
      source_type: "web",
    };
    script.packet(placed({ type: "search_tool_documents_delta", documents: [document] }));
    script.packet(placed({ type: "section_end" }));
    script.packet(placed({ type: "message_start", final_documents: [document] }));
    script.packet(placed({ type: "citation_info", citation_number: 1, document_id: "d" }));
    script.say(`${HOSTILE} [1]\n\n| a |\n|---|\n| ${HOSTILE.replaceAll("|", "/")} |\n`);
    script.packet({ error: HOSTILE });
    script.end();
    expect((await place.answered(place.general.id, ts)).shown).toContain("evil.test");
    expectHarmless(place);
  });
});

describe("words of the server about a kept message", () => {
  it("are shown as they are in its line", () => {
    const line = lineOf({
      team: "T1",
      channel: "C1",
      ts: "1.1",
      documentId: "d",
      state: "failed",
      by: "U1",
      title: HOSTILE,
      permalink: "https://harbour.example/archives/C1/p11",
      reason: HOSTILE,
      updatedAt: 0,
    });
    expect(line).not.toMatch(/<[!@#]|:\/\/evil|@here/);
    expect(line.match(/<https/g)).toHaveLength(1);
  });
});

describe("words of people", LONG, () => {
  it("mention nobody and link nowhere when a question is shared", async () => {
    const place = await town();
    const { workspace, general, knowledge } = place;
    const mallory = workspace.addUser({ name: "mallory", realName: `<!channel> ${HOSTILE}`.slice(0, 80) });
    await mallory.join(general.id);
    await mallory.command(general.id, "/ask", `${HOSTILE} how many days of leave?`);
    const shown = await workspace.until(() =>
      mallory.ephemerals(general.id).find((one) => /Ask again|\[Share\]|Reference/.test(one.shown)),
    );
    await mallory.press({ channel: general.id, ts: shown.ts }, "answer_share");
    await workspace.until(() => workspace.messages(general.id).find(({ text }) => text.includes("asked:")));
    expect(knowledge.asked.length).toBeGreaterThan(0);
    expectHarmless(place);
  });

  it("however long they are, can be shared", async () => {
    const place = await town();
    const { ada, general, workspace } = place;
    await ada.command(general.id, "/ask", `How many days of leave? ${"<&>".repeat(5_000)}`);
    const shown = await workspace.until(() =>
      ada.ephemerals(general.id).find((one) => /Ask again|\[Share\]|Reference/.test(one.shown)),
    );
    await ada.press({ channel: general.id, ts: shown.ts }, "answer_share");
    const root = await workspace.until(() =>
      workspace.messages(general.id).find(({ text }) => text.includes("asked:")),
    );
    expect((await place.answered(general.id, root.ts, 2)).shown).toMatch(/Ask again|\[Share\]|Reference/);
  });

  it("name files, and nothing in the name takes effect", async () => {
    const place = await town();
    const { ada, general } = place;
    const files = [
      `${HOSTILE}.exe`.replaceAll("/", "\u2215"),
      "https://evil.test.exe",
      "a @here www.evil.test.exe",
    ].map((name) => ({ name, mimetype: "application/x-dosexec", content: "MZ" }));
    const ts = await ada.mention(general.id, "How many days of annual leave do I have?", { files });
    const answer = await place.answered(general.id, ts);
    expect(answer.shown).toContain("I did not read");
    expectHarmless(place);
  });
});

describe("names that cannot be looked up", LONG, () => {
  it("do not keep a question from its answer", async () => {
    const place = await town();
    const { ada, bo, general, workspace } = place;
    const ts = await bo.say(general.id, `Ask <@U0NOBODY1> and <@U0NOBODY2> in <#C0NOWHERE>.`);
    await place.answered(general.id, await ada.mention(general.id, "How many days of annual leave do I have?"));
    workspace.faults.fail("users.info", { times: 50 });
    await ada.mention(general.id, "How are train tickets booked?", { threadTs: ts });
    const answer = await place.answered(general.id, ts);
    expect(answer.shown).toContain("second class");
  });
});
