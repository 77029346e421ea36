import { expect, it } from "vitest";
import { weekDue } from "./digest-time.ts";

const MONDAY = { day: 1, hour: 9, minute: 0, zone: "Europe/Oslo" };

it.each([
  ["before its hour it is the week before", "2026-11-23T07:59:00Z", "2026-11-16"],
  ["from its hour on it is this week", "2026-11-23T08:00:00Z", "2026-11-23"],
  ["to the end of the week", "2026-11-29T22:59:00Z", "2026-11-23"],
  ["by the day of the time zone", "2026-11-29T23:30:00Z", "2026-11-23"],
  ["in the week in which clocks change", "2026-10-26T08:00:00Z", "2026-10-26"],
  ["an hour earlier in summer", "2026-07-06T07:00:00Z", "2026-07-06"],
  ["over the end of a year", "2027-01-03T12:00:00Z", "2026-12-28"],
])("a digest is of the week whose moment came last: %s", (_when, now, week) => {
  expect(weekDue(Date.parse(now), MONDAY)).toBe(week);
});

it("a clock that is set back, and another day in the rules, name no later week", () => {
  const friday = { ...MONDAY, day: 5 };
  const now = Date.parse("2026-11-24T12:00:00Z");
  expect(weekDue(now, MONDAY)).toBe("2026-11-23");
  expect(weekDue(now, friday) < "2026-11-23").toBe(true);
  expect(weekDue(now - 3 * 86_400_000, MONDAY)).toBe("2026-11-16");
});
