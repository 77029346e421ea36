import { realpathSync } from "node:fs";
import { createDeployment, type IngestedDocument } from "@threadlore/client/deployment";
import { temporaryFolder } from "@threadlore/testkit";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type Serving, startServing } from "../embedded/serving.ts";
import { type Run, runHere } from "./in-process.ts";

/** What the tests of one file share, and each has for itself. */
export interface OneService {
  /** Of all of them. */
  readonly serving: Serving;
  /** Folder of its data. */
  readonly data: string;
  /** An empty folder of the test that runs. */
  readonly home: string;
  /** Which test that is, counted from 1: names what must not be the same in two of them. */
  readonly round: number;
  /** Runs `threadlore ingest` into pair 1 in that folder, which is also that of temporary files. */
  ingest(...args: string[]): Promise<Run>;
  /** Documents of pair 1, of all tests so far. */
  documents(): Promise<IngestedDocument[]>;
}

/** Starts a service for all tests of the file it is called in, and gives each a folder of its own. */
export function onOneService(): OneService {
  let serving: Serving;
  let data: string;
  let home: string;
  let round = 0;
  beforeAll(async () => {
    data = realpathSync(temporaryFolder());
    serving = await startServing({ folder: data, port: 0, log: () => {} });
  });
  afterAll(() => serving.close());
  beforeEach(() => {
    home = realpathSync(temporaryFolder());
    round += 1;
  });
  return {
    get serving() {
      return serving;
    },
    get data() {
      return data;
    },
    get home() {
      return home;
    },
    get round() {
      return round;
    },
    ingest: (...args) =>
      runHere(["ingest", "--pair", "1", "--no-wait", "--data", data, ...args], { home, env: { TMPDIR: home } }),
    documents: () => createDeployment({ baseUrl: serving.url, apiKey: serving.apiKey }).documents({ pairId: 1 }),
  };
}
