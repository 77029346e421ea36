import { describe, expect, it } from "vitest";
import { idle, type Town, useTowns } from "../../testing/running-bot.ts";
import { CAN_CONNECT, connectAccount, disconnectAccount, makeSets, personKey } from "../../testing/own-accounts.ts";

const town = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 120_000 };
const QUESTION = "What is the travel budget of the merger?";
const PUBLIC = "The travel budget of the merger is 400 euros.";
const SECRET = "The travel budget of the merger for the board is 90000 euros, says MARLIN-CANARY.";

/** A town where everybody may see the set `public` and only some the set `board`. */
async function boardTown() {
  const place = await town({ restricted: true, isEmpty: true, env: CAN_CONNECT });
  const add = makeSets(place.knowledge, ["public", "board"]);
  await add("public", [{ id: "budget", title: "Budget", text: PUBLIC }]);
  await add("board", [
    { id: "board", title: "Board", text: SECRET },
    // The same fact, where few see it.
    { id: "copy", title: "Copy", text: PUBLIC },
  ]);
  return Object.assign(place, { add, key: personKey(place.knowledge, "ada", ["public", "board"]) });
}

/** The button that somebody is offered in a channel; undefined: none. */
function offer({ general }: Town, person: Town["ada"]) {
  return person.ephemerals(general.id).find(({ shown }) => shown.includes("More from what only you can see"));
}

/** Everything in the channel that everybody sees, and what the bot asked with other keys than Ada's. */
function everybodys(place: Town & { readonly key: string }): string {
  const { workspace, general, knowledge, key } = place;
  const all = workspace.messages(general.id).flatMap(({ ts }) => workspace.messages(general.id, ts));
  const others = knowledge.asked.filter((_, at) => !knowledge.keys[at]?.includes(key));
  return JSON.stringify([all, others, place.bo.ephemerals()]);
}

describe("more from what only the asker may see", LONG, () => {
  it("is offered to the asker alone, and holds what is new and nothing that everybody may see", async () => {
    const place = await boardTown();
    const { ada, bo, general, workspace, knowledge, key } = place;
    await connectAccount(workspace, ada, key);
    const ts = await ada.mention(general.id, QUESTION);
    expect((await place.answered(general.id, ts)).shown).toContain("400 euros");
    const button = await workspace.until(() => offer(place, ada));
    expect(button.threadTs ?? button.ts).toBe(ts);
    const before = knowledge.asked.length;
    await ada.press({ channel: general.id, ts: button.ts }, "answer_more_own");
    const more = await workspace.until(() => ada.ephemerals(general.id).find(({ shown }) => shown.includes("MARLIN")));
    expect(more.shown).not.toContain("400 euros");
    expect(more.shown).toContain("Only you see this");
    expect(more.shown).not.toMatch(/\[Share\]|👍/);
    expect(knowledge.asked).toHaveLength(before + 1);
    // A second press asks nothing.
    await ada.press({ channel: general.id, ts: button.ts }, "answer_more_own");
    await workspace.until(() => ada.ephemerals(general.id).some(({ shown }) => shown.includes("already")));
    await idle(place);
    expect(knowledge.asked).toHaveLength(before + 1);
    // The thread goes on for everybody, without a word of it.
    await bo.mention(general.id, "And who says so?", { threadTs: ts });
    await place.answered(general.id, ts, 2);
    await idle(place);
    expect(everybodys(place)).not.toContain("MARLIN");
    expect(everybodys(place)).not.toContain("90000");
    // Nor is it told how the answer for everybody was made.
    const { store, self } = place.bot.context;
    const trace = await store.traceOf(`${self.teamId}:${general.id}:${ts}`);
    expect(trace.map(({ words }) => words).join()).not.toContain("own account");
  });

  it("is not offered to whom it would tell nothing new, nor to whoever connected no account", async () => {
    const place = await boardTown();
    const { ada, bo, general, workspace, knowledge } = place;
    await connectAccount(workspace, ada, personKey(knowledge, "asmuch", ["public"]));
    for (const person of [ada, bo]) {
      const ts = await person.mention(general.id, QUESTION);
      await place.answered(general.id, ts);
    }
    await idle(place);
    await place.bot.stop();
    expect([offer(place, ada), offer(place, bo)]).toEqual([undefined, undefined]);
    // Whoever has no account costs no search.
    const searches = knowledge.requests.filter((request) => request.includes("/search"));
    expect(searches.length).toBeLessThanOrEqual(2 + 5);
  });

  it("says in one sentence that nothing is left", async () => {
    const place = await boardTown();
    const { ada, general, workspace, key } = place;
    await connectAccount(workspace, ada, key);
    const ts = await ada.mention(general.id, QUESTION);
    await place.answered(general.id, ts);
    const button = await workspace.until(() => offer(place, ada));
    // What only she saw stands where everybody may see it, meanwhile.
    await place.add("public", [{ id: "opened", title: "Opened", text: SECRET }]);
    await ada.press({ channel: general.id, ts: button.ts }, "answer_more_own");
    await workspace.until(() => ada.ephemerals(general.id).some(({ shown }) => /MARLIN|nothing to add/.test(shown)));
    expect(
      ada
        .ephemerals(general.id)
        .map(({ shown }) => shown)
        .join(),
    ).not.toContain("MARLIN");
  });

  it("is refused to whoever forged the press, and after the account was disconnected", async () => {
    const place = await boardTown();
    const { ada, bo, general, workspace, key, knowledge } = place;
    await connectAccount(workspace, ada, key);
    const ts = await ada.mention(general.id, QUESTION);
    await place.answered(general.id, ts);
    const button = await workspace.until(() => offer(place, ada));
    await expect(bo.press({ channel: general.id, ts: button.ts }, "answer_more_own")).rejects.toThrow(
      "sees no message",
    );
    await disconnectAccount(workspace, ada);
    const asked = knowledge.asked.length;
    await ada.press({ channel: general.id, ts: button.ts }, "answer_more_own");
    await workspace.until(() =>
      ada.ephemerals(general.id).some(({ shown }) => shown.includes("not connected any more")),
    );
    expect(knowledge.asked).toHaveLength(asked);
  });
});
