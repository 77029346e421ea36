import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { settingsFor } from "../rules/rules.ts";
import { idle, KEYS, type Town, useTowns } from "../testing/running-bot.ts";
import {
  CAN_CONNECT,
  connectAccount,
  disconnectAccount,
  homeWith,
  paste,
  personKey,
  submitToken,
} from "../testing/own-accounts.ts";

const town = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 120_000 };
const SECRET = "BLUEFIN-CANARY";
const QUESTION = "What is the merger called?";

/** A town where only some keys see a document. */
async function withSecret(place: Town): Promise<void> {
  await place.knowledge.add({ id: "merger", title: "Merger", text: `The merger is called ${SECRET}.` });
}

/** What stands in somebody's direct conversation in answer to a question. */
async function asked(place: Town, person: Town["ada"], question: string, threadTs?: string): Promise<string> {
  const dm = place.workspace.dmOf(person.user.id).id;
  const ts = await person.dm(question, threadTs === undefined ? {} : { threadTs });
  const root = threadTs ?? ts;
  const before = place.answers(dm, root).length;
  return (await place.answered(dm, root, before + 1)).shown;
}

/** Users of the service whose question it was, oldest first, by the key that was sent. */
function keysOf(place: Town): string[] {
  return place.knowledge.keys.map((key) => key.replace(/^Bearer /, ""));
}

describe("connecting one's own account", LONG, () => {
  it("answers direct messages with its rights, and disconnecting ends that", async () => {
    const place = await town({ restricted: true, env: { ...CAN_CONNECT, THREADLORE_DM_KEY: KEYS.channel } });
    const { workspace, ada, bo, knowledge } = place;
    await withSecret(place);
    const key = personKey(knowledge, "ada");
    expect(await asked(place, ada, QUESTION)).not.toContain(SECRET);
    await connectAccount(workspace, ada, key);
    expect(await asked(place, ada, QUESTION)).toContain(SECRET);
    expect(keysOf(place).at(-1)).toBe(key);
    // Nobody else's rights changed.
    expect(await asked(place, bo, QUESTION)).not.toContain(SECRET);
    await disconnectAccount(workspace, ada);
    expect(await asked(place, ada, QUESTION)).not.toContain(SECRET);
    expect(keysOf(place).at(-1)).toBe(KEYS.channel);
  });

  it("says why a token is not taken, and keeps nothing of it", async () => {
    const place = await town({ env: CAN_CONNECT });
    const { workspace, ada, bot } = place;
    expect(await paste(workspace, ada, "two words")).toContain("no access token");
    expect(await submitToken(workspace, ada, "tl_WRONG000000000000")).toContain("does not accept this token");
    expect(await submitToken(workspace, ada, KEYS.channel)).toContain("This is a key of mine");
    await expect(bot.context.store.allAccounts()).resolves.toEqual([]);
    // Nothing that was typed stands in the form again.
    expect(JSON.stringify(ada.modals())).not.toMatch(/tl_/);
    place.knowledge.fault = async () => new Response("", { status: 503 });
    expect(await submitToken(workspace, ada, "tl_GOODperhaps000000")).toContain("cannot be reached");
  });

  it("asks before it takes a token of an account with another address, and takes one of the same without", async () => {
    const place = await town({ env: CAN_CONNECT });
    const { workspace, knowledge, bot } = place;
    const ada = workspace.addUser({ name: "ada.b", email: "Ada@Example.com" });
    expect(await paste(workspace, ada, personKey(knowledge, "ada@example.com"))).toContain("Connected as");
    const key = personKey(knowledge, "eve@elsewhere.example");
    const asks = await paste(workspace, ada, key);
    expect(asks).toMatch(/belongs to \*eve@elsewhere.example\*.*Ada@Example.com/);
    expect(asks).not.toContain(key);
    const name = async () => (await bot.context.accounts.of(ada.user.id))?.name;
    expect(await name()).toBe("ada@example.com");
    const form = ada.modals().at(-1)?.id ?? "";
    await ada.submit(form, {});
    await workspace.until(() => JSON.stringify(ada.modals()).includes("Connected as"), 20_000);
    expect(await name()).toBe("eve@elsewhere.example");
  });

  it("warns of an administrator's token, and takes no more than ten tries in ten minutes", async () => {
    const place = await town({ env: CAN_CONNECT });
    const { workspace, ada, bo } = place;
    expect(await paste(workspace, ada, `Bearer ${KEYS.owner}`)).toContain("an administrator's token");
    expect(await homeWith(workspace, ada, "Connected as")).toContain("an administrator's token");
    let said = await paste(workspace, bo, "tl_WRONG000000000000");
    for (let count = 0; count < 10; count += 1) said = await submitToken(workspace, bo, "tl_WRONG000000000000");
    expect(said).toContain("You tried too many");
  });

  it("is not offered without a secret, which administrators read, and not to whom the rules answer nothing", async () => {
    const place = await town();
    const { workspace } = place;
    const admin = workspace.addUser({ name: "root", kind: "admin" });
    expect(await homeWith(workspace, admin, "ACCOUNTS_SECRET")).not.toContain("account_connect");
    expect(await homeWith(workspace, place.ada, "Ask what")).not.toMatch(/account_connect|ACCOUNTS_SECRET/);
    const other = await town({ env: CAN_CONNECT, rules: "defaults:\n  own_account: off\n" });
    expect(await homeWith(other.workspace, other.ada, "Ask what")).not.toContain("account_connect");
    const guest = other.workspace.addUser({ name: "guest", kind: "guest" });
    expect(await homeWith(other.workspace, guest, "Ask what")).not.toContain("account_connect");
    // Nor where the button was there before the rules said so.
    const third = await town({ env: CAN_CONNECT });
    await homeWith(third.workspace, third.ada, "account_connect");
    third.setRules("defaults:\n  own_account: off\n");
    const rule = () => settingsFor(third.bot.context.rules(), { id: "D", kind: "im" }).own_account;
    await expect.poll(rule).toBe("off");
    await third.ada.press({ viewId: String(third.ada.home()?.["id"]) }, "account_connect");
    await homeWith(third.workspace, third.ada, "Ask what");
    expect(third.ada.modals()).toEqual([]);
  });

  it("keeps the token sealed, and writes it nowhere, at no level of the log", async () => {
    const lines: string[] = [];
    const place = await town({ env: { ...CAN_CONNECT, LOG_LEVEL: "debug" }, onLog: (line) => lines.push(line) });
    const { workspace, ada, bot, knowledge } = place;
    // In a form of its own: no list of known forms can have it.
    const token = "Zx9.unusual-form~of=a+token";
    const { addKey, Database } = await import("@threadlore/service");
    const db = new Database(knowledge.database);
    db.transact(addKey(token, { name: "ada", role: "ordinary" }, 0));
    db.close();
    await paste(workspace, ada, `wrong${token}`);
    await submitToken(workspace, ada, token);
    await homeWith(workspace, ada, "Connected as");
    await asked(place, ada, QUESTION);
    const account = await bot.context.store.allAccounts();
    expect(account).toHaveLength(1);
    const url = bot.context.config.database.replace("sqlite:", "");
    const bytes = [url, `${url}-wal`].map((path) => readFileSync(path, "latin1")).join("");
    const everything = [JSON.stringify(account), bytes, lines.join("\n"), JSON.stringify(ada.home())].join("\n");
    expect(lines.length).toBeGreaterThan(10);
    expect(everything).not.toContain("unusual-form");
  });
});

describe("a conversation begun with one key", LONG, () => {
  it("is not gone on with by another, neither by its session nor by what its answers told", async () => {
    const place = await town({ restricted: true, env: { ...CAN_CONNECT, THREADLORE_DM_KEY: KEYS.channel } });
    const { workspace, ada, knowledge } = place;
    await withSecret(place);
    const dm = workspace.dmOf(ada.user.id).id;
    const ts = await ada.dm(QUESTION);
    await place.answered(dm, ts);
    await connectAccount(workspace, ada, personKey(knowledge, "ada"));
    expect(await asked(place, ada, QUESTION, ts)).toContain(SECRET);
    expect(await asked(place, ada, "Who may know of it?", ts)).toBeDefined();
    const session = (at: number): unknown => knowledge.asked.at(at)?.["chat_session_id"];
    // The first of a conversation names none.
    expect([session(0), session(1)]).toEqual([undefined, undefined]);
    const own = session(2);
    expect(own).toBeTypeOf("string");
    await disconnectAccount(workspace, ada);
    const shown = await asked(place, ada, QUESTION, ts);
    expect(shown).not.toContain(SECRET);
    // What was told by her account stands in the thread, and goes nowhere with another key.
    expect(JSON.stringify(knowledge.asked.at(-1))).not.toContain(SECRET);
    expect(session(-1)).not.toBe(own);
    await connectAccount(workspace, ada, personKey(knowledge, "ada"));
    await asked(place, ada, QUESTION, ts);
    expect(session(-1)).toBeUndefined();
  });
});

describe("an account whose key is refused", LONG, () => {
  it("is said to its asker, who is answered with what everybody may see, and shown as one to connect again", async () => {
    const place = await town({ restricted: true, env: { ...CAN_CONNECT, THREADLORE_DM_KEY: KEYS.channel } });
    const { workspace, ada, knowledge } = place;
    await withSecret(place);
    const key = personKey(knowledge, "ada");
    await connectAccount(workspace, ada, key);
    knowledge.fault = async (request) =>
      request.headers.get("authorization") === `Bearer ${key}`
        ? Response.json({ detail: "Invalid API key" }, { status: 401 })
        : undefined;
    const shown = await asked(place, ada, QUESTION);
    expect(shown).not.toContain(SECRET);
    expect(shown).toContain("no longer accepts your own account");
    expect(await homeWith(workspace, ada, "needs to be connected again")).toContain("account_connect");
    knowledge.fault = undefined;
    // It is not tried again by itself.
    expect(await asked(place, ada, QUESTION)).not.toContain(SECRET);
    await connectAccount(workspace, ada, key);
    expect(await asked(place, ada, QUESTION)).toContain(SECRET);
  });

  it("is answered with nothing else where the rules say so", async () => {
    const rules = "direct_messages:\n  own_account: only\n";
    const place = await town({ env: CAN_CONNECT, rules });
    const { workspace, ada, knowledge } = place;
    expect(await asked(place, ada, QUESTION)).toContain("Connect it on my");
    const key = personKey(knowledge, "ada");
    await connectAccount(workspace, ada, key);
    expect(await asked(place, ada, "How are train tickets booked?")).toContain("second class");
    knowledge.fault = async (request) =>
      request.headers.get("authorization") === `Bearer ${key}`
        ? Response.json({ detail: "Invalid API key" }, { status: 401 })
        : undefined;
    const ts = await ada.dm("How are train tickets booked?");
    const said = (): string => JSON.stringify(place.answers(workspace.dmOf(ada.user.id).id, ts));
    await workspace.until(() => said().includes("here I answer with nothing else"), 20_000);
    expect(knowledge.keys.filter((one) => one.includes(KEYS.dm))).toEqual([]);
  });
});

describe("what is forgotten", LONG, () => {
  it("is all that was noted of an account, when its person disconnects or leaves the company", async () => {
    const place = await town({ env: CAN_CONNECT });
    const { workspace, ada, bo, knowledge, bot } = place;
    for (const person of [ada, bo]) {
      await connectAccount(workspace, person, personKey(knowledge, person.user.name));
      await asked(place, person, "How are train tickets booked?");
    }
    const { store, config } = bot.context;
    const marks = (await store.allAccounts()).map(({ id }) => id);
    const held = async (): Promise<boolean[]> => {
      const path = config.database.replace("sqlite:", "");
      const { DatabaseSync } = await import("node:sqlite");
      const db = new DatabaseSync(path, { readOnly: true });
      const tables = ["accounts", "conversations", "settings"].map((table) => `SELECT * FROM ${table}`);
      // Of a task it is still known where it stood, and of an answer that it was this account's.
      const rows = [...tables, "SELECT progress FROM tasks"].flatMap((sql) => db.prepare(sql).all());
      db.close();
      return marks.map((mark) => JSON.stringify(rows).includes(mark));
    };
    await idle(place);
    expect(await held()).toEqual([true, true]);
    await disconnectAccount(workspace, ada);
    await expect.poll(held).toEqual([false, true]);
    workspace.deactivate(bo.user.id);
    await expect.poll(held).toEqual([false, false]);
  });
});
