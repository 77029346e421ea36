import { createClient, createPacketDecoder, type Packet } from "@threadlore/client";
import { createParser } from "eventsource-parser";
import { Stream } from "openai/core/streaming";
import { loadPeers } from "../peer-folder.ts";
import type { Framing } from "./framing.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A packet that others hand out, as far as counting needs it: only ours are validated. */
export interface Unchecked {
  obj?: { content?: string };
}

/** Takes each packet as it comes. */
type Take = (packet: Unchecked | Packet) => void;

/** Something that makes packets of a stream. */
export interface Decoder {
  readonly name: string;
  readonly ours: boolean;
  readonly framings: readonly Framing[];
  /** `lines` were cut out and decoded beforehand. */
  decode(stream: { readonly chunks: readonly Bytes[]; readonly lines: readonly string[] }, take: Take): unknown;
}

/** Decodes a body of `data:` frames. */
export type DecodeFrames = (body: ReadableStream<Bytes>, take: Take) => Promise<void>;

const { decodeByAiSdk } = await loadPeers<{ decodeByAiSdk: DecodeFrames }>("decoders.ts");

/** A body as `fetch` hands it out: one chunk per read. */
function bodyOf(chunks: readonly Bytes[]): ReadableStream<Bytes> {
  const source = chunks.values();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = source.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

export const FLOOR = "JSON.parse of lines cut out beforehand (limit)";
export const OURS = "threadlore decoder, validated";
export const OURS_WHOLE = "threadlore streamMessage, for await";

const BOTH: readonly Framing[] = ["lines", "frames"];

/** The floor, the decoders a front end would otherwise use, and ours. */
export const DECODERS: readonly Decoder[] = [
  {
    name: FLOOR,
    ours: false,
    framings: BOTH,
    decode({ lines }, take) {
      for (const line of lines) take(JSON.parse(line));
    },
  },
  {
    name: "eventsource-parser + JSON.parse",
    ours: false,
    framings: ["frames"],
    decode({ chunks }, take) {
      const parser = createParser({ onEvent: ({ data }) => take(JSON.parse(data)) });
      const decoder = new TextDecoder();
      for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
    },
  },
  {
    name: "split at newlines + JSON.parse",
    ours: false,
    framings: ["lines"],
    decode({ chunks }, take) {
      const decoder = new TextDecoder();
      let rest = "";
      for (const chunk of chunks) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) take(JSON.parse(line));
      }
    },
  },
  {
    name: "openai SDK stream",
    ours: false,
    framings: BOTH,
    async decode({ chunks }, take) {
      const isLines = chunks[0]?.[0] === "{".charCodeAt(0);
      const controller = new AbortController();
      const stream = isLines
        ? Stream.fromReadableStream<Unchecked>(bodyOf(chunks), controller)
        : Stream.fromSSEResponse<Unchecked>(new Response(bodyOf(chunks)), controller);
      for await (const packet of stream) take(packet);
    },
  },
  {
    name: "ai SDK parseJsonEventStream",
    ours: false,
    framings: ["frames"],
    decode: ({ chunks }, take) => decodeByAiSdk(bodyOf(chunks), take),
  },
  {
    // The client's decoder alone: bytes in, validated packets out, no waiting.
    name: OURS,
    ours: true,
    framings: BOTH,
    decode({ chunks }, take) {
      const decoder = createPacketDecoder();
      for (const chunk of chunks) for (const packet of decoder.push(chunk)) take(packet);
      for (const packet of decoder.finish()) take(packet);
      if (decoder.failure !== undefined) throw decoder.failure;
    },
  },
  {
    // The whole way a caller goes: a request, its reply, and a packet per turn of the loop.
    name: OURS_WHOLE,
    ours: true,
    framings: BOTH,
    async decode({ chunks }, take) {
      const headers = { "content-type": "text/event-stream" };
      const reply = async () => new Response(bodyOf(chunks), { headers });
      const client = createClient({ baseUrl: "http://127.0.0.1:1", fetch: reply });
      for await (const packet of client.streamMessage({ message: "" })) take(packet);
    },
  },
];
