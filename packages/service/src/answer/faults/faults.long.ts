import { describe, expect, it } from "vitest";
import { abortMany } from "./faults.harness.ts";

describe("3B client vanishes mid-stream, in earnest", () => {
  it("3B client vanishes mid-stream: 1,000 aborts leave no connection, no handle and no memory behind", async () => {
    // Code that is compiled and caches that fill take some 15 MB once, in the first few hundred; after them nothing grows.
    await abortMany(300);
    const report = await abortMany(1_000);
    expect(report).toMatchObject({ connections: 0, lastStatus: "interrupted" });
    expect(report.grownHandles).toBeLessThan(10);
    expect(report.grownBytes).toBeLessThan(5_000_000);
  });
});
