import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { debianProgram, onPath } from "./debian-program.ts";

/** What makes a screen nobody sees, and presses its keys and buttons. */
export interface DesktopPrograms {
  /** Path of `Xvfb`. */
  readonly screen: string;
  /** Path of `xdotool`. */
  readonly hand: string;
}

/**
 * Programs for tests with windows, menus and dialogs on a screen of their own; installed by root on Debian where they
 * are missing. Returns undefined where there are none, after saying once what is left out.
 */
export async function desktopPrograms(environment?: NodeJS.ProcessEnv): Promise<DesktopPrograms | undefined> {
  const program = {
    name: "screen (Xvfb, xdotool)",
    packages: ["xvfb", "xdotool"],
    without: "tests of menus, keys and dialogs on a real screen",
    find(here: NodeJS.ProcessEnv) {
      const [screen, hand] = ["Xvfb", "xdotool"].map((name) => onPath([name], here));
      return screen === undefined || hand === undefined ? undefined : { screen, hand };
    },
  };
  const found = await debianProgram<DesktopPrograms>(program, environment);
  return "missing" in found ? undefined : found;
}

/**
 * A font with Japanese letters, so that pictures show them; installed by root on Debian where there is none. False, and
 * said once: pictures would show boxes instead.
 */
export async function japaneseFont(environment?: NodeJS.ProcessEnv): Promise<boolean> {
  const program = {
    name: "Japanese font",
    // A few megabytes, where Noto's is more than fifty.
    packages: ["fonts-ipafont-gothic", "fontconfig"],
    without: "pictures with Japanese text",
    async find(here: NodeJS.ProcessEnv) {
      // Only Linux has this list; other systems have their fonts.
      if (process.platform !== "linux") return { family: "the system's" };
      const listed = await promisify(execFile)("fc-list", [":lang=ja", "family"], { env: here }).catch(() => undefined);
      const [family = ""] = listed?.stdout.trim().split("\n") ?? [];
      return family === "" ? undefined : { family };
    },
  };
  return !("missing" in (await debianProgram<{ family: string }>(program, environment)));
}
