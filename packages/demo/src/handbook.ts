import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  askInstance,
  type Candidate,
  EMBEDDED_NAME,
  fileCandidate,
  type FoundFile,
  ingestAll,
  type IngestionReport,
  openJournal,
  type Owner,
  type Serving,
  type Terminal,
  walkFiles,
  withOwner,
} from "@threadlore/cli";
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";

const HANDBOOK = fileURLToPath(new URL("../handbook", import.meta.url));
const QUESTIONS = new URL("../questions.json", import.meta.url);

/** Name of the connector, the pair and the document set the handbook is kept under. */
const NAME = "Handbook";

/** Questions about the handbook whose answers are known. */
export interface Questions {
  /** What the demonstration asks. */
  readonly shown: string;
  readonly answered: readonly { readonly question: string; readonly fact: string; readonly document: string }[];
  /** Questions the handbook says nothing about. */
  readonly unanswerable: readonly string[];
}

export async function readQuestions(): Promise<Questions> {
  return JSON.parse(await readFile(QUESTIONS, "utf8")) as Questions;
}

/** The handbook's files. */
export function handbookFiles(): Promise<FoundFile[]> {
  return filesIn(HANDBOOK);
}

/** The files of a folder that ships with this package, so that there is nothing in it to refuse. */
export async function filesIn(folder: string): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  for await (const found of walkFiles([folder], { from: folder })) if (!("reason" in found)) files.push(found);
  return files;
}

/** A running service of ours, and who may ingest into it. */
export type Reachable = Pick<Serving, "url" | "files"> & { readonly apiKey: string };

/**
 * Sends the handbook through the ingestion operation into a pair of its own. What the service has already is not sent
 * again, unless its database was exchanged for an empty one.
 */
export async function ingestHandbook(
  terminal: Terminal,
  service: Reachable,
  onDocument: (name: string) => void,
): Promise<IngestionReport> {
  const { pair, isEmpty } = await withOwner(terminal, service.files.folder, handbookPair);
  const server = { baseUrl: service.url, apiKey: service.apiKey };
  const instance = await askInstance(createDeployment(server), terminal.interrupted);
  const journal = openJournal(service.files.journal);
  try {
    return await ingestAll({
      candidates: (await handbookFiles()).map(pageCandidate),
      client: createClient(server),
      journal,
      server: EMBEDDED_NAME,
      instance,
      pair,
      concurrency: 4,
      signal: terminal.interrupted,
      again: isEmpty,
      onFate: ({ name }) => onDocument(name),
    });
  } finally {
    journal.close();
  }
}

/** A page, noted under a collection of its own: no other folder that goes to this pair gets its id. */
function pageCandidate(file: FoundFile): Candidate {
  const page = fileCandidate(file);
  return { ...page, read: async () => ({ ...(await page.read()), noted: { collection: NAME } }) };
}

async function handbookPair(owner: Owner): Promise<{ pair: number; isEmpty: boolean }> {
  const isThere = (await owner.listPairs()).some(({ name }) => name === NAME);
  const pair = await pairNamed(owner, NAME, "file");
  if (!isThere)
    await owner.addDocumentSet({
      name: NAME,
      description: "The handbook of Tidewell, a made-up company",
      pairIds: [pair],
    });
  return { pair, isEmpty: (await owner.countDocuments()).get(pair) === undefined };
}

/** The id of the private pair of this name, made with its connector and credential where there is none. */
export async function pairNamed(owner: Owner, name: string, source: "slack" | "web" | "file"): Promise<number> {
  const known = (await owner.listPairs()).find((pair) => pair.name === name);
  if (known !== undefined) return known.id;
  const connectorId = await owner.addConnector({ name, source });
  const credentialId = await owner.addCredential({ name, source });
  return owner.addPair({ name, connectorId, credentialId });
}
