import { cutBody, ownStream } from "@threadlore/testkit";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { PacketObject, Placement, PlacedPacket, type Packet } from "../models.ts";
import { guardOf } from "./model-guard.ts";
import { createPacketDecoder } from "./packet-decoder.ts";

const isPlaced = guardOf(PlacedPacket);

/** Every kind of packet there is, by the model's own list. */
const KINDS = PacketObject._zod.def.options.map((schema) => {
  const [type = ""] = schema._zod.def.shape.type._zod.def.values;
  return { type, schema };
});

const hostile = fc.oneof(
  fc.constantFrom(null, undefined, "", "x", 0, 1, -1, 1.5, 2 ** 60, true, [], {}, Number.NaN, Number.POSITIVE_INFINITY),
  fc.string(),
);

/** What a schema takes, and now and then what it may not. */
function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 24, arbitrary: fineOf(schema) }, { weight: 1, arbitrary: hostile });
}

function fineOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "string":
      return fc.string();
    case "number":
      return fc.nat(9);
    case "boolean":
      return fc.boolean();
    case "unknown":
      return fc.jsonValue();
    case "optional":
    case "nullable":
    case "default":
      return fc.oneof({ weight: 3, arbitrary: arbitraryOf(def.innerType) }, fc.constantFrom(null, undefined));
    case "literal":
      return fc.constantFrom(...def.values);
    case "array":
      return fc.array(arbitraryOf(def.element), { maxLength: 2 });
    case "record":
      return fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), arbitraryOf(def.valueType), { maxKeys: 2 });
    case "object": {
      const members = Object.entries(def.shape).map(([key, member]) => [key, arbitraryOf(member)] as const);
      return fc.record({ ...Object.fromEntries(members), boost: fc.option(hostile, { nil: undefined }) });
    }
    default:
      throw new Error(`The model has a schema of the kind ${def.type}, which this test makes no values of.`);
  }
}

const packetOf = (schema: z.core.$ZodType) =>
  fc.record({ placement: arbitraryOf(Placement), obj: arbitraryOf(schema) });

describe("the guard made of the model", () => {
  it.each(KINDS)("judges $type as the model does, and leaves it as it came", ({ type, schema }) => {
    let taken = 0;
    fc.assert(
      fc.property(packetOf(schema), (packet) => {
        if (!isPlaced(packet)) return;
        taken++;
        expect(packet.obj).toMatchObject({ type });
        expect(PlacedPacket.parse(packet)).toEqual(packet);
      }),
      { numRuns: 600 },
    );
    // A kind that the guard knows nothing of would be read at a snail's pace, and nobody would see it.
    expect(taken).toBeGreaterThan(30);
  });

  it("takes every placed packet the model takes whole: a heartbeat, a search, a stop", () => {
    const lines = new TextDecoder().decode(ownStream("preamble").response.body).split("\n");
    const placed = lines.filter((line) => line.includes('"obj"')).map((line): unknown => JSON.parse(line));
    expect(placed.length).toBeGreaterThan(8);
    expect(placed.filter((packet) => !isPlaced(packet))).toEqual([]);
  });

  it.each([
    ["a check of a text", z.looseObject({ a: z.string().check(z.minLength(1)) })],
    ["a check of a number", z.looseObject({ a: z.number().check(z.positive()) })],
    ["a closed object", z.object({ a: z.string() })],
    ["a transformation", z.transform(Object.keys)],
    ["a union without a key that tells", z.union([z.looseObject({ a: z.string() }), z.string()])],
  ])("says nothing of what it does not know: %s", (_, schema) => {
    expect(guardOf(schema)({ a: "x" })).toBe(false);
    expect(guardOf(schema)({ a: 1 })).toBe(false);
  });
});

/** The packet a line must become, by the model alone. */
function expectedOf(line: string): Packet {
  const value = JSON.parse(line) as Record<string, unknown>;
  const parsed = PlacedPacket.safeParse(value);
  return parsed.success ? parsed.data : { unknown: value };
}

/** JSON as no server should print it: names twice, names that objects have already, blanks where none are due. */
const spoilt = fc.constantFrom<(line: string) => string>(
  (line) => line,
  (line) => line,
  (line) => line.replace('"type":', '"__proto__":{"x":1},"type":'),
  (line) => line.replace('"type":', '"type":"message_delta","type":'),
  (line) => line.replace(/"placement":\{(?!\})/, '"placement":{"__proto__":"y","later":[{}],'),
  (line) => line.replaceAll('":', '" : ').replaceAll(',"', ', "'),
  (line) => line.replace('"obj":', '"obj":{"type":"stop"},"obj":'),
  (line) => `${line.slice(0, -1)},"later":"content"}`,
);

describe("a stream of every kind of packet", () => {
  const kinds = fc.oneof(...KINDS.map(({ schema }) => packetOf(schema)));
  const texts = fc.string({ unit: "grapheme", maxLength: 30 });
  /** The same delta several times, with other texts, so that it is known by what stands around its text. */
  const deltas = fc.constantFrom(...KINDS.filter(({ type }) => type.endsWith("_delta"))).chain(({ type, schema }) =>
    fc.array(
      texts.map((text) => {
        const field = Object.keys(schema._zod.def.shape).find((key) => key !== "type") ?? "content";
        return { placement: { turn_index: 1, tab_index: 0 }, obj: { type, [field]: text } };
      }),
      { minLength: 2, maxLength: 6 },
    ),
  );
  const written = fc.tuple(fc.oneof(kinds.map((packet) => [packet]), deltas), spoilt).map(([packets, spoil]) =>
    packets.map((packet) => spoil(JSON.stringify(packet))),
  ); // prettier-ignore

  it.each(["lines", "frames"])("is read as the model reads it, in %s that are cut anywhere", (framing) => {
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 8 }), fc.nat(), (groups, seed) => {
        const lines = groups.flat();
        const body = lines.map((line) => (framing === "lines" ? `${line}\n` : `data: ${line}\n\n`)).join("");
        const decoder = createPacketDecoder();
        const chunks = cutBody(new TextEncoder().encode(body), { seed, most: 200 });
        const packets = chunks.flatMap(({ bytes }) => decoder.push(bytes));
        packets.push(...decoder.finish());
        expect(packets).toEqual(lines.map(expectedOf));
      }),
      { numRuns: 1_000 },
    );
  });
});
