import { createDeployment } from "@threadlore/client/deployment";
import { afterEach, describe, expect, it } from "vitest";
import { CAN_CONNECT, personKey } from "../../testing/own-accounts.ts";
import { KEYS, startTown, type Town, type TownOptions } from "../../testing/running-bot.ts";

const open: Town[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function town(options: TownOptions = {}): Promise<Town> {
  const started = await startTown(options);
  open.push(started);
  return started;
}

const LONG = { timeout: 90_000 };

/** The bot comes to a channel, as Slack tells it. */
async function botJoins({ workspace }: Town, channel: string): Promise<void> {
  const { botUserId } = workspace.app;
  await workspace.deliver({
    type: "member_joined_channel",
    user: botUserId,
    channel,
    channel_type: "C",
    team: workspace.team.id,
    event_ts: "1.000001",
  });
}

describe("coming to a channel", LONG, () => {
  it("the bot introduces itself once, and says what holds there", async () => {
    const place = await town();
    const { workspace, general } = place;
    const hello = () => workspace.messages(general.id).filter(({ text }) => text.startsWith("Hello!"));
    await botJoins(place, general.id);
    await workspace.until(() => hello().length === 1);
    await botJoins(place, general.id);
    await place.restart();
    await botJoins(place, general.id);
    const question = await place.ada.mention(general.id, "How many days of leave?");
    await place.answered(general.id, question);
    expect(hello()).toHaveLength(1);
    expect(hello()[0]?.text).toContain("Nothing is kept.");
    place.expectNoRefusals();
  });

  it("the bot says that it does not answer in front of other companies", async () => {
    const place = await town();
    const { workspace, general } = place;
    workspace.share(general.id, "yes");
    await botJoins(place, general.id);
    const hello = await workspace.until(() =>
      workspace.messages(general.id).find(({ text }) => text.startsWith("Hello!")),
    );
    expect(hello.text).toContain("shared with another company");
  });
});

describe("leaving a workspace", LONG, () => {
  it("takes back what was kept of it, and forgets everything", async () => {
    const env = { THREADLORE_INGEST_KEY: KEYS.owner, THREADLORE_PAIR: "1", ...CAN_CONNECT };
    const place = await town({ rules: "defaults:\n  pins: members\n", env });
    const { workspace, ada, general, bot, knowledge } = place;
    const ts = await ada.say(general.id, "Kept for now");
    await ada.pin(general.id, ts);
    await workspace.until(() =>
      workspace.message(general.id, ts)?.reactions.some(({ name }) => name === "white_check_mark"),
    );
    const { accounts } = bot.context;
    const facts = { name: "ada", accountId: "ada", isAdmin: false, byLink: true };
    await accounts.keep(ada.user.id, personKey(knowledge, "ada"), {
      ...facts,
      ticket: await accounts.begin(ada.user.id),
    });
    workspace.faults.uninstall();
    const began = performance.now();
    while ((await bot.context.store.allPins()).length > 0) {
      if (performance.now() - began > 20_000) throw new Error("It was not forgotten.");
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    expect(await bot.ended).toMatchObject({ name: "WorkspaceRevoked", code: "account_inactive" });
    const owner = createDeployment({
      baseUrl: "http://127.0.0.1:8412",
      apiKey: KEYS.owner,
      fetch: (request: Request) => knowledge.service.fetch(request),
    });
    expect((await owner.documents()).map(({ document_id }) => document_id).toSorted()).toEqual(["leave", "travel"]);
    // And the server is told of the key it gave to the bot.
    expect(knowledge.requests).toContain("GET /me/keys");
  });
});
