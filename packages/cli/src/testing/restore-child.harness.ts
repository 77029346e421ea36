import { restore } from "../embedded/database-copy.ts";

/** Restores one backup over and over, until it is killed: `node restore-child.harness.ts COPY DATABASE`. */
const [, , copy = "", database = ""] = process.argv;
process.stdout.write("ready\n");
for (;;) await restore(copy, database);
