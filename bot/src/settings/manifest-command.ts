import { type Command, Option } from "commander";
import { stringify } from "yaml";
import {
  ALL_FEATURES,
  ASKED_FOR,
  createManifest,
  type Feature,
  FEATURES,
  type Manifest,
  type ManifestOptions,
} from "./manifest.ts";
import type { CommandIo } from "./command-line.ts";

/** What a command line says of the app. */
export interface ManifestFlags {
  plain?: boolean;
  http?: string;
  name?: string;
  with?: Feature[];
  without?: Feature[];
  previews?: string[];
  assistant?: string;
}

/** `threadlore-bot manifest`. */
export function addManifestCommand(program: Command, surroundings: CommandIo): void {
  const command = program
    .command("manifest")
    .summary("print the manifest of your own app")
    .description("Prints the manifest to create your own app from: only the scopes and events of what you switch on.");
  addManifestOptions(command)
    .option("--json", "as JSON; otherwise YAML")
    .action(({ json, ...flags }: ManifestFlags & { json?: boolean }) => {
      const manifest = createManifest(manifestOptions(flags));
      surroundings.out(json === true ? `${JSON.stringify(manifest, undefined, 2)}\n` : manifestText(manifest));
    });
}

/** Gives a command the options that decide what the app can do. */
export function addManifestOptions(command: Command): Command {
  return command
    .option("--plain", "without the agent's own conversation: guests can then use the app")
    .option("--http <address>", "events are posted to this public https address; otherwise Socket Mode")
    .option("--name <name>", "what people call the app, at most 35 characters; otherwise Threadlore")
    .addOption(new Option("--without <features...>", "leave these out").choices(ALL_FEATURES))
    .addOption(new Option("--with <features...>", "also these").choices(["search", "workspace_search"]))
    .option("--previews <domains...>", "links to these domains get a preview, at most five")
    .option("--assistant <address>", "Slack's own assistant may ask at this public https address (ASSISTANT_PORT)")
    .addHelpText("after", featureHelp());
}

/** What the options of a command line decide. */
export function manifestOptions(flags: ManifestFlags): ManifestOptions {
  const { plain, http, name, with: also = [], without = [], previews, assistant } = flags;
  const asked = [
    ...also,
    ...(previews === undefined ? [] : ["previews"]),
    ...(assistant === undefined ? [] : ["assistant"]),
  ];
  const left = new Set<Feature>([
    ...ASKED_FOR.filter((one) => !asked.includes(one)),
    ...without,
    ...(plain === true ? (["agent"] as const) : []),
  ]);
  return {
    features: ALL_FEATURES.filter((feature) => !left.has(feature)),
    name,
    requestUrl: http === undefined ? undefined : addressWith(http, "/slack/events"),
    domains: previews,
    assistantUrl: assistant === undefined ? undefined : addressWith(assistant, "/mcp"),
  };
}

/** A manifest as it is pasted. */
export function manifestText(manifest: Manifest): string {
  return stringify(manifest, { lineWidth: 0 });
}

/** The path the bot serves, where only a host was given. */
function addressWith(address: string, path: string): string {
  const url = URL.parse(address);
  return url !== null && url.pathname === "/" ? url.origin + path : address;
}

function featureHelp(): string {
  const lines = ALL_FEATURES.map((feature) => `  ${feature.padEnd(12)} ${FEATURES[feature].words}\n`);
  return `\nFeatures:\n${lines.join("")}`;
}
