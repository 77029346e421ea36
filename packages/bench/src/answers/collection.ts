import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { createService, ModelSettings } from "@threadlore/service";
import { repositoryRoot } from "@threadlore/testkit";
import { API_KEY } from "../filled-service.ts";
import { withFolder } from "../with-folder.ts";

/** A document as it is added. */
export interface Document {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Day of its last change, such as 2024-03-31. Default: none is sent. */
  readonly date?: string;
}

/** What a reply says of what was found; former versions send none. */
export interface Finding {
  readonly state: "quote" | "closest" | "nothing";
  /** What is shown instead of an answer, best first. */
  readonly closest: readonly { readonly document_id: string; readonly sentence?: string }[];
  /** What says otherwise than what is quoted. */
  readonly conflict?: readonly { readonly document_id?: string }[] | null;
}

/** A reply, as far as it is judged. */
export interface Reply {
  readonly text: string;
  /** The documents cited, in order, each once. None: the service refused. */
  readonly cited: readonly string[];
  /** The documents shown to whoever asked, best first, each once. */
  readonly shown: readonly string[];
  readonly finding: Finding | undefined;
}

/** A service with data of its own, which is reached by its public interface alone. */
export interface Collection {
  /** Has documents stored and indexed. */
  add(documents: readonly Document[]): Promise<void>;
  /** Asks in a conversation of its own; `more` is sent along. */
  ask(message: string, more?: object): Promise<Reply>;
}

/** Whose service is asked. */
export interface Served {
  /** Root of a checkout of this repository with its dependencies. Default: this one. */
  readonly checkout?: string | undefined;
  /** An embedding server. Default: none. */
  readonly embeddings?: ModelSettings;
  /** Told of each reply that is not as it should be. Default: nobody is. */
  readonly lost?: ((loss: Loss) => void) | undefined;
}

/** A question whose reply is not as it should be. */
export interface Loss {
  readonly question: {
    readonly id: string;
    readonly part: string;
    readonly q: string;
    readonly gold?: readonly string[];
  };
  /** What is wrong with it. */
  readonly what: string;
  readonly reply: Reply;
}

/** Does something with a service that knows nothing yet, which is gone afterwards. */
export async function withCollection<Result>(
  { checkout = repositoryRoot, embeddings }: Served,
  work: (collection: Collection) => Promise<Result>,
): Promise<Result> {
  const path = join(checkout, "packages/service/src/index.ts");
  if (!existsSync(path)) throw new Error(`There is no service in ${checkout}.`);
  const module = (await import(pathToFileURL(path).href)) as { createService: typeof createService };
  return withFolder(async (folder) => {
    const service = module.createService({
      database: join(folder, "service.db"),
      apiKey: API_KEY,
      ...(embeddings && { embeddings }),
    });
    try {
      return await work(collectionOf(service));
    } finally {
      await service.close();
    }
  });
}

/** Requests on their way at one time while documents are added: the service lets 96 of one caller wait. */
const AT_ONCE = 64;

function collectionOf(service: ReturnType<typeof createService>): Collection {
  const send = async (path: string, body: object): Promise<unknown> => {
    for (;;) {
      const headers = { "content-type": "application/json", authorization: `Bearer ${API_KEY}` };
      const init = { method: "POST", headers, body: JSON.stringify(body) };
      const response = await service.fetch(new Request(`http://127.0.0.1:8411${path}`, init));
      if (response.ok) return response.json();
      if (response.status !== 429 && response.status !== 503) {
        throw new Error(`${path} was answered with status ${response.status}: ${await response.text()}`);
      }
      await pause(200);
    }
  };
  return {
    async add(documents) {
      const rest = documents.values();
      const sendAll = async (): Promise<void> => {
        for (const one of rest) await send("/service-api/ingestion", { document: sentDocument(one), cc_pair_id: 1 });
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sendAll));
      await service.drain();
    },
    async ask(message, more = {}) {
      return replyOf(await send("/chat/send-chat-message", { message, stream: false, ...more }));
    },
  };
}

function sentDocument({ id, title, text, date }: Document): object {
  return {
    id,
    semantic_identifier: title,
    sections: [{ text, link: `https://wiki.example.com/${encodeURIComponent(id)}` }],
    source: "web",
    metadata: {},
    ...(date !== undefined && { doc_updated_at: `${date}T00:00:00Z` }),
  };
}

function replyOf(response: unknown): Reply {
  const { answer, citation_info, top_documents, finding } = response as {
    readonly answer?: string;
    readonly citation_info?: readonly { readonly document_id: string }[];
    readonly top_documents?: readonly { readonly document_id: string }[];
    readonly finding?: Finding | null;
  };
  const ids = (list: readonly { readonly document_id: string }[] = []): string[] => [
    ...new Set(list.map(({ document_id }) => document_id)),
  ];
  return { text: answer ?? "", cited: ids(citation_info), shown: ids(top_documents), finding: finding ?? undefined };
}
