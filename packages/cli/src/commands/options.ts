import { InvalidArgumentError, Option } from "commander";

/** What commands on the embedded service's data take. */
export interface DataFlags {
  data?: string;
  json?: boolean;
}

/** `--url`: the server, for this command only. */
export function urlOption(): Option {
  return new Option("--url <address>", "server to talk to; otherwise THREADLORE_URL, or the one you logged in to");
}

/** `--data`: the embedded service of a folder, for commands that talk to a server. */
export function serverDataOption(): Option {
  return new Option(
    "--data <folder>",
    "talk to the embedded service that runs on this data folder; otherwise THREADLORE_DATA",
  );
}

/** `--json`: one document instead of text. */
export function jsonOption(): Option {
  return new Option("--json", "print one JSON document, also when it fails");
}

/** `--data`: folder of the embedded service. */
export function dataOption(): Option {
  return new Option(
    "--data <folder>",
    "data folder of the embedded service; otherwise THREADLORE_DATA, the service that runs here, or ~/.local/share/threadlore",
  );
}

/** Gathers an option that may be given several times. */
export function repeatable(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** A whole number of at least `least`. */
export function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new InvalidArgumentError(
        `It must be a whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ""}.`,
      );
    }
    return number;
  };
}
