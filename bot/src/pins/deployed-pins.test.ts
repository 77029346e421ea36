import { describe, expect, it } from "vitest";
import { loseEveryThird, startPinTown } from "./deployed-pins.harness.ts";
import { ADMINS, type DeployedTown } from "../testing/deployed-town.ts";
import { idle } from "../testing/running-bot.ts";

const LONG = { timeout: 60_000 };
const HOURGLASS = "hourglass_flowing_sand";
const TEXT = "The boiler room code is four seven one one, and the spare key hangs behind the red door.";

async function pinned(town: DeployedTown, text = TEXT): Promise<string> {
  const ts = await town.ada.say(town.general.id, text);
  await town.ada.pin(town.general.id, ts);
  return ts;
}

const marks = ({ workspace, general }: DeployedTown, ts: string): string[] =>
  workspace
    .messages(general.id)
    .find((message) => message.ts === ts)
    ?.reactions.map(({ name }) => name) ?? [];

const stateOf = async (town: DeployedTown, ts: string): Promise<string | undefined> =>
  (await town.bot.context.store.findPin(town.general.id, ts))?.state;

const isFindable = ({ server }: DeployedTown): boolean =>
  [...server.index.values()].some((document) => JSON.stringify(document).includes("boiler room code"));

const ingestions = ({ server }: DeployedTown): number =>
  server.log.filter(({ method, path }) => method === "POST" && path.includes("ingestion")).length;

describe("a pin whose document the server takes and does not index", LONG, () => {
  it("is marked as waiting, listed as not found yet, and sent again by itself until it is found", async () => {
    const town = await startPinTown();
    const { server, ada, general, workspace } = town;
    server.faults.embedder = "down";
    const ts = await pinned(town);
    await expect.poll(() => stateOf(town, ts)).toBe("unconfirmed");
    await expect.poll(() => marks(town, ts)).toEqual([HOURGLASS]);
    await expect.poll(() => ingestions(town)).toBeGreaterThan(2);
    await expect
      .poll(() =>
        ada
          .ephemerals(general.id)
          .map(({ shown }) => shown)
          .join(),
      )
      .toContain("cannot be found there yet");
    await ada.command(general.id, "/ask", "pins");
    await workspace.until(() => ada.ephemerals(general.id).some(({ shown }) => shown.includes("sent, not found yet")));
    const admin = workspace.addUser({ name: "root", kind: "admin" });
    await admin.openHome();
    await workspace.until(() => admin.home());
    expect(JSON.stringify(admin.home())).toContain("does not make them findable");
    server.faults.embedder = "up";
    await expect.poll(() => stateOf(town, ts)).toMatch(/accepted|indexed/);
    await expect.poll(() => marks(town, ts)).not.toContain(HOURGLASS);
    expect(marks(town, ts)).toHaveLength(1);
    expect(isFindable(town)).toBe(true);
    const asked = await ada.mention(general.id, "What is the boiler room code?");
    expect((await town.answered(general.id, asked)).shown).toContain("four seven one one");
  });

  it("goes on after a restart", async () => {
    const town = await startPinTown();
    town.server.faults.embedder = "down";
    const ts = await pinned(town);
    await expect.poll(() => stateOf(town, ts)).toBe("unconfirmed");
    await town.restart();
    town.server.faults.embedder = "up";
    await expect.poll(() => stateOf(town, ts)).toMatch(/accepted|indexed/);
    expect(isFindable(town)).toBe(true);
  });

  it("can be unpinned meanwhile, and is then never found", async () => {
    const town = await startPinTown();
    town.server.faults.embedder = "down";
    const ts = await pinned(town);
    await expect.poll(() => stateOf(town, ts)).toBe("unconfirmed");
    await town.ada.unpin(town.general.id, ts);
    await expect.poll(() => stateOf(town, ts)).toBe("tombstone");
    town.server.faults.embedder = "up";
    await idle(town);
    expect(marks(town, ts)).toEqual([]);
    expect(isFindable(town)).toBe(false);
    expect([...town.server.documents.keys()].some((id) => id.includes(ts))).toBe(false);
  });

  it("that was changed while its document was there is found as it reads now", async () => {
    const town = await startPinTown();
    const { server, ada, general } = town;
    const ts = await pinned(town);
    await expect.poll(() => stateOf(town, ts)).toMatch(/accepted|indexed/);
    server.faults.embedder = "down";
    await ada.edit(general.id, ts, "The lock was changed on Monday; ask the harbour office.");
    await expect.poll(() => stateOf(town, ts)).toBe("unconfirmed");
    server.faults.embedder = "up";
    await expect.poll(() => stateOf(town, ts)).toMatch(/accepted|indexed/);
    expect(JSON.stringify([...server.index.values()])).toContain("The lock was changed on Monday");
  });

  // oxlint-disable-next-line vitest/expect-expect -- the harness expects
  it("is one of nine of which every third is lost: all are found once the server is well", async () => {
    await loseEveryThird(9, 20_000);
  });
});

describe("a pin that cannot be kept", LONG, () => {
  it.each([
    ["a wrong key", { THREADLORE_INGEST_KEY: "on_WRONG0000000000000" }, "does not accept the key"],
    ["a key that may only ask", { THREADLORE_INGEST_KEY: "" }, "may ask, but not add"],
  ])("for %s tells its pinner nothing of keys, and administrators what to do", async (_, env, fix) => {
    const town = await startPinTown({
      env: ({ keys }) => (env.THREADLORE_INGEST_KEY === "" ? { THREADLORE_INGEST_KEY: keys.member } : env),
    });
    const { ada, general, workspace } = town;
    const ts = await pinned(town);
    await expect.poll(() => stateOf(town, ts)).toBe("failed");
    await workspace.until(() => ada.ephemerals(general.id).length > 0);
    const said = ada.ephemerals(general.id).map(({ shown }) => shown);
    expect(said.join()).toContain("Whoever runs me has to set up first where messages are kept");
    expect(said.join()).not.toMatch(/\bkey\b|THREADLORE|127\.0\.0\.1/);
    const admin = workspace.addUser({ name: "root", kind: "admin" });
    await admin.openHome();
    await workspace.until(() => admin.home());
    expect(JSON.stringify(admin.home())).toContain(fix);
  });

  it("while the server fails is kept when it is back, without anybody doing anything", async () => {
    const town = await startPinTown();
    town.server.faults.database = "down";
    const ts = await pinned(town);
    await expect.poll(() => stateOf(town, ts)).toBe("waiting");
    town.server.faults.database = "up";
    await expect.poll(() => stateOf(town, ts)).toMatch(/accepted|indexed/);
    const alerts = town.workspace.calls.filter(({ args }) => args["channel"] === ADMINS);
    expect(alerts.map(({ args }) => String(args["text"])).join()).toContain("failed (500)");
  });
});
