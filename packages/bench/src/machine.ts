import { cpus, loadavg, release, totalmem } from "node:os";

/** What figures are measured on. */
export function describeMachine() {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release().split("-")[0] ?? ""}`.trim(),
    node: process.versions.node,
    /** Mean load of the last minute when the run begins: above the number of cores, figures are noisy. */
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

/** What the figures were measured on. */
export type Machine = ReturnType<typeof describeMachine>;
