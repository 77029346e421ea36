import { describe, expect, it } from "vitest";
import { killLoop } from "./testing/kill-loop.ts";

describe("table 3E: the command line", () => {
  it("3E batch ingest: 300 kills lose nothing and send nothing acknowledged twice", async () => {
    for (let seed = 0; seed < 10; seed += 1) {
      expect(await killLoop({ cycles: 30, documents: 150, seed })).toEqual({ lost: [], sentAgain: [] });
    }
  });
});
