/** A question that was accepted: the server had begun to answer it, whatever arrived of that. */
export interface Question {
  /** Counted from 0. */
  number: number;
  sessionId: string;
  /** The words as sent. */
  message: string;
  key: string | undefined;
  /** Name of the account the key belongs to. */
  account: string;
  /** The whole request. */
  body: Readonly<Record<string, unknown>>;
  userMessageId: number;
  assistantMessageId: number;
  /** Names of the tools the model could call: `internal_search`, `open_url`, `add_memory`, … */
  toolsOffered: string[];
  /** Names of the tools that ran. */
  toolsRun: string[];
  /** What the model was told of the account's memory. */
  memoriesShown: string[];
  /** What this question added to the account's memory. */
  memoryWritten: string | undefined;
  /** `additional_context`, as the model saw it. */
  contextShown: string | undefined;
  /** The conversation before it, as the model saw it. */
  historyShown: { role: "user" | "assistant"; text: string }[];
  /** `performance.now()`. */
  startedAt: number;
  endedAt: number | undefined;
  /** `died`: the server went away; `failed`: the model gave an error. */
  outcome: "running" | "finished" | "stopped" | "failed" | "died";
  /** Whether a connection that carried the answer ended before the answer did. */
  cut: boolean;
  /** Whether the same words of the same key were still being answered when this arrived: it was asked twice. */
  whileRunning: boolean;
}
