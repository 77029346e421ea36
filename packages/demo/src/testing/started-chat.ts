import { spawn } from "node:child_process";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { bareEnvironment } from "./bare-environment.ts";

const START = join(import.meta.dirname, "../start.ts");

/** `start` in a process of its own, until it has said where to talk. */
export async function started(folder: string): Promise<{ url: string; stop: () => Promise<string> }> {
  const home = temporaryFolder();
  const child = spawn(
    process.execPath,
    [START, "--port", "0", "--chat-port", "0", "--no-extension", "--data", folder],
    {
      cwd: home,
      env: bareEnvironment(home),
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  const end = new Promise<string>((resolve) => child.once("close", () => resolve(output)));
  const url = await new Promise<string>((resolve, reject) => {
    const read = (text: Buffer): void => {
      output += text.toString();
      const found = /Talk to it in a channel: (http:\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("close", () => reject(new Error(`It ended too early:\n${output}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill("SIGINT");
      return end;
    },
  };
}

/** Width and height of a PNG, and that it is one. */
export function sizeOf(png: Buffer): readonly [string, number, number] {
  return [png.subarray(1, 4).toString(), png.readUInt32BE(16), png.readUInt32BE(20)];
}
