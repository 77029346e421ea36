import { afterEach, describe, expect, it } from "vitest";
import { startTown, type Town, type TownOptions } from "./testing/running-bot.ts";
import { scriptedAnswer } from "./testing/scripted-answer.ts";

const open: Town[] = [];

async function town(options: TownOptions = {}): Promise<Town> {
  const started = await startTown({
    workspace: {
      app: {
        commands: ["/ask"],
        shortcuts: [
          { name: "Ask about this", callbackId: "ask_message", type: "message" },
          { name: "Ask", callbackId: "ask_global", type: "global" },
        ],
      },
    },
    ...options,
  });
  open.push(started);
  return started;
}

afterEach(async () => {
  for (const one of open.splice(0)) {
    await one.close();
    one.expectNoRefusals();
  }
});

const LEAVE = "How many days of annual leave do I have?";
const LONG = { timeout: 90_000 };

describe("/ask", LONG, () => {
  it("answers the asker alone, also in a channel the bot is not in", async () => {
    const place = await town();
    const { ada, bo, workspace } = place;
    const side = workspace.addChannel({ name: "side", members: [ada.user.id, bo.user.id], withApp: false });
    const said = await ada.command(side.id, "/ask", LEAVE);
    expect(said).toMatchObject({ response_type: "ephemeral" });
    await workspace.until(() => ada.ephemerals(side.id).some(({ shown }) => shown.includes("thirty days")));
    expect(bo.ephemerals()).toEqual([]);
    expect(workspace.messages(side.id)).toEqual([]);
  });

  it("shares its answer, asked anew with the channel's own key, and only for its asker", async () => {
    const place = await town();
    const { ada, general, workspace, knowledge } = place;
    await ada.command(general.id, "/ask", LEAVE);
    const shown = await workspace.until(() => ada.ephemerals(general.id).find((one) => one.shown.includes("[Share]")));
    await ada.press({ channel: general.id, ts: shown.ts }, "answer_share");
    const root = await workspace.until(() =>
      workspace.messages(general.id).find(({ text }) => text.includes("asked:")),
    );
    expect(root.text).toContain(LEAVE);
    const answer = await place.answered(general.id, root.ts, 2);
    expect(answer.shown).toContain("thirty days");
    expect(knowledge.asked).toHaveLength(2);
    await ada.press({ channel: general.id, ts: shown.ts }, "answer_share");
    await workspace.until(() => ada.ephemerals(general.id).some((one) => one.shown.includes("shared this already")));
    expect(workspace.messages(general.id)).toHaveLength(1);
  });

  it.each(["", "help", "HELP"])("explains itself for %j", async (text) => {
    const place = await town();
    const said = await place.ada.command(place.general.id, "/ask", text);
    expect(JSON.stringify(said)).toContain("/ask pins");
    expect(place.knowledge.asked).toEqual([]);
  });

  it("says why it does not answer", async () => {
    const place = await town({ rules: "defaults:\n  who_may_ask: [admins]\n" });
    const { ada, general } = place;
    await ada.command(general.id, "/ask", LEAVE);
    const said = (): string =>
      ada
        .ephemerals(general.id)
        .map(({ shown }) => shown)
        .join("\n");
    await expect.poll(said).toContain("Only some people may ask");
  });
});

describe("Ask about this", LONG, () => {
  it("answers about the message and what led up to it, to the asker alone", async () => {
    const place = await town();
    const { ada, bo, general, workspace, knowledge } = place;
    const root = await bo.say(general.id, "The boiler leaks");
    const reply = await ada.say(general.id, "Since Monday", { threadTs: root });
    await bo.say(general.id, "AFTER IT", { threadTs: root });
    await ada.shortcut("ask_message", { channel: general.id, ts: reply });
    const modal = await workspace.until(() => ada.modals().at(-1));
    expect(await ada.submit(modal.id, { words: "   " })).toMatchObject({ response_action: "errors" });
    await ada.submit(modal.id, { words: "Who repairs *this*?", who: "me" });
    await workspace.until(() => ada.ephemerals(general.id).length > 0);
    const asked = knowledge.asked[0];
    expect(asked?.["message"]).toBe("Who repairs **this**?");
    expect(String(asked?.["additional_context"])).toContain("Since Monday");
    expect(String(asked?.["additional_context"])).not.toContain("AFTER IT");
    expect(place.answers(general.id, root)).toEqual([]);
  });

  it("answers in the thread when everybody is to see it", async () => {
    const place = await town();
    const { ada, bo, general, workspace } = place;
    const root = await bo.say(general.id, LEAVE);
    await ada.shortcut("ask_message", { channel: general.id, ts: root });
    const modal = await workspace.until(() => ada.modals().at(-1));
    await ada.submit(modal.id, { words: "What is the answer?", who: "thread" });
    expect((await place.answered(general.id, root)).stream?.state).toBe("stopped");
  });
});

describe("a channel the bot is not in", LONG, () => {
  it("gets a private answer from a shortcut, and is told why nothing can be shared there", async () => {
    const place = await town();
    const { ada, workspace } = place;
    const side = workspace.addChannel({ name: "side", members: [ada.user.id], withApp: false });
    const ts = await ada.say(side.id, "The boiler leaks");
    await ada.shortcut("ask_message", { channel: side.id, ts });
    const modal = await workspace.until(() => ada.modals().at(-1));
    await ada.submit(modal.id, { words: LEAVE, who: "me" });
    const shown = await workspace.until(() => ada.ephemerals(side.id).find((one) => one.shown.includes("thirty days")));
    await ada.press({ channel: side.id, ts: shown.ts }, "answer_share");
    await workspace.until(() => ada.ephemerals(side.id).some((one) => one.shown.includes("Invite me")));
    expect(workspace.messages(side.id, ts)).toHaveLength(1);
  });
});

describe("an answer that is not streamed", LONG, () => {
  it("shows by the platform's own line that it is being written", async () => {
    const place = await town({ env: { STREAMING: "off" } });
    const { ada, general, workspace, knowledge } = place;
    const script = scriptedAnswer();
    knowledge.fault = (request) =>
      Promise.resolve(request.url.endsWith("send-chat-message") ? script.response : undefined);
    const ts = await ada.mention(general.id, LEAVE);
    await workspace.until(() => workspace.session(general.id, ts)?.words.includes("looking for an answer"));
    script.say("Thirty days.");
    script.end();
    expect((await place.answered(general.id, ts)).shown).toContain("Thirty days.");
  });
});

describe("the global shortcut", LONG, () => {
  it("answers in the direct conversation, below what was asked", async () => {
    const place = await town();
    const { ada, workspace } = place;
    await ada.globalShortcut("ask_global");
    const modal = await workspace.until(() => ada.modals().at(-1));
    await ada.submit(modal.id, { words: LEAVE });
    const dm = workspace.dmOf(ada.user.id);
    const root = await workspace.until(() => workspace.messages(dm.id).find(({ text }) => text.includes("You asked:")));
    expect((await place.answered(dm.id, root.ts, 2)).shown).toContain("thirty days");
  });
});

describe("attachments", LONG, () => {
  it("are read where they can be, and named where they cannot", async () => {
    const place = await town();
    const { ada, general, knowledge } = place;
    const ts = await ada.mention(general.id, "What do these say?", {
      files: [
        { name: "notes.txt", mimetype: "text/plain", content: "The gate opens at six." },
        { name: "list.csv", mimetype: "text/csv", content: "name,berth\nSwan,12\n" },
        { name: "tour.mp4", mimetype: "video/mp4", content: "moving pictures" },
      ],
    });
    const answer = await place.answered(general.id, ts);
    expect(knowledge.asked[0]?.["file_descriptors"]).toMatchObject([{ name: "notes.txt" }, { name: "list.csv" }]);
    expect(answer.shown).toContain("tour.mp4");
    expect(answer.shown).toContain("I cannot read");
    expect(answer.shown).not.toContain("notes.txt:");
  });

  it("go along as text where the server takes no files", async () => {
    const place = await town();
    const { ada, general, knowledge } = place;
    knowledge.fault = (request) =>
      Promise.resolve(
        request.url.includes("/file/upload") ? Response.json({ detail: "Not Found" }, { status: 404 }) : undefined,
      );
    const ts = await ada.mention(general.id, "When does the gate open?", {
      files: [{ name: "notes.txt", mimetype: "text/plain", content: "The gate opens at six." }],
    });
    await place.answered(general.id, ts);
    expect(String(knowledge.asked[0]?.["additional_context"])).toContain("The gate opens at six.");
  });
});

describe("Stop", LONG, () => {
  it("ends the answer where it stands, and nothing is posted after it", async () => {
    const place = await town();
    const { ada, workspace, knowledge, bot } = place;
    const script = scriptedAnswer();
    knowledge.fault = (request) =>
      Promise.resolve(request.url.endsWith("send-chat-message") ? script.response : undefined);
    const dm = workspace.dmOf(ada.user.id);
    const ts = await ada.dm(LEAVE);
    script.say("The harbour office keeps the keys of the boat house, and hands them out. ".repeat(3));
    await workspace.until(() => place.answers(dm.id, ts)[0]?.text.includes("boat house"));
    await ada.stop(dm.id, ts);
    await script.left;
    await expect.poll(() => bot.context.store.backlog()).toEqual({ waiting: 0, running: 0 });
    const [answer] = place.answers(dm.id, ts);
    expect(answer?.stream?.state).toBe("stopped");
    expect(place.answers(dm.id, ts)).toHaveLength(1);
    expect(knowledge.requests.some((request) => request.includes("stop-chat-session"))).toBe(true);
    expect(workspace.session(dm.id, ts)?.status).toBe("active");
    // Who stopped it, and how to have it after all.
    expect(answer?.shown).toContain(`Stopped by @${ada.user.id}`);
    expect(answer?.shown).toContain("[↻ Ask again]");
  });
});

describe("buttons below an answer", LONG, () => {
  it("Ask again asks in the same place of the conversation", async () => {
    const place = await town();
    const { ada, general, knowledge } = place;
    const ts = await ada.mention(general.id, LEAVE);
    await place.answered(general.id, ts);
    await ada.mention(general.id, "And train tickets?", { threadTs: ts });
    const second = await place.answered(general.id, ts, 2);
    await ada.press({ channel: general.id, ts: second.ts }, "answer_regenerate");
    await place.answered(general.id, ts, 3);
    const [, asked, again] = knowledge.asked;
    expect(again).toMatchObject({
      message: "And train tickets?",
      chat_session_id: asked?.["chat_session_id"],
      parent_message_id: asked?.["parent_message_id"],
    });
    await ada.mention(general.id, "And buses?", { threadTs: ts });
    await place.answered(general.id, ts, 4);
    expect(Number(knowledge.asked[3]?.["parent_message_id"])).toBeGreaterThan(Number(again?.["parent_message_id"]));
  });

  it("do nothing for somebody else but tell them so, and obey an administrator", async () => {
    const place = await town();
    const { ada, bo, general, workspace, knowledge } = place;
    const chief = workspace.addUser({ name: "chief", kind: "admin" });
    await chief.join(general.id);
    const ts = await ada.mention(general.id, LEAVE);
    const answer = await place.answered(general.id, ts);
    await bo.press({ channel: general.id, ts: answer.ts }, "answer_regenerate");
    await workspace.until(() => bo.ephemerals(general.id).some(({ shown }) => shown.includes("Only who asked")));
    expect(knowledge.asked).toHaveLength(1);
    await chief.press({ channel: general.id, ts: answer.ts }, "answer_regenerate");
    await place.answered(general.id, ts, 2);
  });
});
