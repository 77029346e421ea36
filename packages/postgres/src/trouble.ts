/** The code of an error of PostgreSQL's, or of the system's; empty where it has none. */
export const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

/** Whether the connection is gone, or none was to be had: worth another try. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  // Class 08, 25P03, 53300 and 57P0x: it broke, idled in a transaction, was one too many, or the server ends or starts.
  if (/^(08...|25P03|53300|57P0\d|ECONN.*|EPIPE|ETIMEDOUT|ENOENT|EAI_AGAIN)$/.test(code)) return true;
  return (
    code === "" &&
    /connection (terminated|ended)|client has encountered a connection error|not queryable/i.test(error.message)
  );
}

/** Whether a connection can be used no more: lost, or still waiting for an answer nobody waits for. */
export function isBroken(error: unknown): boolean {
  if (isConnectionLost(error) || isOutdated(error)) return true;
  return error instanceof Error && error.message === "Query read timeout";
}

/** Whether a server ended a statement because it took too long, as one that waits for what somebody else holds. */
export const isTimedOut = (error: unknown): boolean => codeOf(error) === "57014";

/** Whether a server could not be asked, or gave no answer in time. */
export function isUnanswered(error: unknown): boolean {
  return (
    isBroken(error) ||
    isTimedOut(error) ||
    (error instanceof Error && /timeout exceeded when trying to connect/.test(error.message))
  );
}

/** Whether a transaction was undone only because of others at the same time. */
export function isConflict(error: unknown): boolean {
  return codeOf(error) === "40P01" || codeOf(error) === "40001" || isOutdated(error);
}

/** Whether a connection has planned a statement for tables another version has changed since. */
function isOutdated(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === "0A000" && /cached plan/.test(error.message);
}

/**
 * Why a server could not be used, in plain words and without user and password; undefined where the error says something else.
 * @param who who was refused, such as "the bot"
 * @param setting where its address is set, such as "the address of the bot's database"
 */
export function reasonOf(error: unknown, url: string, who: string, setting: string): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const where = placeOfServer(url);
  const code = codeOf(error);
  if (/^(28...|3D000|42501)$/.test(code)) {
    return (
      `The PostgreSQL server ${where} refused ${who}: ${error.message}. Correct the user, password or database in ` +
      `${setting}.`
    );
  }
  if (!isConnectionLost(error) && !/^(ENOTFOUND|EAI_AGAIN|EHOST.*|ENETUNREACH)$/.test(code)) return undefined;
  return `The PostgreSQL server ${where} cannot be reached (${error.message}). Is it running, and is ${setting} right?`;
}

/** The server without user and password. */
export function placeOfServer(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? "" : `at ${parsed.searchParams.get("host") ?? parsed.host}${parsed.pathname}`;
}
