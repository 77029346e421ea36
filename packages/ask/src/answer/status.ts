/**
 * Where an answer stands. `waiting`: nothing came yet; `searching`: tools are at work; `answering`: text is arriving;
 * the other four are final. `done`: complete; `partial`: the connection ended first; `failed`: see `failure`;
 * `stopped`: somebody stopped it. All four keep the text that had arrived.
 */
export type AnswerStatus = "waiting" | "searching" | "answering" | "done" | "partial" | "failed" | "stopped";

/** True for the four statuses after which nothing more comes. */
export function isFinal(status: AnswerStatus): boolean {
  return status === "done" || status === "partial" || status === "failed" || status === "stopped";
}
