import { expect, it } from "vitest";
import { callKillLoop } from "./call-kills.harness.ts";

it("20 kills on the way from a question to its kept answer: nobody is asked or told twice, and nothing is lost", async () => {
  const questions = 5;
  const report = await callKillLoop({ kills: 20, seed: 7, questions });
  const each = <Value>(value: Value): Value[] => Array.from({ length: questions }, () => value);
  expect(report).toEqual({ kills: 20, calls: each(1), told: each(1), kept: each(true), refusals: [] });
}, 300_000);
