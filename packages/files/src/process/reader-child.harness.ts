/** A reader module that does whatever the test says. */
import { writeSync } from "node:fs";

let files = 0;
const kept: unknown[] = [];

/** What a test has it do. */
export interface Deed {
  readonly do?:
    | "loop"
    | "buffers"
    | "one buffer"
    | "objects"
    | "environment"
    | "program"
    | "long"
    | "keep"
    | "throw"
    | "noise"
    | "null reply"
    | "list reply"
    | "exit";
}

/** Does it. */
export function read(bytes: Uint8Array<ArrayBuffer>, about: unknown): unknown {
  files++;
  const held: unknown[] = [];
  switch ((about as Deed | null)?.do) {
    case "loop":
      for (;;) files += 0;
    case "buffers":
      for (;;) held.push(new Uint8Array(1_000_000).fill(1));
    case "one buffer":
      return new Uint8Array(2_000_000_000).fill(1).length;
    case "objects":
      for (;;) held.push({ at: held.length, list: [held.length] });
    case "environment":
      return { ...process.env };
    case "program":
      return Reflect.construct(Function, ["return 1"])();
    case "long":
      return "x".repeat(3_000_000);
    case "keep":
      kept.push(new Uint8Array(40_000_000).fill(1));
      break;
    case "throw":
      throw new Error("it is no chart");
    case "noise":
      process.stderr.write("NOISE\n");
      process.stdout.write("NOISE\n");
      return null;
    case "null reply":
      return reply("null");
    case "list reply":
      return reply("[1]");
    case "exit":
      process.exit(3);
    default:
  }
  return { pid: process.pid, files, length: bytes.length, sum: bytes.reduce((all, one) => all + one, 0), about };
}

/** Speaks for the process itself, as a file would that has taken it over, and does not come back. */
function reply(text: string): never {
  const frame = Buffer.alloc(4 + text.length);
  frame.writeUInt32LE(text.length, 0);
  frame.write(text, 4);
  writeSync(3, frame);
  for (;;) files += 0;
}
