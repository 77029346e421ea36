import { type Command, Option } from "commander";
import { type DataFlags, dataOption, jsonOption, repeatable, wholeNumber } from "./options.ts";
import { note, oneLine, table, type Terminal, writeJson } from "../terminal/output.ts";
import { withOwner } from "../embedded/owner.ts";

const EMBEDDED = "of the embedded service on this machine";

/** `threadlore connector|pair|document-set add|list`, and `pair held`. */
export function addConnectorCommands(program: Command, terminal: Terminal): void {
  const connector = group(
    program,
    "connector",
    "connectors of the embedded service",
    `Connectors ${EMBEDDED}: where documents come from.`,
  );
  addSourceAndName(connector, terminal, "addConnector", "Connector");
  listCommand(connector, terminal, "Lists connectors.", ["ID", "SOURCE", "NAME"], (owner) =>
    owner.listConnectors().map(({ id, source, name }) => [String(id), source, name]),
  );
  addPairCommands(program, terminal);
  addDocumentSetCommands(program, terminal);
}

/** `threadlore credential add|list`, beside `credential swap`. */
export function addCredentialStoreCommands(credential: Command, terminal: Terminal): void {
  addSourceAndName(credential, terminal, "addCredential", "Credential");
  listCommand(credential, terminal, `Lists credentials ${EMBEDDED}.`, ["ID", "SOURCE", "NAME"], (owner) =>
    owner.listCredentials().map(({ id, source, name }) => [String(id), source, name]),
  );
}

function addPairCommands(program: Command, terminal: Terminal): void {
  const pair = group(
    program,
    "pair",
    "pairs of the embedded service",
    `Connector/credential pairs ${EMBEDDED}: what documents belong to.`,
  );
  pair
    .command("add")
    .description("Joins a connector to a credential of the same source.")
    .argument("<name>", "what people know it by")
    .requiredOption("--connector <id>", "number of the connector", wholeNumber(0))
    .requiredOption("--credential <id>", "number of the credential", wholeNumber(0))
    .addOption(
      new Option("--access <access>", "public: callers without a key may see its documents, where they are admitted")
        .choices(["private", "public"])
        .default("private"),
    )
    .addOption(jsonOption())
    .addOption(dataOption())
    .action(
      async (
        name: string,
        flags: DataFlags & { connector: number; credential: number; access: "private" | "public" },
      ) => {
        const id = await withOwner(terminal, flags.data, (owner) =>
          owner.addPair({ name, connectorId: flags.connector, credentialId: flags.credential, access: flags.access }),
        );
        tellAdded(terminal, flags, "Pair", id);
      },
    );
  listCommand(
    pair,
    terminal,
    "Lists pairs with the state of their documents.",
    ["ID", "SOURCE", "CONNECTOR", "CREDENTIAL", "ACCESS", "INDEXED", "PENDING", "FAILED", "NAME"],
    (owner) => {
      const counts = owner.countDocuments();
      return owner.listPairs().map(({ id, name, connector, credential, access }) => {
        const { indexed = 0, pending = 0, failed = 0 } = counts.get(id) ?? {};
        const numbers = [indexed, pending, failed].map(String);
        return [String(id), connector.source, String(connector.id), String(credential.id), access, ...numbers, name];
      });
    },
  );
  addHeldCommand(pair, terminal);
}

/** `threadlore pair held`. */
function addHeldCommand(pair: Command, terminal: Terminal): void {
  pair
    .command("held")
    .description(
      "Lists documents no pair shows: an earlier version kept one text for several pairs. Ingest each again under every pair named here.",
    )
    .addOption(jsonOption())
    .addOption(dataOption())
    .action(async (flags: DataFlags) => {
      const held = await withOwner(terminal, flags.data, (owner) => owner.listHeldDocuments());
      if (flags.json === true) writeJson(terminal, { ok: true, entries: held });
      else if (held.length === 0) note(terminal, "No document is held back.");
      else {
        const rows = held.map(({ id, pairs, semanticIdentifier }) => [
          oneLine(id),
          pairs.map((one) => one.id).join(","),
          oneLine(semanticIdentifier),
        ]);
        terminal.out.write(table([["ID", "PAIRS", "TITLE"], ...rows]));
        note(terminal, "Ingest each again under every pair named here: `threadlore ingest --pair NUMBER FILE`.");
      }
    });
}

function addDocumentSetCommands(program: Command, terminal: Terminal): void {
  const set = group(
    program,
    "document-set",
    "document sets of the embedded service",
    `Document sets ${EMBEDDED}: pairs under one name, to restrict questions by.`,
  );
  set
    .command("add")
    .description("Puts pairs under a name.")
    .argument("<name>", "what people know it by")
    .requiredOption("--pair <id>", "number of a pair; repeatable", repeatable)
    .option("--description <text>", "what is in it", "")
    .addOption(jsonOption())
    .addOption(dataOption())
    .action(async (name: string, flags: DataFlags & { pair: string[]; description: string }) => {
      const id = await withOwner(terminal, flags.data, (owner) =>
        owner.addDocumentSet({ name, description: flags.description, pairIds: flags.pair.map(wholeNumber(0)) }),
      );
      tellAdded(terminal, flags, "Document set", id);
    });
  listCommand(set, terminal, "Lists document sets.", ["ID", "PAIRS", "NAME", "DESCRIPTION"], (owner) =>
    owner
      .listDocumentSets()
      .map(({ id, name, description, pairs }) => [
        String(id),
        pairs.map((member) => member.id).join(","),
        name,
        description,
      ]),
  );
}

function group(program: Command, name: string, summary: string, description: string): Command {
  return program.command(name).summary(summary).description(description).helpCommand(false);
}

function addSourceAndName(
  parent: Command,
  terminal: Terminal,
  operation: "addConnector" | "addCredential",
  word: "Connector" | "Credential",
): void {
  parent
    .command("add")
    .description(`Adds a ${word.toLowerCase()} ${EMBEDDED}.`)
    .argument("<source>", "origin system, such as web, file or imap")
    .argument("<name>", "what people know it by")
    .addOption(jsonOption())
    .addOption(dataOption())
    .action(async (source: string, name: string, flags: DataFlags) => {
      const id = await withOwner(terminal, flags.data, (owner) => owner[operation]({ source, name }));
      tellAdded(terminal, flags, word, id);
    });
}

function tellAdded(terminal: Terminal, flags: DataFlags, word: string, id: number): void {
  if (flags.json === true) {
    writeJson(terminal, { ok: true, id });
    return;
  }
  // The number alone on stdout, so that a script can keep it.
  terminal.out.write(`${id}\n`);
  note(terminal, `${word} ${id} added.`);
}

function listCommand(
  parent: Command,
  terminal: Terminal,
  description: string,
  head: readonly string[],
  rows: (owner: Parameters<Parameters<typeof withOwner<string[][]>>[2]>[0]) => string[][],
): void {
  parent
    .command("list")
    .description(description)
    .addOption(jsonOption())
    .addOption(dataOption())
    .action(async (flags: DataFlags) => {
      const found = await withOwner(terminal, flags.data, rows);
      if (flags.json === true) {
        const keys = head.map((title) => title.toLowerCase());
        writeJson(terminal, {
          ok: true,
          entries: found.map((row) => Object.fromEntries(keys.map((key, at) => [key, row[at]]))),
        });
      } else {
        terminal.out.write(table([head, ...found]));
      }
    });
}
