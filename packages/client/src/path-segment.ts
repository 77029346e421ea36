import { InvalidRequestError } from "./errors.ts";

/**
 * An id as one segment of a path. What is percent-encoded already is encoded again: that is how deployed servers
 * expect a document's id (facts: wire section 3). Throws InvalidRequestError for an id that would change the path
 * itself: the empty one would address the whole list, and dots the folder above.
 */
export function pathSegment(id: string): string {
  if (id !== "" && id !== "." && id !== "..") return encodeURIComponent(id.toWellFormed());
  const message = `"${id}" is not an id. Take the id the server gave.`;
  throw new InvalidRequestError(message, [{ loc: ["path", "id"], msg: message, type: "value_error" }]);
}
