import { describe, expect, it } from "vitest";
import { judgeCompanies } from "./people-worlds.harness.ts";

describe("what people see who sign in", () => {
  it("is in 10,000 random companies what their groups give at each moment, to the byte", async () => {
    const { problems, companies, looks, finds } = await judgeCompanies(10_000, 3);
    console.log(`${companies} companies, ${looks} looks, ${finds} finds`);
    expect(problems).toEqual([]);
    expect(finds).toBeGreaterThan(25_000);
  });
});
