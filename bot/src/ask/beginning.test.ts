import { describe, expect, it } from "vitest";
import { idle, type Town, useTowns } from "../testing/running-bot.ts";

const town = useTowns();

const LEAVE = "How many days of annual leave do I have?";
const LONG = { timeout: 120_000 };
const HOUR_MS = 3_600_000;

/** Asks by a form, about a message or from nowhere. */
async function askByForm({ workspace, ada }: Town, about?: { channel: string; ts: string }): Promise<void> {
  await (about === undefined ? ada.globalShortcut("ask_global") : ada.shortcut("ask_message", about));
  const modal = await workspace.until(() => ada.modals().at(-1));
  await ada.submit(modal.id, { words: LEAVE, ...(about === undefined ? {} : { who: "thread" }) });
}

/** What the bot wrote in a channel that begins a thread. */
const beginnings = ({ workspace }: Town, channel: string) =>
  workspace.messages(channel).filter(({ user, shown }) => user === workspace.app.botUserId && shown.includes(LEAVE));

describe("a bot whose machine's clock is ahead of the platform's", LONG, () => {
  const ahead = { parts: { now: () => Date.now() + 300_000 }, env: { STREAMING: "off" } };

  it("finds the answer in a thread whose post was not answered, and posts none again", async () => {
    const place = await town(ahead);
    const { bo, general, workspace } = place;
    const ts = await bo.say(general.id, "We talk about holidays here.");
    workspace.faults.dropResponse("chat.postMessage");
    await askByForm(place, { channel: general.id, ts });
    await place.answered(general.id, ts);
    await idle(place);
    expect(place.answers(general.id, ts)).toHaveLength(1);
    expect(workspace.calls.filter(({ method }) => method === "chat.postMessage")).toHaveLength(1);
  });

  it("finds the thread it began when that was not answered, and begins no second one", async () => {
    const place = await town(ahead);
    const { workspace, ada } = place;
    workspace.faults.dropResponse("chat.postMessage");
    await askByForm(place);
    const direct = workspace.dmOf(ada.user.id).id;
    await workspace.until(() => beginnings(place, direct).length > 0);
    await idle(place);
    expect(beginnings(place, direct)).toHaveLength(1);
  });
});

describe("a bot that is stopped while it begins a thread", LONG, () => {
  it("finds it when it starts again, and begins no second one", async () => {
    const place = await town({ parts: { drainMs: 50 }, env: { STREAMING: "off" } });
    const { workspace, ada } = place;
    const direct = workspace.dmOf(ada.user.id).id;
    // It stands there, and the bot does not hear so before it ends.
    workspace.faults.delay("chat.postMessage", 10_000, { times: 1 });
    await askByForm(place);
    await workspace.until(() => beginnings(place, direct).length > 0);
    await place.restart();
    const first = await workspace.until(() => beginnings(place, direct)[0]);
    await place.answered(direct, first.ts, 2);
    await idle(place);
    expect(beginnings(place, direct)).toHaveLength(1);
  });
});

describe("a thread whose first beginning was given up and came after all", LONG, () => {
  it("is the only one in the end", async () => {
    let past = 0;
    const patience = { callMs: 300, restMs: 20, lateCallsMs: [HOUR_MS] };
    const place = await town({ parts: { now: () => Date.now() + past, patience }, env: { STREAMING: "off" } });
    const { workspace, ada, bot } = place;
    const held = workspace.faults.hold("chat.postMessage");
    await askByForm(place);
    const direct = workspace.dmOf(ada.user.id).id;
    const first = await workspace.until(() => beginnings(place, direct)[0]);
    await place.answered(direct, first.ts, 2);
    await expect.poll(() => bot.context.store.backlog(), { timeout: 20_000 }).toEqual({ waiting: 1, running: 0 });
    held.release();
    await workspace.until(() => beginnings(place, direct).length === 2);
    past = HOUR_MS;
    await workspace.until(() => beginnings(place, direct).length === 1);
    expect(beginnings(place, direct)[0]?.ts).toBe(first.ts);
    // What it begins with, and the answer.
    expect(place.answers(direct, first.ts)).toHaveLength(2);
  });
});
