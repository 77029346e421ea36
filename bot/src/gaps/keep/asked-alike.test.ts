import { describe, expect, it } from "vitest";
import { documentsOf } from "../../testing/documents-of.ts";
import { keepingTown, withHelper } from "../../testing/kept-answers.ts";
import { haveKept } from "../../testing/have-kept.ts";
import { idle, useTowns } from "../../testing/running-bot.ts";

const open = useTowns((one) => one.expectNoRefusals());
const ASKED = "Where does the orange kayak trailer stand?";
const ALIKE = "the orange kayak trailer, where does it stand?";
const PRIVATE = "Where does the orange kayak trailer stand, CANARY?";
const REPLY = "Behind the boathouse, next to the diesel tank.";

describe("a kept answer", { timeout: 120_000 }, () => {
  it("is found by what others asked that everybody may read, until they are forgotten", async () => {
    const place = await open(keepingTown());
    const { ada, bo, general, workspace, knowledge } = place;
    const dov = workspace.addUser({ name: "dov" });
    await withHelper(place);
    const ts = await ada.mention(general.id, ASKED);
    await place.answered(general.id, ts);
    await place.answered(general.id, await dov.mention(general.id, ALIKE));
    const dm = workspace.dmOf(dov.user.id).id;
    await place.answered(dm, await dov.dm(PRIVATE));
    await idle(place);
    await haveKept(workspace, { asker: ada, helper: bo, reply: REPLY }, { channel: general.id, ts });
    await knowledge.service.drain();
    const kept = documentsOf(place);
    expect(kept).toContain("Behind the boathouse");
    expect(kept).toContain(`# Asked as\\n- ${ALIKE}`);
    expect(kept).not.toContain("CANARY");
    expect(kept).toContain(`"owner_ref":"${workspace.team.id}:${bo.user.id}"`);
    expect(kept).toContain(`"question":"${ASKED}"`);

    await dov.command(general.id, "/ask", "gaps forget");
    await expect.poll(() => documentsOf(place), { timeout: 30_000 }).not.toContain(ALIKE);
    expect(documentsOf(place)).toContain(ASKED);
    await ada.command(general.id, "/ask", "gaps forget");
    await expect.poll(() => documentsOf(place), { timeout: 30_000 }).not.toContain(ASKED);
    expect(documentsOf(place)).toContain("Behind the boathouse");
    await idle(place);
  });
});
