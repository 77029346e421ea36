import type { CallOptions } from "../client.ts";
import type {
  Credential,
  DocumentSet,
  DocumentText,
  FollowUps,
  FoundPassage,
  IngestedDocument,
  Me,
  Pair,
  Persona,
  SessionDetail,
  SessionPage,
  Tool,
} from "./models.ts";
import type { FileDescriptor, Packet, Tag } from "../models.ts";
import type { Support } from "./support.ts";

/** What a new session is created with. Field names are the wire's. */
export interface NewSession {
  /** Default 0: the server's own assistant. */
  persona_id?: number;
  description?: string;
  project_id?: number;
}

/** A judgement of an answer: at least one of `isPositive` and `text`. */
export interface Feedback {
  /** Id of the assistant's message. */
  messageId: number;
  isPositive?: boolean;
  text?: string;
}

/** What to search for. Field names are the wire's; what is absent restricts nothing. */
export interface SearchQuery {
  /** At most 2,048 characters on deployed servers. */
  query: string;
  /** Source types, such as "web". */
  sources?: readonly string[];
  /** Names, not ids. */
  document_sets?: readonly string[];
  tags?: readonly Tag[];
  /** ISO 8601: only what was updated since. */
  time_cutoff?: string;
  persona_id?: number;
  /** Searches for the words as they are, without asking a model for others. */
  skip_query_expansion?: boolean;
}

/** Which part of a document is read. */
export interface TextRange {
  /** Characters to pass over, as `next` tells. Default 0. */
  readonly from?: number | undefined;
  /** Characters to give at most. Default 20,000. */
  readonly most?: number | undefined;
  /** Of a document of pages: one, or a range such as "3-5". What is counted then is their text alone. */
  readonly pages?: string | undefined;
}

/** A file to be uploaded. */
export interface FileToUpload {
  /** With its extension: servers judge by it. */
  name: string;
  /** Its bytes; the blob's type is sent as the media type. */
  content: Blob;
}

/** A file the server keeps now. */
export interface UploadedFile {
  name: string;
  /** Goes into `file_descriptors` of a question as it is. */
  descriptor: FileDescriptor;
  /** Goes into `image_file_id` of a section. */
  fileId: string;
  /** The server's word for how far it is (`PROCESSING`, `COMPLETED`, …); absent where it has none. */
  status?: string;
}

/** What became of an upload. A refused file is no error: the others were taken. */
export interface Upload {
  files: UploadedFile[];
  rejected: { name: string; reason: string }[];
}

/**
 * What servers offer beyond the four specified operations (docs/wire.md, section 1.9). No server has to: an operation
 * this one does not know throws UnsupportedError, for the next minute without asking. Everything throws the client's own
 * errors; an unknown id is a NotFoundError, which is not the same as an unknown operation.
 */
export interface Deployment {
  /** Resolves when the server is up. Needs no key. */
  health(options?: CallOptions): Promise<void>;
  /** The server's own name for its version; not always a number. */
  version(options?: CallOptions): Promise<string>;
  /** Who the key belongs to; see `permissionsOf` and `accountOf`. */
  whoami(options?: CallOptions): Promise<Me>;
  /**
   * Switches the memory of the key's account on or off: both what stands in its questions and what is added to it.
   * What is remembered already is kept, and comes back with "on".
   */
  setMemory(on: boolean, options?: CallOptions): Promise<void>;
  /** Passages without an answer, the best first. Nothing found is an empty list. */
  search(query: SearchQuery, options?: CallOptions): Promise<FoundPassage[]>;
  /**
   * The text of a document, by the `document_id` an answer or a search names it by. The embedded service offers it;
   * NotFoundError: there is none that the key may see.
   */
  documentText(documentId: string, range?: TextRange, options?: CallOptions): Promise<DocumentText>;

  /** Newest first. `before` continues a list: the `time_updated` of its last session. At most 100 at once. */
  listSessions(page?: { pageSize?: number; before?: string }, options?: CallOptions): Promise<SessionPage>;
  getSession(sessionId: string, options?: CallOptions): Promise<SessionDetail>;
  /** The new session's id. Not repeated after a loss, which could leave an empty session. */
  createSession(session?: NewSession, options?: CallOptions): Promise<string>;
  /** Without a name the server makes one up from the conversation; the name it then has. */
  renameSession(sessionId: string, name?: string, options?: CallOptions): Promise<string>;
  deleteSession(sessionId: string, options?: CallOptions): Promise<void>;
  /** Ends the answer being written, if any. Closing its stream does not: servers go on and store it. */
  stop(sessionId: string, options?: CallOptions): Promise<void>;
  /** Everything of the answer being written from its first packet, then what follows. NotFoundError: none is. */
  resume(sessionId: string, options?: CallOptions): AsyncIterable<Packet>;
  /** What could be asked after an answer, by the id of its message: at most three. The embedded service offers it. */
  followUps(messageId: number, options?: CallOptions): Promise<FollowUps["follow_ups"]>;
  giveFeedback(feedback: Feedback, options?: CallOptions): Promise<void>;

  /** Stores files so that a question or an image section can name them. */
  upload(files: readonly FileToUpload[], options?: CallOptions): Promise<Upload>;
  personas(options?: CallOptions): Promise<Persona[]>;
  documentSets(options?: CallOptions): Promise<DocumentSet[]>;
  tools(options?: CallOptions): Promise<Tool[]>;

  /** Connector/credential pairs. Deployed servers leave their default pair out. */
  pairs(options?: CallOptions): Promise<ListedPair[]>;
  pair(pairId: number, options?: CallOptions): Promise<ListedPair>;
  credentials(options?: CallOptions): Promise<Credential[]>;
  /**
   * Documents that were ingested, of one pair or of all; of these those with one `document_id`, and at most so many, as
   * the server orders them. Deployed servers send all of them all the same. `oldest` is of the oldest so many alone:
   * what a document says of itself as `older` goes on behind it. Give it only where the server told one.
   */
  documents(
    of?: { pairId?: number; documentId?: string; most?: number; oldest?: number | undefined },
    options?: CallOptions,
  ): Promise<IngestedDocument[]>;
  /**
   * Deletes an ingested document, by the `document_id` the server gave; it can differ from the id that was sent. Where a
   * path cannot hold that id, the one deployed servers make of it is tried. A server that keeps a document per pair deletes that of `pairId`, or each with "all"; told neither, it refuses where several
   * pairs have one.
   */
  deleteDocument(documentId: string, options?: CallOptions & { pairId?: number | "all" }): Promise<void>;

  /** What is known of an operation so far; nothing is asked. */
  supports(operation: Exclude<keyof Deployment, "supports">): Support;
}

/** A pair with its number where every caller expects it, whichever way it was asked for. */
export type ListedPair = Pair & { cc_pair_id: number };

/** Sessions, the answers in them, and what people think of those. */
export type Sessions = Pick<
  Deployment,
  | "createSession"
  | "deleteSession"
  | "followUps"
  | "getSession"
  | "giveFeedback"
  | "listSessions"
  | "renameSession"
  | "resume"
  | "stop"
>;

/** The operations of a deployment without sessions and uploads. */
export type Resources = Omit<Deployment, keyof Sessions | "supports" | "upload">;
