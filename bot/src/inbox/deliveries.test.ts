import { describe, expect, it } from "vitest";
import { type Town, useTowns } from "../testing/running-bot.ts";

const town = useTowns((one) => one.expectNoRefusals());

const LEAVE = "How many days of annual leave do I have?";
const LONG = { timeout: 90_000 };

/** A bot that is posted to. */
async function posted(): Promise<{ place: Town; url: string }> {
  const place = await town({ env: { RECEIVER: "http", PORT: "0" } });
  const url = place.bot.eventUrl ?? "";
  await place.workspace.useRequestUrl(url);
  return { place, url };
}

describe("the HTTP receiver", LONG, () => {
  it("takes events, commands and buttons that Slack signed", async () => {
    const { place } = await posted();
    const { ada, general, workspace } = place;
    const ts = await ada.mention(general.id, LEAVE);
    const answer = await place.answered(general.id, ts);
    expect(answer.shown).toContain("thirty days");
    expect(workspace.sockets()).toBe(0);
    await ada.press({ channel: general.id, ts: answer.ts }, "answer_regenerate");
    await place.answered(general.id, ts, 2);
    await ada.command(general.id, "/ask", LEAVE);
    await workspace.until(() => ada.ephemerals(general.id).some(({ shown }) => shown.includes("thirty days")));
  });

  it("answers a question posted again and again once", async () => {
    const { place } = await posted();
    const { ada, general, workspace } = place;
    workspace.faults.duplicateEvents(4);
    const ts = await ada.mention(general.id, LEAVE);
    await place.answered(general.id, ts);
    await expect.poll(() => place.bot.context.store.backlog()).toEqual({ waiting: 0, running: 0 });
    expect(place.answers(general.id, ts)).toHaveLength(1);
  });

  const EVENT = JSON.stringify({ type: "event_callback", event: { type: "app_mention" } });

  it("turns away what is forged, stale, from the future, replayed or too large", async () => {
    const { place, url } = await posted();
    const { workspace } = place;
    const now = Math.floor(Date.now() / 1000);
    const status = async (body: string, options: Parameters<typeof workspace.postSigned>[2]): Promise<number> =>
      (await workspace.postSigned(url, body, options)).status;
    expect(await status(EVENT, { secret: "wrong" })).toBe(401);
    expect(await status(EVENT, { timestamp: now - 400 })).toBe(401);
    expect(await status(EVENT, { timestamp: now + 400 })).toBe(401);
    expect(await status(EVENT, { timestamp: now })).toBe(200);
    expect(await status(EVENT, { timestamp: now })).toBe(401);
    expect(await status("x".repeat(1_100_000), {})).toBe(413);
    const unsigned = await fetch(url, { method: "POST", body: EVENT, headers: { "content-type": "application/json" } });
    expect(unsigned.status).toBe(401);
    const check = await fetch(url, { method: "POST", body: new URLSearchParams({ ssl_check: "1" }) });
    expect(check.status).toBe(200);
    expect((await fetch(url)).status).toBe(404);
  });

  it("takes a form whose content type names its charset", async () => {
    const { place, url } = await posted();
    const { ada, general, workspace } = place;
    const body = new URLSearchParams({
      command: "/ask",
      text: "help",
      user_id: ada.user.id,
      channel_id: general.id,
      team_id: workspace.team.id,
      trigger_id: "1.2.3",
      response_url: "http://127.0.0.1:1/none",
      api_app_id: workspace.app.appId,
    }).toString();
    const reply = await workspace.postSigned(url, body, {
      contentType: "application/x-www-form-urlencoded; charset=utf-8",
    });
    expect(reply.status).toBe(200);
    expect(reply.text).toContain("/ask pins");
  });
});

describe("deliveries that are not for this bot", LONG, () => {
  it.each([
    [
      "another workspace",
      { team_id: "TOTHER", authorizations: [{ team_id: "TOTHER", user_id: "UOTHER", is_bot: true }] },
    ],
  ])("of %s reach no listener", async (_, envelope) => {
    const place = await town();
    const { ada, general, workspace, knowledge } = place;
    const event = {
      type: "app_mention",
      user: ada.user.id,
      text: LEAVE,
      ts: "1700000000.000100",
      channel: general.id,
      event_ts: "1700000000.000100",
    };
    await workspace.deliver(event, envelope);
    await place.answered(general.id, await ada.mention(general.id, LEAVE));
    expect(knowledge.asked).toHaveLength(1);
  });

  it("and the bot's own words are no questions", async () => {
    const place = await town({ rules: "defaults:\n  listen: eager\n" });
    const { general, workspace, knowledge, ada } = place;
    const own = { user: workspace.app.botUserId, bot_id: workspace.app.botId, app_id: workspace.app.appId };
    for (const author of [own, { bot_id: workspace.app.botId, subtype: "bot_message" }, { user: "USLACKBOT" }]) {
      const ts = `1700000000.00010${Object.keys(author).length}`;
      await workspace.deliver({
        type: "message",
        channel: general.id,
        channel_type: "channel",
        text: `<@${workspace.app.botUserId}> ${LEAVE}`,
        ts,
        event_ts: ts,
        ...author,
      });
    }
    await place.answered(general.id, await ada.mention(general.id, LEAVE));
    expect(knowledge.asked).toHaveLength(1);
  });
});
