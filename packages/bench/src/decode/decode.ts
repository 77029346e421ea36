import { type Bar, missedOf } from "../bars.ts";
import { cutStream, type Cutting, type Framing } from "./framing.ts";
import { type Contestant, cpuMs, medianRows, withRatio } from "../measure.ts";
import { generateLargePacket, generatePackets, type PacketStream } from "./packet-stream.ts";
import { DECODERS, FLOOR, OURS, OURS_WHOLE } from "./decoders.ts";
import { columnsOf, type Group, type Outcome } from "../report.ts";

const COLUMNS = columnsOf({ "CPU ms": 1, "times the limit": 2, "times our decoder": 1 });

/** With the most our rows may take, in times the limit. */
const CASES: readonly { name: string; framing: Framing; cutting: Cutting; decoder: number; whole: number }[] = [
  {
    name: "line JSON, random chunks of 1 B to 64 KB",
    framing: "lines",
    cutting: "random",
    decoder: 1.3,
    whole: 1.9,
  },
  { name: "line JSON, one packet per chunk", framing: "lines", cutting: "packet", decoder: 2.2, whole: 3.2 },
  {
    name: "data: frames, random chunks of 1 B to 64 KB",
    framing: "frames",
    cutting: "random",
    decoder: 1.6,
    whole: 1.9,
  },
  { name: "data: frames, one packet per chunk", framing: "frames", cutting: "packet", decoder: 2.8, whole: 3.2 },
];

/** The most our rows may take, and the least a software kit's stream must take beside them. */
const BARS: readonly Bar[] = [
  ...CASES.flatMap(({ name: group, decoder, whole }): Bar[] => [
    { group, row: OURS, column: "times the limit", most: decoder },
    { group, row: OURS_WHOLE, column: "times the limit", most: whole },
  ]),
  ...CASES.filter(({ cutting }) => cutting === "random").flatMap(({ name, framing }) =>
    DECODERS.filter((peer) => peer.name.includes("SDK") && peer.framings.includes(framing)).map((peer): Bar => ({
      group: name,
      row: peer.name,
      column: "times our decoder",
      least: 4,
    })),
  ),
  { group: "one packet of", row: OURS, column: "CPU ms", most: 100 },
  { group: "one packet of", row: OURS_WHOLE, column: "CPU ms", most: 100 },
];

/** How much is measured: the published figures, or enough to see that the bench works. */
export interface DecodeSize {
  readonly packets: number;
  readonly rounds: number;
  readonly largeBytes: number;
}

/** From bytes to packets, every decoder over the same bytes in turn. */
export async function benchDecode({ packets, rounds, largeBytes }: DecodeSize): Promise<Outcome> {
  const stream = generatePackets(packets);
  const scenes = [
    ...CASES.map((one) => ({ ...one, stream })),
    {
      name: `one packet of ${Math.round(largeBytes / 1_000_000)} MB, data: frame, 1 KB chunks`,
      framing: "frames",
      cutting: { every: 1_024 },
      stream: generateLargePacket(largeBytes),
    } as const,
  ];
  const groups: Group[] = [];
  for (const scene of scenes) {
    const rows = await medianRows(contestantsFor(scene.stream, scene.framing, scene.cutting), rounds, 2);
    const besideLimit = withRatio(rows, "times the limit", "CPU ms", FLOOR);
    const besideOurs = withRatio(besideLimit, "times our decoder", "CPU ms", OURS);
    groups.push({ name: scene.name, columns: COLUMNS, rows: besideOurs });
  }
  return { groups, missed: missedOf(groups, BARS) };
}

function contestantsFor(stream: PacketStream, framing: Framing, cutting: Cutting): Contestant[] {
  const given = { lines: stream.lines, chunks: cutStream(stream.lines, framing, cutting) };
  return DECODERS.filter(({ framings }) => framings.includes(framing)).map(({ name, ours, decode }) => ({
    name,
    ours,
    async run() {
      let [packets, contentLength] = [0, 0];
      const milliseconds = await cpuMs(() =>
        decode(given, (packet) => {
          packets++;
          const obj: object = "obj" in packet ? (packet.obj ?? {}) : {};
          if ("content" in obj && typeof obj.content === "string") contentLength += obj.content.length;
        }),
      );
      if (packets !== stream.lines.length || contentLength !== stream.contentLength)
        throw new Error(`${name} made ${packets} packets with ${contentLength} characters of the ${framing}`);
      return { "CPU ms": milliseconds };
    },
  }));
}
