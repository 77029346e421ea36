import { readdirSync, readFileSync } from "node:fs";

/** Processes that a process has started, and theirs. */
export function childrenOf(parent: number): number[] {
  const parents = readdirSync("/proc").flatMap((name) => {
    const [, state, ppid] = /\) (\S) (\d+)/.exec(textOf(`/proc/${name}/stat`)) ?? [];
    return /^\d+$/.test(name) && state !== "Z" && ppid !== undefined ? [{ pid: Number(name), ppid: Number(ppid) }] : [];
  });
  const below = (pid: number): number[] =>
    parents.filter(({ ppid }) => ppid === pid).flatMap((one) => [one.pid, ...below(one.pid)]);
  return below(parent);
}

/** Whether it still does anything. */
export function isRunning(pid: number): boolean {
  return /\) [^ZX] /.test(textOf(`/proc/${pid}/stat`));
}

/** Bytes of these processes in memory, all together. */
export function residentOf(pids: readonly number[]): number {
  return (
    pids.reduce((sum, pid) => sum + Number(/^VmRSS:\s+(\d+) kB/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0), 0) *
    1_024
  );
}

/** "" where the process has ended meanwhile. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
