import { expect, it } from "vitest";
import { startKept } from "./kept.harness.ts";
import { keptBackPairs, keptPairs, outcomeOf } from "./quality.harness.ts";

it("of newer documents in quite other words some that say otherwise are told, and hardly any that only looks so", async () => {
  const { told, falselyTold, strays } = await outcomeOf(keptPairs(), await startKept(undefined));
  expect(told.length).toBeGreaterThanOrEqual(9);
  expect(falselyTold).toEqual([]);
  expect(strays).toEqual([]);
});

it("of notices, lists and minutes seven in ten that say otherwise are told, and hardly any that only looks so", async () => {
  const pairs = keptPairs({ more: true });
  const { told, untold, falselyTold, strays } = await outcomeOf(pairs, await startKept(undefined));
  expect(told.length / (told.length + untold.length)).toBeGreaterThanOrEqual(0.7);
  expect((falselyTold.length + strays.length) / pairs.length).toBeLessThanOrEqual(0.04);
});

it("of pairs that nothing was chosen by six in ten are told, shown to whoever brings what says otherwise, or listed for administrators where nobody does", async () => {
  const pairs = keptBackPairs();
  const outcome = await outcomeOf(pairs, await startKept(undefined));
  const { told, shown, listed, listedInVain, listedByOthers, untold, falselyTold, strays } = outcome;
  const contradicted = told.length + untold.length;
  const falsely = falselyTold.length + strays.length;
  console.log(
    `${told.length} of ${contradicted} told, ${shown.length} shown, ${listed.length} listed, ${falsely} falsely told, ` +
      `${listedInVain.length} of ${pairs.length - contradicted} listed that say nothing else, ${listedByOthers} by others`,
  );
  expect((told.length + shown.length) / contradicted).toBeGreaterThanOrEqual(0.6);
  expect((told.length + listed.length) / contradicted).toBeGreaterThanOrEqual(0.6);
  expect(falsely / pairs.length).toBeLessThanOrEqual(0.05);
});
