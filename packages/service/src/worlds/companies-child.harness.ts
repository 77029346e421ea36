import { judgeCompanies } from "./people-worlds.harness.ts";

// Run by companies-apart.harness.ts in a process of its own: judges the companies it is told, and tells what they showed.
process.on("message", ({ from, count, seed }: { from: number; count: number; seed: number }) => {
  judgeCompanies(count, seed, { from }).then(
    (report) => process.send?.(report),
    (error: unknown) => process.send?.({ companies: 0, looks: 0, finds: 0, afterLoss: 0, problems: [String(error)] }),
  );
});
process.on("disconnect", () => process.exit());
