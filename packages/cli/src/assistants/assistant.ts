/** The name our server has in every config file. */
export const SERVER_NAME = "threadlore";

/** An editor or assistant that starts MCP servers, and how it is told of one. */
export interface Assistant {
  /** What `--client` takes, such as `claude-desktop`. */
  readonly id: string;
  /** What people call it. */
  readonly name: string;
  /** The file that names its servers. */
  readonly file: ConfigFile;
  /**
   * Keys that lead to the object whose keys are the names of servers. Of several the first that is there, else the last:
   * a newer spelling is used where a person uses it.
   */
  readonly under: readonly (readonly string[])[];
  /** Its words for a program that is started and spoken to over standard input and output. */
  readonly entry: (launch: Launch) => Entry;
  /** Its words for a server at an address, where it has any and they stand in the same file. */
  readonly remote?: (address: string, key: string) => Entry;
  /** What a person does next, and where the tools are then seen. */
  readonly next: string;
  /** Where its makers, or people who use it, write all this down. */
  readonly source: string;
}

/** How a file is written: JSON with or without comments, TOML, or YAML. */
export type FileFormat = "json" | "toml" | "yaml";

/** Where a file lies on each system, and how it is written. */
export interface ConfigFile {
  readonly format: FileFormat;
  /**
   * Paths such as `~/.cursor/mcp.json`, `./.vscode/mcp.json` (in the folder one stands in) and
   * `${XDG_CONFIG_HOME:-~/.config}/zed/settings.json`. Of several the first whose folder is there, else the last. None:
   * it does not run on this system.
   */
  readonly paths: Readonly<Record<System, readonly string[]>>;
  /** What is there once the assistant has run. Default: the folder of the file. */
  readonly sign?: string;
  /** The file is there for this server alone, and goes when its entry goes. */
  readonly isOurs?: boolean;
}

/** The systems whose folders are known. */
export type System = "linux" | "macos" | "windows";

/** The command that starts a server, wherever it is started and whatever is on the PATH there. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables the started program needs besides. Never a key. */
  readonly env: Readonly<Record<string, string>>;
}

/** One server as a config file has it. */
export type Entry = { readonly [key: string]: EntryValue };

/** A value of an entry: all that JSON, TOML and YAML have in common. */
export type EntryValue = string | number | boolean | readonly EntryValue[] | { readonly [key: string]: EntryValue };
