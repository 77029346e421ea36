import { expect, it } from "vitest";
import { lookForWords } from "./hidden.harness.ts";

it("T49 no word of a thousand private questions stands in a file, a log, a trace, a count or a reply", async () => {
  expect(await lookForWords(1_000)).toEqual({ found: [], shared: true });
});
