import { createParser } from "eventsource-parser";
import { Stream } from "openai/core/streaming";
import type { Framing } from "./decode/framing.ts";
import { loadPeers } from "./peer-folder.ts";

/** What a decoder made of a stream, to be held against what was put in. */
export interface Decoded {
  packets: number;
  contentLength: number;
}

/** A decoder somebody else wrote, or everybody writes. */
export interface Peer {
  readonly name: string;
  readonly framings: readonly Framing[];
  decode(chunks: readonly Uint8Array<ArrayBuffer>[]): Decoded | Promise<Decoded>;
}

/** The packet a peer's decoder hands out, as far as counting needs it. None of them validates. */
export interface Unchecked {
  obj?: { content?: string };
}

/** Adds one packet to what was decoded. */
function count(decoded: Decoded, packet: Unchecked): void {
  decoded.packets++;
  decoded.contentLength += packet.obj?.content?.length ?? 0;
}

/** Decodes a body of `data:` frames, and hands out each packet as it comes. */
export type DecodeFrames = (
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onPacket: (packet: Unchecked) => void,
) => Promise<void>;

const { decodeByAiSdk } = await loadPeers<{ decodeByAiSdk: DecodeFrames }>("decoders.ts");

/** The floor: `JSON.parse` over lines that are cut out and decoded already. */
export function parseLines(lines: readonly string[]): Decoded {
  const decoded = { packets: 0, contentLength: 0 };
  for (const line of lines) count(decoded, JSON.parse(line) as Unchecked);
  return decoded;
}

/** A body as `fetch` hands it out: one chunk per read. */
export function bodyOf(chunks: readonly Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = chunks.values();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = source.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** The decoders a front end would otherwise use. */
export const PEERS: readonly Peer[] = [
  {
    name: "eventsource-parser + JSON.parse",
    framings: ["frames"],
    decode(chunks) {
      const decoded = { packets: 0, contentLength: 0 };
      const parser = createParser({ onEvent: ({ data }) => count(decoded, JSON.parse(data) as Unchecked) });
      const decoder = new TextDecoder();
      for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
      return decoded;
    },
  },
  {
    name: "split at newlines + JSON.parse",
    framings: ["lines"],
    decode(chunks) {
      const decoded = { packets: 0, contentLength: 0 };
      const decoder = new TextDecoder();
      let rest = "";
      for (const chunk of chunks) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) count(decoded, JSON.parse(line) as Unchecked);
      }
      return decoded;
    },
  },
  {
    name: "openai SDK stream",
    framings: ["lines", "frames"],
    async decode(chunks) {
      const decoded = { packets: 0, contentLength: 0 };
      const first = chunks[0]?.[0];
      const isLines = first === "{".charCodeAt(0);
      const controller = new AbortController();
      const stream = isLines
        ? Stream.fromReadableStream<Unchecked>(bodyOf(chunks), controller)
        : Stream.fromSSEResponse<Unchecked>(new Response(bodyOf(chunks)), controller);
      for await (const packet of stream) count(decoded, packet);
      return decoded;
    },
  },
  {
    name: "ai SDK parseJsonEventStream",
    framings: ["frames"],
    async decode(chunks) {
      const decoded = { packets: 0, contentLength: 0 };
      await decodeByAiSdk(bodyOf(chunks), (packet) => count(decoded, packet));
      return decoded;
    },
  },
];
