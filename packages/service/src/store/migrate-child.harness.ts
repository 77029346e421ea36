import { Database } from "./sqlite/database.ts";

// Run by held.test.ts in a process of its own, which is killed while it brings a database up to date.
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("usage: migrate-child DATABASE");
process.stdout.write("begins\n");
new Database(file).close();
