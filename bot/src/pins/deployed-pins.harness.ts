import { expect } from "vitest";
import { type DeployedTown, type DeployedTownOptions, startDeployedTown } from "../testing/deployed-town.ts";

/** A bot that keeps what members pin, and looks after it sooner than in life. */
export function startPinTown(options: DeployedTownOptions = {}): Promise<DeployedTown> {
  return startDeployedTown({
    rules: "defaults:\n  pins: members\n",
    ...options,
    parts: {
      pinTimes: { confirmEveryMs: 20, spacingMs: 10, watchAfterMs: 20 },
      patience: { confirm: { first: 50, longest: 200 } },
      times: { pollMs: 30, backoffMs: () => 100 },
      ...options.parts,
    },
  });
}

/**
 * Pins so many messages while the server loses the document of every third, lets it get well, and expects that each is
 * found in the end, without anybody doing anything, and that none keeps an hourglass.
 */
export async function loseEveryThird(count: number, timeoutMs: number): Promise<void> {
  const town = await startPinTown();
  const { server, ada, workspace, bot } = town;
  const channels = Array.from({ length: Math.ceil(count / MAX_PINS) }, (_, index) =>
    workspace.addChannel({ name: `pins-${index}`, members: [ada.user.id], withApp: true }),
  );
  const pins = async () =>
    (await Promise.all(channels.map(async ({ id }) => bot.context.store.pinsOf(id)))).flatMap((some) => [...some]);
  server.faults.embedder = (_, number) => number % 3 === 0;
  for (let index = 0; index < count; index += 1) {
    const channel = channels[Math.floor(index / MAX_PINS)]?.id ?? "";
    const fact = `Fact number ${index}: the spare key of cellar ${index} hangs behind the red door.`;
    await ada.pin(channel, await ada.say(channel, fact));
  }
  const sent = async (): Promise<number> => (await pins()).filter(({ hash }) => hash).length;
  await expect.poll(sent, { timeout: timeoutMs }).toBe(count);
  server.faults.embedder = "up";
  const kept = async (): Promise<number> =>
    (await pins()).filter(({ state }) => state === "accepted" || state === "indexed").length;
  await expect.poll(kept, { timeout: timeoutMs }).toBe(count);
  const found = JSON.stringify([...server.index.values()]);
  for (let index = 0; index < count; index += 1) expect(found).toContain(`Fact number ${index}:`);
}

/** As many as a channel takes. */
const MAX_PINS = 100;
