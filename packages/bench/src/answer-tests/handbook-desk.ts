import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Serving, startServing, withOwner } from "@threadlore/cli";
import { createClient } from "@threadlore/client";
import { createDeployment } from "@threadlore/client/deployment";
import type { Document } from "../answers/collection.ts";
import { handbook, handbookQuestions } from "../answers/sets.ts";
import { quietTerminal, runQuietly } from "./terminal.ts";

/** What a report says of one test, as far as it is looked at here. */
export interface Reported {
  readonly id: string;
  readonly outcome: string;
  readonly before: string | null;
  readonly causes: readonly {
    readonly kind: string;
    readonly title: string | null;
    readonly document_id: string | null;
  }[];
  readonly cites: readonly { readonly document_id: string }[];
}

/** A question with what its answer says and where that stands. */
export interface HandbookTest {
  readonly id: string;
  readonly ask: string;
  /** Alternatives; each stands in the text of the document. */
  readonly gold: readonly string[];
  readonly document: Document;
}

/** The folder of tags all documents are in, until one is put elsewhere. */
const AREA = "handbook";

/**
 * A service with the handbook, asked by somebody who sees one of two pairs, and an administrator who changes what is in them.
 */
export class HandbookDesk {
  readonly documents = handbook("en").map((one) => ({ ...one, id: one.id.replaceAll("/", "-") }));
  readonly #folder: string;
  #serving: Serving;
  readonly #pairs: { readonly open: number; readonly closed: number };
  readonly #reader: string;

  static async open(folder: string): Promise<HandbookDesk> {
    const serving = await startServing({ folder: join(folder, "data"), port: 0, log: () => {} });
    const made = await withOwner(quietTerminal(folder, {}), join(folder, "data"), async (owner) => {
      const credentialId = await owner.addCredential({ name: "Reader", source: "file" });
      const pair = async (name: string): Promise<number> => {
        const connectorId = await owner.addConnector({ name, source: "file" });
        return owner.addPair({ name, connectorId, credentialId });
      };
      const pairs = { open: await pair("Open"), closed: await pair("Closed") };
      await owner.addDocumentSet({ name: "Handbook", description: "", pairIds: [pairs.open] });
      const { key } = await owner.addKey({ name: "reader", role: "ordinary", documentSets: ["Handbook"] });
      return { pairs, key };
    });
    const desk = new HandbookDesk(folder, serving, made.pairs, made.key);
    for (const document of desk.documents) await desk.put(document);
    await desk.settle();
    return desk;
  }

  constructor(folder: string, serving: Serving, pairs: { open: number; closed: number }, reader: string) {
    this.#folder = folder;
    this.#serving = serving;
    this.#pairs = pairs;
    this.#reader = reader;
  }

  /** Questions to the handbook whose answers stand in it word by word. */
  questions(): HandbookTest[] {
    return handbookQuestions("handbook-en").flatMap(({ id, kind, q: ask, gold, document: name }) => {
      const document = this.documents.find((one) => one.id === name?.replaceAll("/", "-"));
      const inText = gold.filter((span) => document?.text.includes(span));
      return kind === "direct" && document !== undefined && inText.length > 0
        ? [{ id, ask, gold: inText, document }]
        : [];
    });
  }

  async put(document: Document, { pair = "open", area = AREA }: { pair?: "open" | "closed"; area?: string } = {}) {
    await createClient(this.#server).ingest({
      cc_pair_id: this.#pairs[pair],
      document: {
        id: document.id,
        semantic_identifier: document.title,
        sections: [{ text: document.text }],
        source: "file",
        metadata: { area },
      },
    });
  }

  async remove({ id }: Document, pair: "open" | "closed" = "open"): Promise<void> {
    await createDeployment(this.#server).deleteDocument(id, { pairId: this.#pairs[pair] });
  }

  /** Waits until what was changed is what is found. */
  async settle(): Promise<void> {
    await this.#serving.listening.service.drain();
  }

  /** Ends the service and starts it on the same data; with `anew` also without its index, which it then makes again. */
  async restart({ anew = false }: { anew?: boolean } = {}): Promise<void> {
    await this.#serving.close();
    const data = join(this.#folder, "data");
    if (anew) {
      for (const name of readdirSync(data)) {
        if (name.includes("index")) rmSync(join(data, name), { recursive: true, force: true });
      }
    }
    this.#serving = await startServing({ folder: data, port: 0, log: () => {} });
    await this.settle();
  }

  close(): Promise<void> {
    return this.#serving.close();
  }

  /** Writes the tests as a person would, asks them, and gives what is reported of each. */
  async test(
    tests: readonly HandbookTest[],
    { since, report, elsewhere }: { since?: string; report?: string; elsewhere?: string } = {},
  ): Promise<readonly Reported[]> {
    const file = join(this.#folder, "questions.yaml");
    const written = tests.map(({ id, ask, gold, document }) => ({
      id,
      ask,
      says: [gold],
      cites: [document.title],
      // The filter of this one was edited.
      ...(id === elsewhere && { tags: { area: "archive" } }),
    }));
    writeFileSync(file, JSON.stringify({ defaults: { key: "reader", tags: { area: AREA } }, tests: written }));
    const args = ["test", file, "--json", ...(since === undefined ? [] : ["--since", since])];
    const { stdout, stderr } = await runQuietly([...args, ...(report === undefined ? [] : ["--report", report])], {
      folder: this.#folder,
      env: {
        THREADLORE_URL: this.#serving.url,
        THREADLORE_API_KEY: this.#serving.apiKey ?? "",
        THREADLORE_KEY_READER: this.#reader,
      },
    });
    const { tests: reported } = JSON.parse(stdout) as { tests?: readonly Reported[] };
    if (reported === undefined) throw new Error(`The tests were not asked: ${stdout}${stderr}`);
    return reported;
  }

  get #server(): { baseUrl: string; apiKey: string } {
    return { baseUrl: this.#serving.url, apiKey: this.#serving.apiKey ?? "" };
  }
}
