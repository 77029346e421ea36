import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterThisFile } from "@threadlore/testkit";
import { finished, type Finished, type Home, newHome } from "./spawn-cli.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

/** `threadlore serve` in a process and a home of its own; every command run in this home finds it. */
export interface EmbeddedService {
  readonly home: Home;
  readonly url: string;
  /** What it said on stderr until it was ready. */
  readonly said: () => string;
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

export async function startEmbedded(home: Home = newHome(), args: readonly string[] = []): Promise<EmbeddedService> {
  const child = spawn(process.execPath, [MAIN, "serve", "--port", "0", ...args], {
    cwd: home.folder,
    env: { ...home.env },
    stdio: "pipe",
  });
  // Its test may fail before it could stop it.
  afterThisFile(() => child.kill("SIGKILL"));
  const end = finished(child);
  let said = "";
  child.stderr.on("data", (text: string) => (said += text));
  const ready = new Promise<string>((resolve) => {
    let out = "";
    child.stdout.on("data", (text: string) => {
      out += text;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0];
      if (url !== undefined && out.endsWith("\n")) resolve(url);
    });
  });
  const url = await Promise.race([ready, once(child, "exit").then(() => undefined)]);
  if (url === undefined) throw new Error(`serve ended: ${(await end).stderr}`);
  return {
    home,
    url,
    said: () => said,
    stop: (signal = "SIGTERM") => {
      child.kill(signal);
      return end;
    },
  };
}
