import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { Framing } from "./framing.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Framing that gives its texts to a list, none of them known beforehand. */
function framingInto(texts: string[]) {
  return new Framing(1000, { take: (text) => texts.push(text), takeKnown: () => 0 });
}

function textsOf(chunks: readonly Uint8Array[]): string[] {
  const characters = new TextDecoder("utf-8", { ignoreBOM: true });
  const texts: string[] = [];
  const framing = framingInto(texts);
  for (const chunk of chunks) framing.push(characters.decode(chunk, { stream: true }));
  framing.push(characters.decode());
  const tail = framing.finish();
  return tail === undefined ? texts : [...texts, tail];
}

/** Cut once at every byte, and into single bytes. */
function everyCut(bytes: Uint8Array): Uint8Array[][] {
  const cuts = Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [[bytes], Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)), ...cuts];
}

const own: [name: string, text: string, texts: string[]][] = [
  ["line JSON", '{"a":1}\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
  ["line JSON without the last newline", '{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
  ["line JSON with CRLF and blank lines", '\r\n\n{"a":1}\r\n\r\n{"b":2}\r\n', ['{"a":1}\r', '{"b":2}\r']],
  ["line JSON after a byte order mark", '\ufeff{"a":"ü€😀"}\n', ['{"a":"ü€😀"}']],
  ["events with LF", 'data: {"a":1}\n\ndata: {"b":2}\n\n', ['{"a":1}', '{"b":2}']],
  ["events with CRLF", 'data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n', ['{"a":1}', '{"b":2}']],
  ["events with CR", 'data: {"a":1}\r\rdata: {"b":2}\r\r', ['{"a":1}', '{"b":2}']],
  [
    "events after a byte order mark, with comments and other fields",
    '\ufeff: hi\n\nid: 1\nevent: x\nretry: 5\ndata: {"a":"é"}\n\n',
    ['{"a":"é"}'],
  ],
  ["an event over several lines", 'data: {\ndata: "a":1}\n\n', ['{\n"a":1}']],
  ["an event that is cut off", 'data: {"a":1}\n\ndata: {"b":2}', ['{"a":1}']],
  ["the end mark some servers send", 'data: {"a":1}\n\ndata: [DONE]\n\n', ['{"a":1}']],
  ["keep-alive comments between lines of JSON", ': ping\n\n{"a":1}\n: ping\n{"b":2}\n', ['{"a":1}', '{"b":2}']],
  ["events that end in a bare line of JSON", 'data: {"a":1}\n\n{"error":"x"}', ['{"a":1}', '{"error":"x"}']],
  [
    "frames and lines imitated inside a string",
    '{"a":"\\n\\ndata: {\\"error\\":1}\\n{"}\n',
    ['{"a":"\\n\\ndata: {\\"error\\":1}\\n{"}'],
  ],
  ["nothing", "", []],
];

describe("framing", () => {
  it.each(own)("reads %s the same wherever it is cut", (_, text, texts) => {
    for (const chunks of everyCut(bytesOf(text))) expect(textsOf(chunks)).toEqual(texts);
  });

  it.each([
    ['{"a":1}\n', "packets"],
    ["data: x\n\n", "packets"],
    [": ping\n", "packets"],
    ["id: 4\n\n", "packets"],
    ['{"a"', "undecided"],
    ["dat", "undecided"],
    ["data: {", "undecided"],
    ["", "undecided"],
    [" \r\n\t", "undecided"],
    ["  <!doctype html>", "page"],
    ["Sign in first", "text"],
    ["[1, 2]", "text"],
    ["null", "text"],
  ])("takes %j for %s", (text, looksLike) => {
    for (const chunks of everyCut(bytesOf(text))) {
      const characters = new TextDecoder("utf-8", { ignoreBOM: true });
      const framing = framingInto([]);
      for (const chunk of chunks) framing.push(characters.decode(chunk, { stream: true }));
      framing.finish();
      expect(framing.looksLike).toBe(looksLike);
    }
  });

  it.each([
    ["a line", `{"a":"${"x".repeat(2000)}"}\n`],
    ["an unfinished line", `{"a":"${"x".repeat(2000)}`],
    ["an event", `data: ${"x".repeat(2000)}\n\n`],
    ["an event of many lines", "data: x\n".repeat(2000)],
  ])("stops at %s longer than the limit, in one piece or many", (_, text) => {
    for (const size of [1, 100, text.length]) {
      const texts: string[] = [];
      const framing = framingInto(texts);
      for (let at = 0; at < text.length; at += size) framing.push(text.slice(at, at + size));
      expect(texts).toEqual([]);
      expect(framing.oversized).toBe(true);
      expect(framing.finish()).toBeUndefined();
    }
  });

  it("counts lines, events and comments as signs of life, and bytes not", () => {
    const framing = framingInto([]);
    framing.push('{"a":1}\n: ping\ndata: x\n\n');
    expect(framing.signs).toBe(3);
    for (const character of "data: unfinished") framing.push(character);
    expect(framing.signs).toBe(3);
  });
});

interface Vector {
  name: string;
  text?: string;
  hex?: string;
  events: [type: string, data: string, id: string][];
}

const vectors = sharedFolder("vectors/sse-vectors.json");

describe("published rules of event streams", () => {
  it.runIf(vectors)("hold for every vector at every 2-way split", () => {
    const file: { vectors: Vector[] } = JSON.parse(readFileSync(join(vectors ?? "", ""), "utf8"));
    expect(file.vectors.length).toBeGreaterThan(25);
    for (const { name, text, hex, events } of file.vectors) {
      const bytes = text === undefined ? Buffer.from((hex ?? "").replaceAll(" ", ""), "hex") : bytesOf(text);
      const expected = events.map(([, data]) => data).filter((data) => data !== "");
      for (const chunks of everyCut(bytes)) expect(textsOf(chunks), name).toEqual(expected);
    }
  });
});
