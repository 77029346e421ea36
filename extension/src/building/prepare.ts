/** Writes what types and tests need before anything is built (`.wxt/`): run at installation and before type checks. */
import { join } from "node:path";
import { prepare } from "wxt";
import { QUIET } from "./quiet.ts";

await prepare({ root: join(import.meta.dirname, "../.."), logger: QUIET });
