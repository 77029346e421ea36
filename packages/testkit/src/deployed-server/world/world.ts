import type { IncomingHttpHeaders } from "node:http";
import type { Account, Accounts } from "./accounts.ts";
import type { Answer, AnswerScript } from "../answer/answer-script.ts";
import type { Connectors } from "./connectors.ts";
import type { Documents } from "./documents.ts";
import type { Faults } from "../faults.ts";
import type { Question } from "../answer/question.ts";
import type { Run } from "../answer/run.ts";
import type { Sessions } from "./sessions.ts";
import type { Settings } from "./settings.ts";
import type { Tool } from "./tools.ts";

/** A file somebody uploaded. */
export interface UploadedFile {
  id: string;
  fileId: string;
  name: string;
  type: string;
  account: Account;
  bytes: Buffer;
  createdAt: Date;
  status: string;
}

/** An agent. The first, number 0, has every tool. */
export interface Persona {
  id: number;
  name: string;
  description: string;
  /** Ids of its tools. Default: all. */
  tools?: readonly number[];
}

/** A named part of what was ingested. */
export interface DocumentSet {
  id: number;
  name: string;
  description: string;
  /** The connector pairs whose documents are in it. */
  pairs: readonly number[];
}

/** Everything a server has and knows. */
export interface World {
  readonly settings: Settings;
  readonly faults: Faults;
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly documents: Documents;
  readonly connectors: Connectors;
  /** What was uploaded, by the ids of the files. */
  readonly uploads: Map<string, UploadedFile>;
  readonly tools: Tool[];
  readonly personas: Persona[];
  readonly documentSets: DocumentSet[];
  /** Every question that was accepted, in order. */
  readonly questions: Question[];
  /** Answers for the next questions, in turn. */
  readonly nextAnswers: Answer[];
  script: AnswerScript | undefined;
  readonly running: Map<Run, Question>;
}

/** The connector pairs of these document sets. */
export function pairsOf({ documentSets }: World, names: readonly string[]): ReadonlySet<number> {
  return new Set(documentSets.filter(({ name }) => names.includes(name)).flatMap(({ pairs }) => pairs));
}

/** A request below the service's address. */
export interface Call {
  /** What the route's path left open. */
  param: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  key: string | undefined;
  account: Account;
}
