import { describe, expect, it } from "vitest";
import { understand } from "./extracted/asked.ts";

const statistics = { passages: 10, holding: () => 1 };

describe("a question that leans on the one before it", () => {
  const earlier = understand("What does VPN error 41 mean?", statistics);
  const words = (text: string) => understand(text, statistics, earlier).words.map(({ word }) => word);

  it("asks for its own number and no longer for the earlier one", () => {
    expect(words("And error 67?")).toEqual(["vpn", "error", "67"]);
  });

  it("keeps the number where it has none of its own", () => {
    expect(words("And who helps with it?")).toEqual(expect.arrayContaining(["vpn", "error", "41", "helps"]));
  });
});
