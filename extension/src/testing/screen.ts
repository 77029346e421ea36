import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { crc32, deflateSync } from "node:zlib";
import { desktopPrograms } from "@threadlore/testkit/debian";

/** Bytes of a color, and of a point, in the X window dump Xvfb keeps of its screen. */
const COLOR_BYTES = 12;
const PIXEL_BYTES = 4;

/** A screen nobody sees, with a keyboard. */
export interface Screen {
  /** Such as `:1`. */
  readonly display: string;
  /** Presses keys one after the other, as X names them: `Return`, `alt+shift+k`. They go to what is in front. */
  press(...keys: readonly string[]): Promise<void>;
  /** Names of the windows that can be seen; an open menu is one too. */
  windows(): Promise<ReadonlySet<string>>;
  /** How bright a point is, from 0 to 255. */
  brightness(x: number, y: number): Promise<number>;
  /** A part of what is on it, as a PNG. */
  picture(part: ScreenPart): Promise<Buffer>;
  close(): Promise<void>;
}

/** How large a screen, or a part of it, is, in points. */
export interface ScreenSize {
  readonly width: number;
  readonly height: number;
}

/** A part of a screen, in points from its upper left corner. */
export interface ScreenPart extends ScreenSize {
  readonly left: number;
  readonly top: number;
}

/** Whether there are programs for a screen; installs them where that can be done, so ask outside of a test's time. */
export async function hasScreen(): Promise<boolean> {
  return (await desktopPrograms()) !== undefined;
}

/** Starts a screen with a number that is free, of 1200 x 900 points unless told otherwise. Throws where there are no programs for one. */
export async function startScreen({ width, height }: ScreenSize = { width: 1200, height: 900 }): Promise<Screen> {
  const programs = await desktopPrograms();
  if (programs === undefined) throw new Error("There are no programs for a screen.");
  const folder = await mkdtemp(join(tmpdir(), "threadlore-screen-"));
  const dump = join(folder, "Xvfb_screen0");
  const words = ["-displayfd", "3", "-screen", "0", `${width}x${height}x24`, "-nolisten", "tcp", "-fbdir", folder];
  const server = spawn(programs.screen, words, { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const endWithUs = () => server.kill("SIGKILL");
  process.once("exit", endWithUs);
  const display = `:${await numberOf(server)}`;
  const hand = async (...asked: string[]) =>
    (await promisify(execFile)(programs.hand, asked, { env: { ...process.env, DISPLAY: display } })).stdout;
  return {
    display,
    press: async (...keys) => void (await hand("key", "--clearmodifiers", "--delay", "60", ...keys)),
    async windows() {
      // It ends with status 1 when it finds none.
      const found = await hand("search", "--onlyvisible", "--name", "").catch(() => "");
      return new Set(found.split("\n").filter((name) => name !== ""));
    },
    async brightness(x, y) {
      const { pointAt } = readDump(await readFile(dump));
      return Math.max(...pointAt(x, y));
    },
    picture: async (part) => pngOf(readDump(await readFile(dump)), part),
    async close() {
      const ended = once(server, "exit");
      server.kill();
      await ended;
      process.off("exit", endWithUs);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** It says its number as soon as it can be used. */
function numberOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => reject(new Error("The screen did not start.")));
    createInterface({ input: server.stdio[3] as Readable }).once("line", (line) => resolve(line.trim()));
  });
}

interface Dump {
  /** Blue, green, red. */
  pointAt(x: number, y: number): Buffer;
}

/** An X window dump: a header of 32-bit words, the colors, the lines. */
function readDump(bytes: Buffer): Dump {
  const field = (at: number) => bytes.readUInt32BE(at * 4);
  const [header, line, colors] = [field(0), field(12), field(19)];
  return {
    pointAt(x, y) {
      const start = header + colors * COLOR_BYTES + y * line + x * PIXEL_BYTES;
      return bytes.subarray(start, start + 3);
    },
  };
}

/** As PNG: 8 bits for each of three colors, every line unfiltered. */
function pngOf({ pointAt }: Dump, { left, top, width, height }: ScreenPart): Buffer {
  const lines = Buffer.alloc((1 + width * 3) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [blue = 0, green = 0, red = 0] = pointAt(left + x, top + y);
      lines.set([red, green, blue], y * (1 + width * 3) + 1 + x * 3);
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(lines)), chunk("IEND")]);
}

function chunk(name: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(name), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
