/** Writes what types and tests need before anything is built (`.wxt/`): run at installation and before type checks. */
import { fileURLToPath } from "node:url";
import { prepare } from "wxt";
import { QUIET } from "./quiet.ts";

await prepare({ root: fileURLToPath(new URL("../..", import.meta.url)), logger: QUIET });
