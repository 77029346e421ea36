import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { ListeningError, type RunningService as Listening, serve, type ServeOptions } from "@threadlore/service/serve";
import { announce, dataFiles, type DataFiles, EMBEDDED_PORT } from "./embedded.ts";
import { UsageError } from "../exit-codes.ts";

/** How to run the embedded service. */
export interface ServingOptions extends Pick<
  ServeOptions,
  | "port"
  | "model"
  | "embeddings"
  | "company"
  | "settings"
  | "log"
  | "logLevel"
  | "logFormat"
  | "network"
  | "withMetrics"
  | "tracing"
> {
  /** Data folder; created where absent. */
  readonly folder: string;
  /** Where everything is kept instead of in the folder; see `databaseUrl`. */
  readonly databaseUrl?: string | undefined;
}

/** The embedded service, running in this process. */
export interface Serving {
  readonly url: string;
  readonly files: DataFiles;
  /** The owner's key; undefined when its file was taken away. */
  readonly apiKey: string | undefined;
  /** True when this start made the database's first key. */
  readonly firstStart: boolean;
  readonly listening: Listening;
  /** Ends answers and connections in order, then frees port and database. */
  close(): Promise<void>;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch (error) {
    const why = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new UsageError(
      `The data folder ${folder} cannot be used (${why}): it has to be a folder that you may write to. Name another with --data.`,
    );
  }
}

async function listenWith(options: ServeOptions): Promise<Listening> {
  try {
    return await serve(options);
  } catch (error) {
    throw error instanceof ListeningError ? new UsageError(...error.problems) : error;
  }
}

/**
 * Starts the embedded service, on loopback unless told otherwise, with its data in one folder, and says there where it listens. Throws
 * UsageError, PortTakenError and DatabaseError.
 */
export async function startServing({ folder, port = EMBEDDED_PORT, ...options }: ServingOptions): Promise<Serving> {
  const files = dataFiles(folder);
  makeFolder(folder);
  const database = options.databaseUrl === undefined ? files.database : files.copy;
  const listening = await listenWith({ ...options, port, database, keyFile: files.key });
  await announce(files, listening.url);
  const reload = (): void => void listening.reloadCertificate();
  // Without a certificate, what it does elsewhere stays: the terminal is gone, and so is the service.
  if (options.network?.tls !== undefined) process.on("SIGHUP", reload);
  return {
    url: listening.url,
    files,
    apiKey: existsSync(files.key) ? (await readFile(files.key, "utf8")).trim() : undefined,
    firstStart: listening.firstKey !== undefined,
    listening,
    close: async () => {
      process.off("SIGHUP", reload);
      await rm(files.running, { force: true });
      await listening.close();
    },
  };
}
