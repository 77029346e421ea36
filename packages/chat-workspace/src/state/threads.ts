import type { State } from "./state.ts";

/** Whether anybody has replied in a thread: before that there is none to see. */
export function isActive(state: State, channel: string, threadTs: string): boolean {
  return state
    .messagesIn(channel)
    .some((one) => one.threadTs === threadTs && one.ts !== threadTs && one.only === undefined && !one.deleted);
}

/** Said of a message for one person in a thread without replies; `chat.postEphemeral`: "only shown if active". */
export const UNSHOWN =
  "a message for one person in a thread nobody has replied in is shown nowhere: leave thread_ts out";
