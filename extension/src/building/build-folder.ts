/**
 * Builds the extension for one browser into a folder of its own: `build-folder.ts chrome /some/folder`. With `packed` as
 * a third word, with its packages for the store. For tests.
 */
import { join } from "node:path";
import { build, zip } from "wxt";
import { QUIET } from "./quiet.ts";

const [browser, outDir, packed] = process.argv.slice(2);
const options = { root: join(import.meta.dirname, "../.."), browser, outDir, logger: QUIET };
const work = packed === "packed" ? zip : build;
await work(options as Parameters<typeof build>[0]);
