import { seededRandom } from "@threadlore/testkit";

/** How packets are told apart on the wire: one JSON text a line, or `data:` frames with an empty line between. */
export type Framing = "lines" | "frames";

/** Where the network cuts the bytes. */
export type Cutting = "random" | "packet" | { every: number };

const encoder = new TextEncoder();

/** The stream's bytes in that framing, cut that way. */
export function cutStream(lines: readonly string[], framing: Framing, cutting: Cutting): Uint8Array<ArrayBuffer>[] {
  const framed = lines.map((line) => encoder.encode(framing === "lines" ? `${line}\n` : `data: ${line}\n\n`));
  if (cutting === "packet") return framed;
  const random = seededRandom(7);
  const next = () => (cutting === "random" ? 1 + Math.floor(random() * 65_536) : cutting.every);
  const whole = new Uint8Array(Buffer.concat(framed));
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let at = 0; at < whole.length;) {
    const end = Math.min(at + next(), whole.length);
    chunks.push(whole.slice(at, end));
    at = end;
  }
  return chunks;
}
