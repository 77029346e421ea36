import { afterEach, describe, expect, it } from "vitest";
import { idle, KEYS, startTown, type Town } from "../testing/running-bot.ts";

const open: Town[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const LONG = { timeout: 180_000 };
const LEAVE = "How many days of annual leave do I have?";

/** Everything a workspace's people do with the bot, once, and what can fail on the way. */
async function aDay(place: Town): Promise<void> {
  const { ada, bo, general, workspace, knowledge } = place;
  const files = [{ name: "notes.txt", mimetype: "text/plain", content: "Leave is thirty days." }];
  const ts = await ada.mention(general.id, LEAVE, { files });
  const answer = await place.answered(general.id, ts);
  await ada.press({ channel: general.id, ts: answer.ts }, "answer_regenerate");
  await place.answered(general.id, ts, 2);
  await ada.dm(LEAVE);
  await ada.command(general.id, "/ask", LEAVE);
  await ada.openHome();
  await ada.openMessages();
  await ada.shortcut("ask_message", { channel: general.id, ts });
  const modal = await workspace.until(() => ada.modals().at(-1));
  await ada.submit(modal.id, { words: LEAVE, who: "me" });
  await ada.shortcut("why_message", { channel: general.id, ts });
  await bo.pin(general.id, ts);
  await idle(place);
  // A server that repeats in its error what it was sent, and a platform that fails in each of its ways.
  knowledge.fault = (request) => {
    if (!request.url.endsWith("send-chat-message")) return Promise.resolve(undefined);
    const detail = `refused: ${request.headers.get("authorization")}`;
    return Promise.resolve(Response.json({ detail }, { status: 500, headers: { "x-echo": detail } }));
  };
  workspace.faults.fail("chat.startStream", { status: 500 });
  workspace.faults.refuse("conversations.replies", "missing_scope");
  workspace.faults.dropResponse("chat.postMessage");
  workspace.faults.rateLimit("users.info", { retryAfterS: 1 });
  await place.answered(general.id, await bo.mention(general.id, "How are train tickets booked?"));
  await idle(place);
  workspace.faults.killSockets({ all: true });
  knowledge.fault = undefined;
  await place.answered(general.id, await bo.mention(general.id, LEAVE));
  await idle(place);
  workspace.faults.revokeToken();
  await bo.mention(general.id, LEAVE);
  await expect
    .poll(
      () =>
        workspace.calls.some(
          ({ response }) => response["error"] === "invalid_auth" || response["error"] === "token_revoked",
        ),
      { timeout: 30_000 },
    )
    .toBe(true);
}

describe("the log of a whole day at debug", LONG, () => {
  it.each(["socket", "http"] as const)("holds no credential, with the %s receiver", async (receiver) => {
    const lines: string[] = [];
    const env = {
      RECEIVER: receiver,
      PORT: "0",
      LOG_LEVEL: "debug",
      THREADLORE_INGEST_KEY: KEYS.owner,
      THREADLORE_PAIR: "1",
    };
    const rules = "defaults:\n  pins: members\n";
    const place = await startTown({ env, rules, onLog: (line) => void lines.push(line) });
    open.push(place);
    if (receiver === "http") await place.workspace.useRequestUrl(place.bot.eventUrl ?? "");
    const tickets = new Set<string>();
    await aDay(place);
    await place.bot.stop();
    const all = lines.join("");
    // It is what this test is about, so it must have been there to be written.
    expect(all).toContain("How many days of annual leave");
    expect(all).toContain('"sdk":');
    const { botToken, appToken, signingSecret, clientSecret } = place.workspace.credentials;
    for (const { response } of place.workspace.calls) {
      const url = URL.parse(String(response["url"]));
      for (const ticket of url?.searchParams.getAll("ticket") ?? []) tickets.add(ticket);
    }
    for (const secret of [botToken, appToken, signingSecret, clientSecret, ...Object.values(KEYS), ...tickets]) {
      expect(all).not.toContain(secret);
      expect(all).not.toContain(encodeURIComponent(secret));
    }
    expect(tickets.size).toBeGreaterThan(receiver === "socket" ? 0 : -1);
    for (const line of lines) {
      expect(line).not.toMatch(/bearer[ :=]+(?!\[hidden\])[^\s"\\]/i);
      // Slack puts an older kind of proof of itself into each body, beside addresses and tickets anybody could use.
      expect(line).not.toMatch(/"(?:token|response_url|trigger_id)\\*":\\*"(?!\[hidden\])/);
    }
  });
});
