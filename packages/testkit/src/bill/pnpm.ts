import { basename } from "node:path";

/** The pnpm that runs this, a program or a script by version, or the one `npx` brings when none does. */
export function pnpm(): string[] {
  const running = process.env["npm_execpath"] ?? "";
  if (!basename(running).startsWith("pnpm")) return ["npx", "-y", "pnpm@12"];
  return /\.[cm]?js$/.test(running) ? [process.execPath, running] : [running];
}
