import { describe, expect, it } from "vitest";
import { parseMoment } from "./moment.ts";

describe("parseMoment", () => {
  it.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T10:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T10:00:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31 10:00:00.250", "2026-01-31T10:00:00.250Z"],
    ["2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T10:00:00+02:00", "2026-01-31T08:00:00.000Z"],
    ["2026-01-31T10:00:00-0530", "2026-01-31T15:30:00.000Z"],
  ])("reads %s, as UTC where no offset is given", (text, moment) => {
    expect(new Date(parseMoment(text)).toISOString()).toBe(moment);
  });
});
