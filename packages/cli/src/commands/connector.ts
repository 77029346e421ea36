import { type Command, Option } from "commander";
import { addGroup, onData, repeatable, type Report, wholeNumber } from "./options.ts";
import { oneLine, table, type Terminal } from "../terminal/output.ts";
import type { Owner } from "../embedded/owner.ts";

const EMBEDDED = "of the embedded service on this machine";

/** `threadlore connector|pair|document-set add|list`, and `pair held`. */
export function addConnectorCommands(program: Command, terminal: Terminal): void {
  const connector = addGroup(
    program,
    "connector",
    "connectors of the embedded service",
    `Connectors ${EMBEDDED}: where documents come from.`,
  );
  addSourceAndName(connector, terminal, "Connector", "Lists connectors.");
  addPairCommands(program, terminal);
  addDocumentSetCommands(program, terminal);
}

/** `threadlore credential add|list`, beside `credential swap`. */
export function addCredentialStoreCommands(credential: Command, terminal: Terminal): void {
  addSourceAndName(credential, terminal, "Credential", `Lists credentials ${EMBEDDED}.`);
}

interface PairFlags {
  connector: number;
  credential: number;
  access: "private" | "public";
}

function addPairCommands(program: Command, terminal: Terminal): void {
  const pair = addGroup(
    program,
    "pair",
    "pairs of the embedded service",
    `Connector/credential pairs ${EMBEDDED}: what documents belong to.`,
  );
  const add = pair
    .command("add")
    .description("Joins a connector to a credential of the same source.")
    .argument("<name>", "what people know it by")
    .requiredOption("--connector <id>", "number of the connector", wholeNumber(0))
    .requiredOption("--credential <id>", "number of the credential", wholeNumber(0))
    .addOption(
      new Option("--access <access>", "public: callers without a key may see its documents, where they are admitted")
        .choices(["private", "public"])
        .default("private"),
    );
  onData(add, terminal, async (owner, name: string, { connector, credential, access }: PairFlags) =>
    added("Pair", await owner.addPair({ name, connectorId: connector, credentialId: credential, access })),
  );
  listCommand(
    pair,
    terminal,
    "Lists pairs with the state of their documents.",
    ["ID", "SOURCE", "CONNECTOR", "CREDENTIAL", "ACCESS", "INDEXED", "PENDING", "FAILED", "NAME"],
    async (owner) => {
      const counts = await owner.countDocuments();
      return (await owner.listPairs()).map(({ id, name, connector, credential, access }) => {
        const { indexed = 0, pending = 0, failed = 0 } = counts.get(id) ?? {};
        const numbers = [indexed, pending, failed].map(String);
        return [String(id), connector.source, String(connector.id), String(credential.id), access, ...numbers, name];
      });
    },
  );
  const held = pair
    .command("held")
    .description(
      "Lists documents no pair shows: an earlier version kept one text for several pairs. Ingest each again under every pair named here.",
    );
  onData(held, terminal, heldReport);
}

async function heldReport(owner: Owner): Promise<Report> {
  const held = await owner.listHeldDocuments();
  const json = { ok: true, entries: held };
  if (held.length === 0) return { json, notes: ["No document is held back."] };
  const rows = held.map(({ id, pairs, semanticIdentifier }) => [
    oneLine(id),
    pairs.map((one) => one.id).join(","),
    oneLine(semanticIdentifier),
  ]);
  return {
    json,
    out: table([["ID", "PAIRS", "TITLE"], ...rows]),
    notes: ["Ingest each again under every pair named here: `threadlore ingest --pair NUMBER FILE`."],
  };
}

function addDocumentSetCommands(program: Command, terminal: Terminal): void {
  const set = addGroup(
    program,
    "document-set",
    "document sets of the embedded service",
    `Document sets ${EMBEDDED}: pairs under one name, to restrict questions by.`,
  );
  const add = set
    .command("add")
    .description("Puts pairs under a name.")
    .argument("<name>", "what people know it by")
    .requiredOption("--pair <id>", "number of a pair; repeatable", repeatable)
    .option("--description <text>", "what is in it", "");
  onData(add, terminal, async (owner, name: string, { pair, description }: { pair: string[]; description: string }) =>
    added("Document set", await owner.addDocumentSet({ name, description, pairIds: pair.map(wholeNumber(0)) })),
  );
  listCommand(set, terminal, "Lists document sets.", ["ID", "PAIRS", "NAME", "DESCRIPTION"], async (owner) =>
    (await owner.listDocumentSets()).map(({ id, name, description, pairs }) => [
      String(id),
      pairs.map((member) => member.id).join(","),
      name,
      description,
    ]),
  );
}

/** `add` and `list` of what has a source and a name. */
function addSourceAndName(parent: Command, terminal: Terminal, word: "Connector" | "Credential", listed: string): void {
  const add = parent
    .command("add")
    .description(`Adds a ${word.toLowerCase()} ${EMBEDDED}.`)
    .argument("<source>", "origin system, such as web, file or imap")
    .argument("<name>", "what people know it by");
  onData(add, terminal, async (owner, source: string, name: string) =>
    added(word, await owner[`add${word}`]({ source, name })),
  );
  listCommand(parent, terminal, listed, ["ID", "SOURCE", "NAME"], async (owner) =>
    (await owner[`list${word}s`]()).map(({ id, source, name }) => [String(id), source, name]),
  );
}

/** The number alone on stdout, so that a script can keep it. */
function added(word: string, id: number): Report {
  return { json: { ok: true, id }, out: `${id}\n`, notes: [`${word} ${id} added.`] };
}

function listCommand(
  parent: Command,
  terminal: Terminal,
  description: string,
  head: readonly string[],
  rowsOf: (owner: Owner) => Promise<string[][]>,
): void {
  onData(parent.command("list").description(description), terminal, async (owner) => {
    const rows = await rowsOf(owner);
    const keys = head.map((title) => title.toLowerCase());
    const entries = rows.map((row) => Object.fromEntries(keys.map((key, at) => [key, row[at]])));
    return { json: { ok: true, entries }, out: table([head, ...rows]) };
  });
}
