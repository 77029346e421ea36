import { closeSync, openSync, writeSync } from "node:fs";
import { crc32, deflateRawSync } from "node:zlib";
import { seededRandom } from "@threadlore/testkit";

/** How large a made-up workspace is. */
export interface Workspace {
  readonly channels: number;
  readonly days: number;
  /** Messages a channel has on a day. */
  readonly perDay: number;
}

const WORDS = "berth crane tariff sluice harbour night shift rope tar ledger customs pilot tug anchor quay cargo".split(
  " ",
);
const BEGUN = 1_700_000_000;

/** Writes the export of a workspace that nobody has, file by file; one message in five begins a thread, half are replies. */
export function writeLargeExport(path: string, { channels, days, perDay }: Workspace): void {
  const zip = new ZipWriting(path);
  const random = seededRandom(7);
  const among = (count: number): number => Math.floor(random() * count);
  const people = Array.from({ length: 500 }, (_, n) => ({ id: `U${n}`, team_id: "T0BIG", name: `person ${n}` }));
  zip.add("users.json", JSON.stringify(people));
  zip.add(
    "channels.json",
    JSON.stringify(Array.from({ length: channels }, (_, n) => ({ id: `C${n}`, name: `c-${n}` }))),
  );
  for (let channel = 0; channel < channels; channel += 1) {
    const roots: string[] = [];
    for (let day = 0; day < days; day += 1) {
      const messages = Array.from({ length: perDay }, (_, n) => {
        const ts = `${BEGUN + day * 86_400 + n * 600}.${100_000 + channel}`;
        const text = `${Array.from({ length: 30 }, () => WORDS[among(WORDS.length)]).join(" ")} <@U${among(500)}>`;
        const lot = among(10);
        const thread_ts =
          lot < 2 ? ts : lot < 7 ? roots[roots.length - 1 - among(Math.min(roots.length, 20))] : undefined;
        if (lot < 2) roots.push(ts);
        const blocks = [
          { type: "rich_text", elements: [{ type: "rich_text_section", elements: [{ type: "text", text }] }] },
        ];
        return { type: "message", user: `U${among(500)}`, text, ts, thread_ts, team: "T0BIG", blocks };
      });
      const date = new Date((BEGUN + day * 86_400) * 1_000).toISOString().slice(0, 10);
      zip.add(`c-${channel}/${date}.json`, JSON.stringify(messages));
    }
  }
  zip.end();
}

/** A ZIP archive that is written while it is made, with numbers of 64 bits where there are over 65,535 files. */
class ZipWriting {
  readonly #file: number;
  readonly #directory: Buffer[] = [];
  #at = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  add(path: string, text: string): void {
    const [name, bytes] = [Buffer.from(path), Buffer.from(text)];
    const packed = deflateRawSync(bytes, { level: 1 });
    const described = Buffer.alloc(26);
    described.writeUInt16LE(20, 0);
    described.writeUInt16LE(8, 4);
    described.writeUInt32LE(crc32(bytes), 10);
    described.writeUInt32LE(packed.length, 14);
    described.writeUInt32LE(bytes.length, 18);
    described.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(this.#at, 10);
    this.#directory.push(Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\0", "latin1"), described, place, name]));
    this.#write(Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), described, name, packed]));
  }

  end(): void {
    const [begin, count] = [this.#at, this.#directory.length];
    const directory = Buffer.concat(this.#directory);
    this.#write(directory);
    const large = Buffer.alloc(76);
    large.write("PK\u0006\u0006", "latin1");
    large.writeBigUInt64LE(44n, 4);
    large.writeBigUInt64LE(BigInt(count), 24);
    large.writeBigUInt64LE(BigInt(count), 32);
    large.writeBigUInt64LE(BigInt(directory.length), 40);
    large.writeBigUInt64LE(BigInt(begin), 48);
    large.write("PK\u0006\u0007", 56, "latin1");
    large.writeBigUInt64LE(BigInt(this.#at), 64);
    large.writeUInt32LE(1, 72);
    const end = Buffer.alloc(22);
    end.write("PK\u0005\u0006", "latin1");
    end.writeUInt16LE(0xff_ff, 8);
    end.writeUInt16LE(0xff_ff, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(0xff_ff_ff_ff, 16);
    this.#write(Buffer.concat([large, end]));
    closeSync(this.#file);
  }

  #write(bytes: Buffer): void {
    writeSync(this.#file, bytes);
    this.#at += bytes.length;
  }
}
