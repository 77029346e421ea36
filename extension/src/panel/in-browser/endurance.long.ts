import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasChromium } from "../../testing/chromium.ts";
import { type LongUsed, startLongUsed } from "./endurance.harness.ts";

describe.runIf(await hasChromium())("a panel that is used for long", { timeout: 1_200_000 }, () => {
  let used: LongUsed;
  beforeAll(async () => {
    used = await startLongUsed();
  }, 240_000);
  afterAll(() => used?.close(), 60_000);

  it("holds 50 turns in little memory, and no more of them once a new conversation begins", async () => {
    await used.ask("The first");
    const first = await used.heap();
    for (let turn = 1; turn < 50; turn++) await used.ask(`Turn ${turn}`);
    const full = await used.heap();
    // What is shown of a turn, with its page and its text: far from what a leak would leave.
    expect(full - first).toBeLessThan(50 * 400_000);
    await used.panel.getByRole("button", { name: "New conversation" }).click();
    await used.panel.locator(".turn").first().waitFor({ state: "detached" });
    await used.ask("Another one");
    expect((await used.heap()) - first).toBeLessThan((full - first) / 2 + 2_000_000);
  });

  it("asks and offers other tabs as before with 100 of them open", async () => {
    await used.openTabs(100);
    await used.panel.reload();
    await used.ask("And with many tabs?");
    expect(used.service.questions.at(-1)?.["additional_context"]).toContain("The board met on Tuesday.");
  });
});
