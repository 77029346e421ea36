/** A program that reads files: it says which process read one, then does what its argument says. */
import { ReaderPool } from "./reader-pool.ts";

const pool = new ReaderPool({ reader: new URL("./reader-child.harness.ts", import.meta.url), mostMs: 600_000 });
const place = pool.enter("somebody");
await place.read({ bytes: new Uint8Array(3), about: { do: "noise" } });
const answer = await place.read({ bytes: new Uint8Array(3) });
process.stdout.write(`${JSON.stringify(answer)}\n`);
if (process.argv[2] === "loop") await place.read({ bytes: new Uint8Array(3), about: { do: "loop" } });
