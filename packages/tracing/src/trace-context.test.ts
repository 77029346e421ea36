import { describe, expect, it } from "vitest";
import { parseTraceparent, placeBelow, traceparentOf } from "./trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("a traceparent", () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [` 00-${TRACE}-${SPAN}-03 `, true],
    // Of a version nobody knows yet.
    [`cc-${TRACE}-${SPAN}-01`, true],
    [`cc-${TRACE}-${SPAN}-01-what-may-come`, true],
  ])("says where a call was made: %s", (header, isSampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
  });

  it.each([
    null,
    "",
    "00",
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `cc-${TRACE}-${SPAN}-01.more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    "x".repeat(1_000_000),
  ])("that is none begins nothing: %#", (header) => {
    expect(parseTraceparent(header)).toBeUndefined();
  });

  it("is written as it is read, and what is below another is of its trace", () => {
    const root = placeBelow(undefined, true);
    expect(parseTraceparent(traceparentOf(root))).toEqual(root);
    const below = placeBelow(root, false);
    expect(below.traceId).toBe(root.traceId);
    expect(below.spanId).not.toBe(root.spanId);
    expect(parseTraceparent(traceparentOf(below))).toEqual(below);
    expect(placeBelow(undefined, true).traceId).not.toBe(root.traceId);
  });
});
