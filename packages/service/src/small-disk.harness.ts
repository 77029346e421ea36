import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { temporaryFolder } from "./service.harness.ts";

/** A place of 6 MB that can be filled and emptied; undefined where the tests may not make one (they need root on Linux). */
export function smallDisk(cleanups: (() => unknown)[]): { path: string; fill(): void; empty(): void } | undefined {
  const folder = temporaryFolder();
  const disk = `${folder.path}/disk`;
  mkdirSync(disk);
  const mounted =
    process.getuid?.() === 0 && spawnSync("mount", ["-t", "tmpfs", "-o", "size=6m", "none", disk]).status === 0;
  cleanups.push(() => {
    if (mounted) spawnSync("umount", [disk]);
    folder.remove();
  });
  if (!mounted) return undefined;
  const fill = (): void => {
    for (const size of [1_000_000, 100_000, 4_096, 1]) {
      for (let index = 0; index < 100; index++) {
        try {
          writeFileSync(`${disk}/fill-${size}-${index}`, Buffer.alloc(size));
        } catch {
          break;
        }
      }
    }
  };
  return { path: disk, fill, empty: () => spawnSync("sh", ["-c", `rm -f ${disk}/fill-*`]) };
}
