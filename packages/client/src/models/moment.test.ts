import { assert, date, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { IngestionRequest, SendMessageRequest } from "../models.ts";
import { parseMoment } from "./moment.ts";

const isoOf = (text: string): string | undefined => {
  const moment = parseMoment(text);
  return moment === undefined ? undefined : new Date(moment).toISOString();
};

describe("a moment", () => {
  it.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T10:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T10:00:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31 10:00:00.250", "2026-01-31T10:00:00.250Z"],
    ["2026-01-31T10:00:00.123456789Z", "2026-01-31T10:00:00.123Z"],
    ["2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31t10:00:00z", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T10:00:00+02:00", "2026-01-31T08:00:00.000Z"],
    ["2026-01-31 10:00:00 -0530", "2026-01-31T15:30:00.000Z"],
    ["2026-01-31T10:00:00+02", "2026-01-31T08:00:00.000Z"],
    ["2026-01-31T10:00:00-00:30", "2026-01-31T10:30:00.000Z"],
    ["2026-01-31T10:00:00+05:45", "2026-01-31T04:15:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2000-02-29T23:59:59Z", "2000-02-29T23:59:59.000Z"],
    ["0026-01-31", "0026-01-31T00:00:00.000Z"],
  ])("is read from %s, as UTC where no offset is given", (text, moment) => {
    expect(isoOf(text)).toBe(moment);
  });

  it.each([
    "2026-02-30",
    "2026-02-29",
    "1900-02-29",
    "2026-04-31T10:00:00Z",
    "2026-00-10",
    "2026-13-01",
    "2026-01-00",
    "2026-01-32",
    "2026-01-31T24:00:00Z",
    "2026-01-31T10:60",
    "2026-01-31T10:00:60Z",
    "2026-01-31T10:00:00+24:00",
    "2026-01-31T10:00:00+01:60",
    "2026-01-31 10:00 GMT+2 (somewhere)",
    "2026-01-31Z",
    "2026-1-5",
    "31.01.2026",
    "yesterday",
    "",
    " 2026-01-31",
  ])("is not in %j", (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });

  it("comes back from every way of writing it", () => {
    const some = date({ min: new Date("0100-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    assert(property(some, (moment) => parseMoment(moment.toISOString()) === moment.getTime()));
  });

  it("that cannot be is refused with its place, in documents and in questions", () => {
    const document = { id: "a", semantic_identifier: "A", sections: [{ text: "a" }], source: "file" };
    const ingest = IngestionRequest.safeParse({ document: { ...document, doc_updated_at: "2026-02-30T10:00:00Z" } });
    expect(ingest.error?.issues.map(({ path }) => path)).toEqual([["document", "doc_updated_at"]]);
    const ask = SendMessageRequest.safeParse({
      message: "x",
      internal_search_filters: { time_cutoff: "2026-06-31" },
    });
    expect(ask.error?.issues.map(({ path }) => path)).toEqual([["internal_search_filters", "time_cutoff"]]);
  });
});
