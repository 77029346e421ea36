import { InvalidRequestError, NotFoundError, UnsupportedError } from "../errors/errors.ts";

/**
 * An id as one segment of a path. What is percent-encoded already is encoded again: that is how deployed servers
 * expect a document's id (docs/wire.md, section 3). Throws InvalidRequestError for an id that would change the path
 * itself: the empty one would address the whole list, and dots the folder above.
 */
export function pathSegment(id: string): string {
  if (id !== "" && id !== "." && id !== "..") return encodeURIComponent(id.toWellFormed());
  throw InvalidRequestError.at(["path", "id"], `"${id}" is not an id. Take the id the server gave.`);
}

/**
 * A document's id as deployed servers name it after they were sent `id`: blanks become `_`, then everything but letters,
 * digits and `_.-~` is percent-encoded (docs/wire.md, section 3).
 */
export function keptId(id: string): string {
  const encoded = encodeURIComponent(id.toWellFormed().replaceAll(" ", "_"));
  return encoded.replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * What an unknown route means for a call with `id` in its path. A server decodes a path before it looks for the route:
 * with an id that had to be encoded, it is the id that leads nowhere, and says nothing of the operation.
 */
export function aboutId(error: unknown, id: string): unknown {
  if (!isUnknownRoute(error) || pathSegment(id) === id) return error;
  const { status, host } = error;
  const message = `${host ?? "The server"} does not know what was asked for (${status}): its ids do not look like "${shortened(id)}".`;
  return new NotFoundError(message, { status, host }, { cause: error });
}

/** Whether the server has no route for the path it was asked by. */
export function isUnknownRoute(error: unknown): error is UnsupportedError {
  return error instanceof UnsupportedError && error.status === 404;
}

function shortened(id: string): string {
  return id.length > 80 ? `${id.slice(0, 79)}…` : id;
}
