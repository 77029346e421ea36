import { describe, expect, it } from "vitest";
import { createGaps } from "@threadlore/client/gaps";
import { idle, KEYS, type Town, useTowns } from "../testing/running-bot.ts";

const town = useTowns();
const LONG = { timeout: 90_000 };
const BOAT = "Where is the spare key of the boat house?";
const AT_SERVER = { env: { THREADLORE_INGEST_KEY: KEYS.owner } };

/** What the server lists. */
const listed = ({ knowledge }: Town) =>
  createGaps({ baseUrl: "http://127.0.0.1:8412", apiKey: KEYS.owner, fetch: knowledge.fetch }).list();

async function ask(place: Town, text: string): Promise<void> {
  const ts = await place.ada.mention(place.general.id, text);
  await place.answered(place.general.id, ts);
  await idle(place);
}

describe("questions that wait", LONG, () => {
  it("are listed for administrators alone", async () => {
    const place = await town(AT_SERVER);
    const { ada, general, workspace } = place;
    await ask(place, BOAT);
    const boss = workspace.addUser({ name: "boss", kind: "admin" });
    await boss.join(general.id);
    for (const who of [ada, boss]) await who.command(general.id, "/ask", "gaps");
    const shown = (who: Town["ada"]): string => JSON.stringify(who.ephemerals(general.id).map(({ text }) => text));
    await workspace.until(() => shown(ada).includes("Only administrators") && shown(boss).includes("1 person"));
    expect(shown(boss)).toContain(BOAT);
    expect(shown(ada)).not.toContain("boat");
  });

  it("are shown to whose they are, on their Home, and forgotten there", async () => {
    const place = await town(AT_SERVER);
    const { ada, bo, workspace } = place;
    await ask(place, BOAT);
    expect((await listed(place)).gaps).toHaveLength(1);
    for (const who of [ada, bo]) await who.openHome();
    await workspace.until(() => JSON.stringify(ada.home() ?? "").includes("One question of yours waits"));
    await workspace.until(() => bo.home() !== undefined);
    expect(JSON.stringify(bo.home())).not.toContain("waits for an answer");
    await ada.press({ viewId: String(ada.home()?.["id"]) }, "gaps_forget");
    await workspace.until(() => !JSON.stringify(ada.home() ?? "").includes("waits for an answer"));
    await idle(place);
    expect((await listed(place)).gaps).toEqual([]);
  });

  it("are forgotten, at the server too, when the app is uninstalled", async () => {
    const place = await town(AT_SERVER);
    await ask(place, BOAT);
    expect((await listed(place)).gaps).toHaveLength(1);
    place.workspace.faults.uninstall();
    await place.bot.ended;
    expect(await place.bot.context.store.askersWaiting()).toEqual([]);
    expect((await listed(place)).gaps).toEqual([]);
  });
});
