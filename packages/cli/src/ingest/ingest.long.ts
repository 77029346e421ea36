import { describe, expect, it } from "vitest";
import { killLoop } from "../testing/kill-loop.ts";
import { replaceServer } from "../testing/replaced-server.ts";
import { temporaryFolder } from "@threadlore/testkit";

describe("table 3E: the command line", () => {
  it("3E batch ingest: 300 kills lose nothing and send nothing acknowledged twice", async () => {
    for (let seed = 0; seed < 10; seed += 1) {
      expect(await killLoop({ cycles: 30, documents: 150, seed })).toEqual({ lost: [], sentAgain: [] });
    }
  });
});

describe("another database behind the same address", () => {
  it("is sent all 500 documents again, which are found", async () => {
    const { said, found } = await replaceServer(temporaryFolder(), 500);
    expect(said.at(-1)).toContain("500 added.");
    expect(found).toContain("06:40");
  });
});
