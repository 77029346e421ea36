import type { Server, ServerResponse } from "node:http";

/** How long open answers may take to end once their run was told to, milliseconds. */
const STOP_MS = 5_000;
/** What a connection without an answer gets, for the last bytes on their way, milliseconds. */
const GRACE_MS = 100;

/**
 * Ends servers once what is unfinished has ended, or a time is over.
 * A connection that was opened and never used does not count as idle for Node, so waiting for the connections alone
 * would take until the other side gives them up.
 */
export async function stop(servers: readonly Server[], unfinished: ReadonlySet<ServerResponse>): Promise<void> {
  const end = (): void => {
    for (const server of servers) server.closeAllConnections();
  };
  const late = setTimeout(end, STOP_MS);
  let soon: NodeJS.Timeout | undefined;
  const endWhenAnswered = (): void => {
    for (const server of servers) server.closeIdleConnections();
    if (unfinished.size === 0) soon ??= setTimeout(end, GRACE_MS);
  };
  const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  // After the listener that takes the answer out of `unfinished`.
  for (const outgoing of unfinished) outgoing.once("close", endWhenAnswered);
  endWhenAnswered();
  await Promise.all(closed);
  clearTimeout(late);
  clearTimeout(soon);
}

/** Resolves once these answers have ended, or the time is over, milliseconds. */
export async function endingOf(answers: readonly ServerResponse[], patienceMs: number): Promise<void> {
  if (patienceMs <= 0) return;
  const open = new Set(answers.filter(({ closed }) => !closed));
  if (open.size === 0) return;
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, patienceMs);
    for (const answer of open) {
      answer.once("close", () => {
        open.delete(answer);
        if (open.size > 0) return;
        clearTimeout(late);
        resolve();
      });
    }
  });
}
