import { describe, expect, it } from "vitest";
import { CAN_CONNECT, connectAccount, makeSets, personKey, type TestDocument } from "../../testing/own-accounts.ts";
import type { Patience } from "../../context.ts";
import { scriptedAnswer } from "../../testing/scripted-answer.ts";
import { idle, KEYS, type Town, useTowns } from "../../testing/running-bot.ts";

const town = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 120_000 };
const QUESTION = "What is the travel budget of the merger?";
const PUBLIC = "The travel budget of the merger is 400 euros.";
const SECRET = "The travel budget of the merger for the board is 90000 euros, says WRASSE-CANARY.";

async function boardTown(boards: readonly TestDocument[], patience: Patience = {}) {
  const place = await town({
    restricted: true,
    isEmpty: true,
    env: { ...CAN_CONNECT, STREAMING: "off" },
    parts: { times: { pollMs: 20, backoffMs: () => 50 }, patience },
  });
  const add = makeSets(place.knowledge, ["public", "board"]);
  await add("public", [{ id: "budget", title: "Budget", text: PUBLIC }]);
  await add("board", boards);
  const key = personKey(place.knowledge, "ada", ["public", "board"]);
  await connectAccount(place.workspace, place.ada, key);
  const ts = await place.ada.mention(place.general.id, QUESTION);
  await place.answered(place.general.id, ts);
  const button = await place.workspace.until(() =>
    place.ada.ephemerals(place.general.id).find(({ shown }) => shown.includes("More from what only you can see")),
  );
  return Object.assign(place, {
    key,
    ts,
    press: () => place.ada.press({ channel: place.general.id, ts: button.ts }, "answer_more_own"),
  });
}

const seen = ({ ada, general }: Town): string =>
  ada
    .ephemerals(general.id)
    .map(({ shown }) => shown)
    .join("\n");

describe("more from what only the asker may see, where things go wrong", LONG, () => {
  it("is asked for once, whatever the server does while it is found out what of it is new", async () => {
    const place = await boardTown([{ id: "board", title: "Board", text: SECRET }]);
    const { knowledge, workspace } = place;
    let refused = 0;
    const before = knowledge.asked.length;
    knowledge.fault = async (request) => {
      if (knowledge.asked.length === before || refused >= 8) return undefined;
      if (request.headers.get("authorization") !== `Bearer ${KEYS.channel}` || !/documents|search/.test(request.url))
        return undefined;
      refused += 1;
      return new Response("", { status: 503 });
    };
    await place.press();
    await workspace.until(() => /CANARY|wrong on my side|nothing to add/.test(seen(place)), 60_000);
    await idle(place);
    expect(refused).toBe(8);
    expect(seen(place)).toContain("WRASSE-CANARY");
    expect(knowledge.asked).toHaveLength(before + 1);
    // It is no conversation to go on with, here or there.
    expect(knowledge.requests.filter((one) => one.startsWith("DELETE") && one.includes("session"))).toHaveLength(1);
  });

  it("is a part that says so, or nothing that says why, where the server is slow", async () => {
    const place = await boardTown([{ id: "board", title: "Board", text: SECRET }], { moreMs: 500 });
    const { knowledge, workspace } = place;
    const before = knowledge.asked.length;
    const slow = Promise.withResolvers<undefined>();
    knowledge.fault = (request) =>
      knowledge.asked.length > before && request.headers.get("authorization") === `Bearer ${KEYS.channel}`
        ? slow.promise
        : Promise.resolve(undefined);
    await place.press();
    await workspace.until(() => /CANARY|too long|wrong on my side/.test(seen(place)), 20_000);
    slow.resolve(undefined);
    await idle(place);
    expect(seen(place)).toContain("took too long");
    expect(seen(place)).not.toContain("CANARY");
    expect(knowledge.asked).toHaveLength(before + 1);
  });

  it("is at most so many statements, in any script, with titles of any length, and says that it is a part", async () => {
    const place = await boardTown([{ id: "board", title: "Board", text: SECRET }]);
    const { knowledge, workspace, key } = place;
    const titles = ["لوحة الميزانية ", "予算委員会の議事録 ", "Бюджет совета ", "Very long title of a board paper "];
    const documents = Array.from({ length: 60 }, (_, at) => ({
      document_id: `board-${at + 1}`,
      semantic_identifier: `${(titles[at % titles.length] ?? "").repeat(1 + (at % 12) * 3)}${at}`,
      link: `https://handbook.example/${"b".repeat(at * 20)}/${at}`,
      blurb: "…",
      source_type: "web",
    }));
    const script = scriptedAnswer({ documents, session: "b1a0c2d3-31ab-4f5d-8a60-5be1d2c3f4a5" });
    const before = knowledge.asked.length;
    knowledge.fault = async (request) =>
      request.url.endsWith("send-chat-message") && request.headers.get("authorization") === `Bearer ${key}`
        ? script.response
        : undefined;
    await place.press();
    await workspace.until(() => knowledge.asked.length > before, 20_000);
    for (const [at, { document_id: id }] of documents.entries()) {
      script.say(`ميزانية 予算 for board ${at + 1} is ${90_000 + at} euros, says WRASSE-${at + 1}. [${at + 1}]\n\n`);
      const placement = { turn_index: 0, tab_index: 0, sub_turn_index: null, model_index: 0 };
      script.packet({ placement, obj: { type: "citation_info", citation_number: at + 1, document_id: id } });
    }
    script.end();
    await workspace.until(() => /WRASSE-1\b|wrong on my side|nothing to add/.test(seen(place)), 60_000);
    await idle(place);
    expect(new Set(seen(place).match(/WRASSE-\d+/g)).size).toBe(24);
    expect(seen(place)).toContain("There may be more");
  });
});
