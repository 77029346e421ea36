import { expect, it } from "vitest";
import { askForPerson, keepFirst } from "../../testing/calling.ts";
import { keepingTown, withHelper } from "../../testing/kept-answers.ts";
import { useTowns } from "../../testing/running-bot.ts";

const open = useTowns((one) => one.expectNoRefusals());

it("whoever asked is told of a kept answer where the bot ended just as it was saved that it can be found", async () => {
  const place = await open(keepingTown({ isEmpty: false }));
  await withHelper(place);
  const { bo, general, workspace, bot } = place;
  const { store } = bot.context;
  const { threadTs, call } = await askForPerson(place, "Where does the orange kayak trailer stand?");
  const replace = store.replacePin;
  let isEnded = false;
  Object.assign(store, {
    async replacePin(...given: Parameters<typeof replace>) {
      const isReplaced = await replace(...given);
      if (isEnded || given[1].state !== "indexed") return isReplaced;
      isEnded = true;
      throw new Error("The process ends here.");
    },
  });
  await bo.say(general.id, "Behind the boathouse, next to the diesel tank.", { threadTs });
  await keepFirst(place, call, bo);
  const told = () => place.answers(general.id, threadTs).filter(({ text }) => text.includes("answered this"));
  await workspace.until(() => told().length > 0);
  expect(isEnded).toBe(true);
  await expect.poll(() => workspace.message(general.id, call.ts)?.shown).toContain("Answered by");
  expect(told()).toHaveLength(1);
}, 90_000);
