import { RELAYS } from "./relay-first-words.ts";
import { measureStreams } from "./relay-streams.ts";

// Run by relay.ts in a process of its own, so that no other measurement's memory counts.
const [name, streams, workspaces, seconds] = process.argv.slice(2);
const relaying = RELAYS.find((one) => one.name === name);
if (relaying === undefined) throw new Error(`There is no relay called ${name}.`);
const size = { streams: Number(streams), workspaces: Number(workspaces), seconds: Number(seconds) };
process.stdout.write(JSON.stringify(await measureStreams(relaying, size)));
// Timeouts of calls long answered would keep the process for seconds.
process.exit(0);
