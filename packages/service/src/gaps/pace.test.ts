import { expect, it } from "vitest";
import { Problem } from "../http/problem.ts";
import { TellingPace } from "./pace.ts";

it("T49 a caller who tells of questions without end is told to wait, and nobody else is", () => {
  let now = 90_000;
  const pace = new TellingPace(() => now);
  for (let told = 0; told < 1_200; told++) pace.spend("bot");
  const refused = (): unknown => {
    try {
      return pace.spend("bot");
    } catch (error) {
      return error;
    }
  };
  expect(refused()).toBeInstanceOf(Problem);
  expect(refused()).toMatchObject({ status: 429, headers: { "Retry-After": "30" } });
  pace.spend("another");
  now += 30_000;
  expect(refused()).toBeUndefined();
});
