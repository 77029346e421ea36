import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { EMBEDDED_PORT, type Terminal, UsageError } from "@threadlore/cli";

/** Where the page to talk in listens, unless told otherwise: one above the service. */
export const CHAT_PORT = EMBEDDED_PORT + 1;

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The folder in which `threadlore`, called from this repository, looks for a service by itself. */
export const USUAL_FOLDER = resolve(ROOT, ".threadlore");

/** What a person said on the command line of `start`, or in its environment. */
export interface StartOptions {
  readonly folder: string;
  readonly port: number;
  /** Port of the chat workspace's page; undefined: no chat. */
  readonly chatPort: number | undefined;
  /** Build the extension and say how to load it. */
  readonly extension: boolean;
  /** Open a browser that has the extension. */
  readonly browser: boolean;
  /** End after the answer. */
  readonly once: boolean;
  /** Let a model that runs here write the answers: this one, or any (`true`). */
  readonly model: string | boolean;
  /** Only say what there is to choose. */
  readonly help: boolean;
}

/** What `--help` prints. */
export const HELP = `npx -y pnpm@12 start [options]

From nothing to a cited answer on this machine; then it stays up until Ctrl-C.

  --browser            open a Chromium with the extension, paired (CHROME_PATH: this one)
  --no-extension       do not build the browser extension
  --once               end after the answer (THREADLORE_ONCE=1)
  --port <number>      another port than ${EMBEDDED_PORT} (THREADLORE_PORT)
  --chat-port <number> another port than ${CHAT_PORT} for the chat page (THREADLORE_CHAT_PORT)
  --no-chat            no chat workspace
  --data <folder>      another folder than .threadlore (THREADLORE_DATA)
  --model              let a model that runs on this machine write the answers
  --model-name <name>  let this one
`;

/** Reads arguments and environment. Throws UsageError with what is wrong and what to do. */
export function readOptions({ env, folder }: Pick<Terminal, "env" | "folder">, args: readonly string[]): StartOptions {
  const values = parse(args);
  const chat = values["no-chat"] !== true;
  const once = values.once ?? env["THREADLORE_ONCE"] === "1";
  const browser = values.browser === true;
  if (browser && once) {
    throw new UsageError(
      "--once ends after the answer, and the service with it. For a browser to ask it, leave --once out.",
    );
  }
  if (browser && values["no-extension"] === true) {
    throw new UsageError("--browser is there for the extension. Leave either it or --no-extension out.");
  }
  return {
    folder: resolve(folder, values.data ?? env["THREADLORE_DATA"] ?? USUAL_FOLDER),
    port: portFrom(values.port ?? env["THREADLORE_PORT"], EMBEDDED_PORT),
    chatPort: chat ? portFrom(values["chat-port"] ?? env["THREADLORE_CHAT_PORT"], CHAT_PORT) : undefined,
    extension: values["no-extension"] !== true,
    browser,
    once,
    model: values["model-name"] ?? values.model ?? false,
    help: values.help === true,
  };
}

function portFrom(text: string | undefined, usual: number): number {
  const port = text ?? String(usual);
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new UsageError(`"${port}" is no port. Choose a number up to 65535, such as ${usual + 1}.`);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      // pnpm passes a separating -- on.
      args: args.filter((arg) => arg !== "--"),
      options: {
        browser: { type: "boolean" },
        "no-extension": { type: "boolean" },
        once: { type: "boolean" },
        model: { type: "boolean" },
        "model-name": { type: "string" },
        port: { type: "string" },
        "chat-port": { type: "string" },
        "no-chat": { type: "boolean" },
        data: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    const [first = ""] = (error instanceof Error ? error.message : String(error)).split(". ");
    throw new UsageError(`${first}. \`npx -y pnpm@12 start --help\` shows what there is.`);
  }
}
