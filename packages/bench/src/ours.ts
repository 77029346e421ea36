import { createClient, createPacketDecoder, type Packet } from "@threadlore/client";
import { bodyOf, type Decoded } from "./peers.ts";

/** The client's decoder alone: bytes in, validated packets out, no waiting. */
export function decodeOurs(chunks: readonly Uint8Array<ArrayBuffer>[]): Decoded {
  const decoded = { packets: 0, contentLength: 0 };
  const decoder = createPacketDecoder();
  for (const chunk of chunks) countAll(decoded, decoder.push(chunk));
  countAll(decoded, decoder.finish());
  if (decoder.failure !== undefined) throw decoder.failure;
  return decoded;
}

/** The whole way a caller goes: a request, its reply, and a packet per turn of the loop. */
export async function streamOurs(chunks: readonly Uint8Array<ArrayBuffer>[]): Promise<Decoded> {
  const decoded = { packets: 0, contentLength: 0 };
  const headers = { "content-type": "text/event-stream" };
  const client = createClient({
    baseUrl: "http://127.0.0.1:1",
    fetch: async () => new Response(bodyOf(chunks), { headers }),
  });
  for await (const packet of client.streamMessage({ message: "" })) count(decoded, packet);
  return decoded;
}

function countAll(decoded: Decoded, packets: readonly Packet[]): void {
  for (const packet of packets) count(decoded, packet);
}

function count(decoded: Decoded, packet: Packet): void {
  decoded.packets++;
  if (!("obj" in packet) || packet.obj.type !== "message_delta") return;
  decoded.contentLength += packet.obj.content.length;
}
