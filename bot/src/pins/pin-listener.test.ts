import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { quickDisk } from "@threadlore/testkit";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type PinsKnowledge,
  type PinsBot,
  startKnowledge,
  startPinsBot,
  startTown,
  until,
} from "../testing/pins-setup.ts";
import { troubles } from "../knowledge-server/server-trouble.ts";
import { registerMessages } from "../listeners.ts";
import { hearOfKept, registerPins } from "./pin-listener.ts";

const PIN_LISTENERS = [registerMessages([hearOfKept]), registerPins];

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

type Town = Awaited<ReturnType<typeof startTown>>;

async function town(options: Parameters<typeof startTown>[0] = {}): Promise<Town> {
  const started = await startTown(options);
  open.push(() => started.workspace.close());
  return started;
}

function knowledgeServer(): PinsKnowledge {
  const knowledge = startKnowledge();
  open.push(() => knowledge.close());
  return knowledge;
}

async function bot(setup: Omit<Parameters<typeof startPinsBot>[0], "registers">): Promise<PinsBot> {
  const started = await startPinsBot({ registers: PIN_LISTENERS, ...setup });
  open.push(() => started.stop());
  return started;
}

/** Where a bot that is started again keeps its store. */
function storeFile(): { path: string; folder: () => void } {
  const folder = mkdtempSync(join(quickDisk(), "pins-"));
  return { path: join(folder, "bot.db"), folder: () => rmSync(folder, { recursive: true, force: true }) };
}

const keeps = (channel: string, pins: string = "members"): string => `channels:\n  ${channel}:\n    pins: ${pins}\n`;

/** No payload of the bot would have been refused by Slack. */
function expectNoRefusals({ workspace }: Town): void {
  expect(workspace.calls.filter(({ refusals }) => refusals.length > 0)).toEqual([]);
}

const marksOn = ({ workspace }: Town, channel: string, ts: string): string[] =>
  (workspace.message(channel, ts)?.reactions ?? []).map(({ name }) => name);

/** Resolves when the bot's marks on a message are exactly these. */
async function untilMarked(place: Town, channel: string, ts: string, ...marks: string[]): Promise<void> {
  const wanted = JSON.stringify(marks);
  await place.workspace
    .until(() => JSON.stringify(marksOn(place, channel, ts)) === wanted, 30_000)
    .catch(() => undefined);
  expect(marksOn(place, channel, ts)).toEqual(marks);
}

/** What only this person was told, once there is something. */
async function toldTo({ workspace }: Town, person: Town["ada"], channel: string): Promise<string[]> {
  return workspace.until(() => {
    const texts = person.ephemerals(channel).map(({ text }) => text);
    return texts.length > 0 && texts;
  });
}

const INDEXED = "white_check_mark";
const LONG = { timeout: 90_000 };

describe("a pinned message", LONG, () => {
  it("becomes a document that can be found, and shows it", async () => {
    const place = await town();
    const { workspace, ada, bo, ops } = place;
    const knowledge = knowledgeServer();
    const { context } = await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const ts = await ada.say(ops.id, `The *boiler code* is 4711, ask <@${bo.user.id}>`);
    await bo.say(ops.id, "Since when?", { threadTs: ts });
    await bo.pin(ops.id, ts);
    await untilMarked(place, ops.id, ts, INDEXED);
    const texts = await knowledge.texts();
    expect(texts).toContain("The **boiler code** is 4711, ask @Bo Lind");
    expect(texts).toContain("Since when?");
    expect(texts).toContain(`/archives/${ops.id}/p${ts.replace(".", "")}`);
    expect(await knowledge.deployment.documents()).toMatchObject([
      { document_id: `slack-${workspace.team.id}-${ops.id}-${ts}`, status: "indexed" },
    ]);
    const full = await context.servers.channel.client.sendMessage({ message: "What is the boiler code?" });
    expect(full.answer).toContain("4711");
    const notices = workspace.messages(ops.id).filter(({ text }) => text.includes("become documents"));
    expect(notices).toHaveLength(1);
    const pin = await until(async () => {
      const found = await context.store.findPin(ops.id, ts);
      return found?.state === "indexed" && found;
    });
    expect(pin).toMatchObject({ by: bo.user.id, title: "The boiler code is 4711, ask @Bo Lind", pair: 1 });
    expectNoRefusals(place);
  });

  it("follows its edits, and tells the channel only once", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    const { settled } = await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const [first, second] = [await ada.say(ops.id, "Gate code 1111"), await ada.say(ops.id, "Lift code 2222")];
    await ada.pin(ops.id, first);
    await ada.pin(ops.id, second);
    await untilMarked(place, ops.id, first, INDEXED);
    await untilMarked(place, ops.id, second, INDEXED);
    await ada.edit(ops.id, first, "Gate code 3333");
    await until(async () => (await knowledge.texts()).includes("3333"));
    await settled();
    expect(await knowledge.texts()).not.toContain("1111");
    await untilMarked(place, ops.id, first, INDEXED);
    expect(workspace.messages(ops.id).filter(({ text }) => text.includes("become documents"))).toHaveLength(1);
    expectNoRefusals(place);
  });

  it.each([
    ["unpinned", "none", /^$/],
    ["deleted", "none", /^$/],
    ["unpinned", "no-delete", /This message was unpinned in #ops on/],
    ["deleted", "no-delete", /This message was deleted in #ops on/],
  ] as const)("is forgotten when it is %s, on a server with fault %s", async (how, fault, left) => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    const { context, settled } = await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const ts = await ada.say(ops.id, "The safe code is 9876");
    await ada.pin(ops.id, ts);
    await untilMarked(place, ops.id, ts, INDEXED);
    knowledge.fault = fault;
    if (how === "unpinned") await ada.unpin(ops.id, ts);
    else await ada.delete(ops.id, ts);
    await until(async () => !(await knowledge.texts()).includes("9876"));
    await settled();
    const texts = await knowledge.texts();
    expect(texts).toMatch(left);
    expect(texts).not.toMatch(/Ada|archives/);
    if (how === "unpinned") await untilMarked(place, ops.id, ts);
    expect(await context.store.findPin(ops.id, ts)).toMatchObject({ state: "tombstone", title: "" });
    expectNoRefusals(place);
  });

  it("stays forgotten when that happens the moment the server finds it, and loses its mark", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const { context } = await bot({ workspace, knowledge: knowledgeServer(), rules: keeps(ops.id) });
    const { store } = context;
    const replace = store.replacePin.bind(store);
    const replaced = vi.spyOn(store, "replacePin").mockImplementation(async (found, pin) => {
      await store.savePin({ ...found, title: "", state: "tombstone" });
      return replace(found, pin);
    });
    const ts = await ada.say(ops.id, "The safe code is 5432");
    await ada.pin(ops.id, ts);
    await until(async () => replaced.mock.calls.length > 0);
    await untilMarked(place, ops.id, ts);
    expect(await store.findPin(ops.id, ts)).toMatchObject({ state: "tombstone", title: "" });
  });

  it("comes back when it is pinned again", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const ts = await ada.say(ops.id, "The attic is open");
    for (const pin of [true, false, true]) {
      if (pin) await ada.pin(ops.id, ts);
      else await ada.unpin(ops.id, ts);
      await untilMarked(place, ops.id, ts, ...(pin ? [INDEXED] : []));
    }
    expect(await knowledge.texts()).toContain("The attic is open");
  });

  it("in a thread is kept with what led up to it, and grows with nothing that came after", async () => {
    const place = await town();
    const { workspace, ada, bo, ops } = place;
    const knowledge = knowledgeServer();
    await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const root = await ada.say(ops.id, "Who has the van key?");
    const reply = await bo.say(ops.id, "It hangs in the mail room", { threadTs: root });
    await ada.say(ops.id, "Cheers everybody", { threadTs: root });
    await ada.pin(ops.id, reply);
    await untilMarked(place, ops.id, reply, INDEXED);
    const texts = await knowledge.texts();
    expect(texts).toMatch(/^It hangs in the mail room\n/);
    expect(texts).toContain("Who has the van key?");
    expect(texts).not.toContain("Cheers");
  });

  it("with a very long thread is read to its end; a reply late in one, with what stands right before it", async () => {
    const place = await town();
    const { workspace, ada, bo, ops } = place;
    const knowledge = knowledgeServer();
    await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const root = await ada.say(ops.id, "The long one");
    let last = root;
    for (let index = 1; index <= 220; index += 1) last = await bo.say(ops.id, `reply-${index}.`, { threadTs: root });
    await ada.pin(ops.id, last);
    await untilMarked(place, ops.id, last, INDEXED);
    const late = await knowledge.texts();
    expect(late).toContain("The long one");
    expect(late).toContain("[189 messages are left out here.]");
    expect(late).toContain("reply-190.");
    expect(late).not.toContain("reply-189.");
    await ada.pin(ops.id, root);
    await untilMarked(place, ops.id, root, INDEXED);
    const whole = await knowledge.texts();
    for (const index of [1, 189, 199, 200, 201, 220]) expect(whole).toContain(`reply-${index}.`);
    expectNoRefusals(place);
  });

  it("whose thread grows is brought up to date", async () => {
    let now = Date.now();
    const place = await town();
    const { workspace, ada, bo, ops } = place;
    const knowledge = knowledgeServer();
    const { context, settled } = await bot({ workspace, knowledge, rules: keeps(ops.id), now: () => now });
    const ts = await ada.say(ops.id, "Where do parcels go?");
    await ada.pin(ops.id, ts);
    await untilMarked(place, ops.id, ts, INDEXED);
    await settled();
    await bo.say(ops.id, "To the mail room", { threadTs: ts });
    // Replies come in bursts: it waits for the end of the minute.
    await until(async () => (await context.store.backlog()).waiting === 1);
    expect(await knowledge.texts()).not.toContain("To the mail room");
    now += 61_000;
    expect(await until(async () => (await knowledge.texts()).includes("To the mail room"))).toBe(true);
  });

  it("whose thread loses a reply or its first message loses them in its document", async () => {
    const place = await town();
    const { workspace, ada, bo, ops } = place;
    const knowledge = knowledgeServer();
    const { settled } = await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const ts = await ada.say(ops.id, "Where is the ladder?");
    const reply = await bo.say(ops.id, "Behind the boiler", { threadTs: ts });
    await bo.say(ops.id, "Under the stairs", { threadTs: ts });
    await ada.pin(ops.id, ts);
    await untilMarked(place, ops.id, ts, INDEXED);
    await settled();
    await bo.delete(ops.id, reply);
    const texts = await until(async () => {
      const now = await knowledge.texts();
      return !now.includes("Behind the boiler") && now;
    });
    expect(texts).toContain("Under the stairs");
    await ada.delete(ops.id, ts);
    await until(async () => (await knowledge.texts()) === "");
  });

  it("that is emptied is not found any more", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    const { settled } = await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const ts = await ada.say(ops.id, "Oops, a password: hunter2");
    await ada.pin(ops.id, ts);
    await untilMarked(place, ops.id, ts, INDEXED);
    await settled();
    await ada.edit(ops.id, ts, " ");
    expect(await until(async () => (await knowledge.texts()) === "")).toBe(true);
    await untilMarked(place, ops.id, ts);
  });

  it("that says nothing is refused in plain words", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const ts = await ada.say(ops.id, " ");
    await ada.pin(ops.id, ts);
    await untilMarked(place, ops.id, ts, "warning");
    expect(await toldTo(place, ada, ops.id)).toEqual([expect.stringContaining("no text in this message")]);
    expect(await knowledge.texts()).toBe("");
  });

  it("is kept once, however often and in whatever order its events come", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    const { settled, context } = await bot({ workspace, knowledge, rules: keeps(ops.id) });
    workspace.faults.duplicateEvents(4);
    workspace.faults.shuffleEvents(200);
    const [stays, goes] = [await ada.say(ops.id, "Alpha stays"), await ada.say(ops.id, "Beta goes")];
    await ada.pin(ops.id, stays);
    await ada.pin(ops.id, goes);
    await ada.unpin(ops.id, goes);
    await untilMarked(place, ops.id, stays, INDEXED);
    await until(async () => (await context.store.findPin(ops.id, goes))?.state === "tombstone");
    await settled();
    expect(await knowledge.texts()).toContain("Alpha stays");
    expect(await knowledge.texts()).not.toContain("Beta goes");
    expect(knowledge.requests.filter((request) => request.startsWith("POST")).length).toBeLessThanOrEqual(2);
  });
});

describe("who may have messages kept, and where (T32)", LONG, () => {
  it("0 ingestions outside the opt-in, in every kind of place and by every kind of person", async () => {
    const place = await town();
    const { workspace, ada, bo } = place;
    const knowledge = knowledgeServer();
    const guest = workspace.addUser({ name: "gus", kind: "guest" });
    const stranger = workspace.addUser({ name: "sid", kind: "stranger" });
    const outsider = workspace.addUser({ name: "olga" });
    const admin = workspace.addUser({ name: "amy", kind: "admin" });
    const people = [ada, bo, admin, guest, stranger];
    const members = people.map(({ user }) => user.id);
    const add = (name: string, kind: "public" | "private" | "mpim") =>
      workspace.addChannel({ name, kind, members, withApp: true });
    const channels = {
      off: add("off", "public"),
      open: add("open", "public"),
      listed: add("listed", "public"),
      hidden: add("hidden", "private"),
      hiddenKept: add("hidden-kept", "private"),
      group: add("group", "mpim"),
      shared: add("shared", "public"),
      pending: add("pending", "public"),
    };
    workspace.share(channels.shared.id, "yes");
    workspace.share(channels.pending.id, "pending");
    const rules = [
      "defaults:",
      "  pins: members",
      "channels:",
      `  ${channels.off.id}: {pins: off}`,
      `  ${channels.listed.id}: {pins: [${bo.user.id}]}`,
      `  ${channels.hiddenKept.id}: {pins: members}`,
      `  ${channels.shared.id}: {pins: members}`,
    ].join("\n");
    const { settled, context } = await bot({ workspace, knowledge, rules });
    const said = new Map<string, string>();
    for (const [name, channel] of Object.entries(channels)) {
      for (const person of people) {
        const text = `canary-${name}-${person.user.name}`;
        const ts = await ada.say(channel.id, text);
        await person.pin(channel.id, ts);
        said.set(text, ts);
      }
    }
    const dm = await ada.dm("canary-dm-ada");
    await ada.pin(workspace.dmOf(ada.user.id).id, dm);
    // A forged event: the pinner is no member of the channel.
    const forged = await ada.say(channels.open.id, "canary-open-olga");
    await workspace.deliver({
      type: "pin_added",
      user: outsider.user.id,
      channel_id: channels.open.id,
      item: {
        type: "message",
        channel: channels.open.id,
        message: { ts: forged },
        created: 1,
        created_by: outsider.user.id,
      },
      event_ts: "1.000001",
    });
    await until(async () => (await context.store.allPins()).filter(({ state }) => state === "indexed").length >= 7);
    await settled();
    const kept = [...(await knowledge.texts()).matchAll(/canary-[a-z-]+/gi)].map(([word]) => word);
    expect(new Set(kept)).toEqual(
      new Set([
        "canary-open-ada",
        "canary-open-bo",
        "canary-open-amy",
        "canary-listed-bo",
        "canary-hiddenKept-ada",
        "canary-hiddenKept-bo",
        "canary-hiddenKept-amy",
      ]),
    );
    // Who pins where others' pins are kept learns that theirs is not; elsewhere nobody is bothered.
    expect(ada.ephemerals(channels.listed.id).map(({ text }) => text)).toEqual([expect.stringContaining("Only some")]);
    expect(ada.ephemerals(channels.off.id)).toEqual([]);
    expect(workspace.messages(channels.off.id).every(({ text }) => text.startsWith("canary"))).toBe(true);
    expectNoRefusals(place);
  });

  it("a channel that opts out is not updated any more", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    const started = await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const ts = await ada.say(ops.id, "before");
    await ada.pin(ops.id, ts);
    await untilMarked(place, ops.id, ts, INDEXED);
    await started.settled();
    started.setRules(keeps(ops.id, "off"));
    await ada.edit(ops.id, ts, "after");
    await until(async () => {
      const trace = await started.context.store.traceOf(`${workspace.team.id}:${ops.id}:${ts}`);
      return trace.some(({ words }) => words.includes("not opted in"));
    });
    await started.settled();
    expect(await knowledge.texts()).not.toContain("after");
    // Its removal still works.
    await ada.unpin(ops.id, ts);
    await until(async () => (await knowledge.texts()) === "");
  });
});

describe("a kept message that is edited again and again", LONG, () => {
  const edits = async (place: Town, ts: string): Promise<void> => {
    for (let count = 1; count <= 20; count += 1) {
      await place.ada.edit(place.ops.id, ts, `The code is ${4_000 + count}`);
      // Between them others have their turn; much longer than all of them together is gathered.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  it("is brought up to date at most twice, and ends as it reads last", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const ts = await ada.say(ops.id, "The code is 4000");
    await ada.pin(ops.id, ts);
    await untilMarked(place, ops.id, ts, INDEXED);
    const ingestions = (): number => knowledge.requests.filter((one) => one.includes("ingestion")).length;
    const before = ingestions();
    await edits(place, ts);
    await until(async () => (await knowledge.texts()).includes("The code is 4020"));
    expect(ingestions() - before).toBeLessThanOrEqual(2);
  });

  it("ends as it reads last, also when the bot was gone at that moment", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    const { folder, path } = storeFile();
    const first = await startPinsBot({
      registers: PIN_LISTENERS,
      workspace,
      knowledge,
      rules: keeps(ops.id),
      database: path,
    });
    const ts = await ada.say(ops.id, "The code is 4000");
    await ada.pin(ops.id, ts);
    await untilMarked(place, ops.id, ts, INDEXED);
    await edits(place, ts);
    await until(async () => (await first.context.store.backlog()).waiting > 0);
    await first.stop();
    await bot({ workspace, knowledge, rules: keeps(ops.id), database: path });
    open.push(async () => folder());
    await expect.poll(() => knowledge.texts()).toContain("The code is 4020");
  });
});

describe("when something is missing or fails", LONG, () => {
  it.each([
    ["no pair was decided", { THREADLORE_PAIR: undefined }, "THREADLORE_PAIR"],
    ["the key may not add", { THREADLORE_INGEST_KEY: undefined }, "THREADLORE_INGEST_KEY"],
    ["the pair does not exist", { THREADLORE_PAIR: "77" }, "pair 77"],
  ])(
    "%s: the pinner is told once, whoever runs the bot what to do, and it is made good later",
    async (_, env, words) => {
      const place = await town();
      const { workspace, ada, ops } = place;
      const knowledge = knowledgeServer();
      const { folder, path } = storeFile();
      const first = await startPinsBot({
        registers: PIN_LISTENERS,
        workspace,
        knowledge,
        rules: keeps(ops.id),
        env,
        database: path,
      });
      const [one, two] = [await ada.say(ops.id, "Wifi is blue"), await ada.say(ops.id, "Printer is red")];
      await ada.pin(ops.id, one);
      await ada.pin(ops.id, two);
      await untilMarked(place, ops.id, one, "warning");
      await untilMarked(place, ops.id, two, "warning");
      const told = await toldTo(place, ada, ops.id);
      expect(told).toHaveLength(1);
      expect(told[0]).toContain("Whoever runs me has to set up first where messages are kept");
      expect(told[0]).not.toContain("THREADLORE");
      expect((await troubles(first.context)).map(({ detail }) => detail).join()).toContain(words);
      expect(await knowledge.texts()).toBe("");
      await first.stop();
      await bot({ workspace, knowledge, rules: keeps(ops.id), database: path });
      open.push(async () => folder());
      await untilMarked(place, ops.id, one, INDEXED);
      await untilMarked(place, ops.id, two, INDEXED);
      expect(ada.ephemerals(ops.id)).toHaveLength(1);
      expectNoRefusals(place);
    },
  );

  it("the server is down: it is tried again until it answers", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    knowledge.fault = "down";
    const { context } = await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const ts = await ada.say(ops.id, "Tea is at four");
    await ada.pin(ops.id, ts);
    await until(async () => (await context.store.findPin(ops.id, ts))?.reason !== undefined);
    expect(await context.store.findPin(ops.id, ts)).toMatchObject({ state: "waiting" });
    knowledge.fault = "none";
    await untilMarked(place, ops.id, ts, INDEXED);
    expect(await knowledge.texts()).toContain("Tea is at four");
  });

  it("the server's replies get lost: one document all the same, and it can still be taken back", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    knowledge.fault = "lost";
    const { context } = await bot({ workspace, knowledge, rules: keeps(ops.id) });
    const ts = await ada.say(ops.id, "Secret sauce");
    await ada.pin(ops.id, ts);
    await until(async () => (await context.store.findPin(ops.id, ts))?.reason !== undefined);
    expect(await knowledge.texts()).toContain("Secret sauce");
    knowledge.fault = "none";
    await ada.unpin(ops.id, ts);
    await until(async () => (await knowledge.texts()) === "");
  });

  it("what happened while no bot ran is made good at its start", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    const { folder, path } = storeFile();
    open.push(async () => folder());
    const first = await startPinsBot({
      registers: PIN_LISTENERS,
      workspace,
      knowledge,
      rules: keeps(ops.id),
      database: path,
    });
    const say = async (text: string) => ada.say(ops.id, text);
    const [edited, unpinned, deleted] = [await say("Edited 1"), await say("Unpinned 1"), await say("Deleted 1")];
    for (const ts of [edited, unpinned, deleted]) {
      await ada.pin(ops.id, ts);
      await untilMarked(place, ops.id, ts, INDEXED);
    }
    await first.stop();
    const added = await say("Added 2");
    await ada.pin(ops.id, added);
    await ada.edit(ops.id, edited, "Edited 2");
    await ada.unpin(ops.id, unpinned);
    await ada.delete(ops.id, deleted);
    await bot({ workspace, knowledge, rules: keeps(ops.id), database: path });
    await untilMarked(place, ops.id, added, INDEXED);
    const texts = await until(async () => {
      const now = await knowledge.texts();
      return now.includes("Edited 2") && !now.includes("npinned 1") && !now.includes("eleted 1") && now;
    });
    expect(texts).toContain("Added 2");
    expect(texts).not.toContain("Edited 1");
    expectNoRefusals(place);
  });

  it("a bot that ends in the middle of it: the next one finishes, and nothing is kept twice", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    knowledge.fault = "lost";
    const { folder, path } = storeFile();
    open.push(async () => folder());
    const first = await startPinsBot({
      registers: PIN_LISTENERS,
      workspace,
      knowledge,
      rules: keeps(ops.id),
      database: path,
    });
    const ts = await ada.say(ops.id, "Half way");
    await ada.pin(ops.id, ts);
    await until(async () => (await knowledge.texts()).includes("Half way"));
    await first.stop();
    knowledge.fault = "none";
    await bot({ workspace, knowledge, rules: keeps(ops.id), database: path });
    await untilMarked(place, ops.id, ts, INDEXED);
    expect(await knowledge.deployment.documents()).toHaveLength(1);
    expect(workspace.messages(ops.id).filter(({ text }) => text.includes("become documents"))).toHaveLength(1);
  });

  it("many pins at once against Slack's limits on reactions: every mark comes in the end", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    await bot({ workspace, knowledge, rules: keeps(ops.id) });
    workspace.faults.rateLimit("reactions.remove", { retryAfterS: 1, times: 3 });
    workspace.faults.rateLimit("reactions.add", { retryAfterS: 4, times: 2 });
    const pins: string[] = [];
    for (let index = 0; index < 8; index += 1) {
      const ts = await ada.say(ops.id, `Rule number ${index}`);
      await ada.pin(ops.id, ts);
      pins.push(ts);
    }
    for (const ts of pins) await untilMarked(place, ops.id, ts, INDEXED);
    expect(await knowledge.deployment.documents()).toHaveLength(8);
  });

  it("reactions are not allowed: everything else goes on", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    const { context, settled } = await bot({ workspace, knowledge, rules: keeps(ops.id) });
    workspace.faults.refuse("reactions.add", "missing_scope", { times: 50 });
    const ts = await ada.say(ops.id, "No marks");
    await ada.pin(ops.id, ts);
    await until(async () => (await context.store.findPin(ops.id, ts))?.state === "indexed");
    await settled();
    const trace = await context.store.traceOf(`${workspace.team.id}:${ops.id}:${ts}`);
    expect(trace.map(({ words }) => words)).toContain("Its state could not be shown as a reaction: missing_scope.");
  });

  it("the thread cannot be read: the pinner learns why after several tries", async () => {
    const place = await town();
    const { workspace, ada, ops } = place;
    const knowledge = knowledgeServer();
    await bot({ workspace, knowledge, rules: keeps(ops.id) });
    workspace.faults.refuse("conversations.replies", "missing_scope", { times: 50 });
    const ts = await ada.say(ops.id, "Unreadable");
    await ada.pin(ops.id, ts);
    await untilMarked(place, ops.id, ts, "warning");
    expect(await toldTo(place, ada, ops.id)).toEqual([
      expect.stringContaining("Slack did not let me read this message"),
    ]);
  });
});
