import { afterAll, afterEach } from "vitest";
import { tidyFile, tidyTest } from "./tidying.ts";

// Run anew before every test file, also where files share a process and the modules they load.
afterEach(tidyTest);
afterAll(tidyFile);
