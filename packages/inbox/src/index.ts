/**
 * A durable inbox and everything its owner remembers, shared by all instances of a bot. Knows nothing of the chat
 * platform its tasks come from.
 */
export { Inbox } from "./inbox.ts";
export { interruptionOf, TaskInterrupted } from "./interruption.ts";
export { checkDatabase } from "./store/database-check.ts";
export { openStore, type Store } from "./store/open.ts";
export type {
  AccountRecord,
  ComparedWords,
  CallRecord,
  DoubtRecord,
  KeptAnswer,
  NewTask,
  Outcome,
  OwnGap,
  PinRecord,
  PinState,
  RateLimit,
  Task,
  TaskKind,
  TraceEntry,
  WaitingGap,
  WaitingQuestion,
} from "./store/store.ts";
export { isStoreTrouble, storeTrouble } from "./store/trouble.ts";
export { placeOf, taskKey } from "./task-key.ts";
export type { InboxOptions, RunResult, TaskTools } from "./task-tools.ts";
