import { type Outgoing, readOutgoing, wayTo } from "@threadlore/outgoing";
import { throwProblems } from "../exit-codes.ts";
import { reportFailure } from "../failure.ts";
import type { Terminal } from "../terminal/output.ts";

/**
 * By which proxy calls leave this process, and whose certificates are trusted. Throws UsageError where the file of
 * certificates cannot be used; what is wrong with a proxy is told by the call that meets it.
 */
export function outgoingOf(terminal: Terminal): Outgoing {
  const outgoing = readOutgoing(terminal.env, terminal.folder);
  for (const secret of outgoing.proxies.secrets) terminal.hide(secret);
  throwProblems(outgoing.problems);
  return outgoing;
}

/** Whether a proxy is asked for an address. */
export function proxiedFor(terminal: Terminal): (url: URL) => boolean {
  const { proxies } = outgoingOf(terminal);
  return (url) => wayTo(url, proxies).kind !== "direct";
}

/** Has all calls of this process leave that way. Says what is wrong with a setting, and gives the exit code then. */
export function goOut(terminal: Terminal, args: readonly string[]): number | undefined {
  try {
    outgoingOf(terminal).install();
    return undefined;
  } catch (error) {
    return reportFailure(terminal, error, args.includes("--json"));
  }
}
