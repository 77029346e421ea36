import type { TaskKind } from "./store/store.ts";

/** Where a message is, as the decision trace knows it: `team:channel:ts`. */
export function placeOf(message: { team: string; channel: string; ts: string }): string {
  return `${message.team}:${message.channel}:${message.ts}`;
}

/**
 * What makes two deliveries one task: its kind and its message, and for what can be asked of one message more than
 * once (another click, another edit) what tells those apart.
 */
export function taskKey(kind: TaskKind, message: { team: string; channel: string; ts: string }, once?: string): string {
  return `${kind}:${placeOf(message)}${once === undefined ? "" : `:${once}`}`;
}
