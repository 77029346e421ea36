import { secretOf } from "./secret-setting.ts";
import { UsageError } from "../exit-codes.ts";
import type { Terminal } from "../terminal/output.ts";

/**
 * The PostgreSQL database everything is kept in, as DATABASE_URL names it, or the file DATABASE_URL_FILE; undefined: everything is in the data folder. An
 * address of another kind of database may be the bot's, which reads the same variable: a SQLite file is none of ours. What
 * is in it of a password is never told. Throws UsageError for an address of something else.
 */
export function databaseUrl({ env, hide, folder }: Pick<Terminal, "env" | "hide" | "folder">): string | undefined {
  const named = secretOf({ env, folder }, "DATABASE_URL") ?? "";
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(named) || /^sqlite:/i.test(named)) return undefined;
  const url = /^postgres(ql)?:\/\//i.test(named) ? URL.parse(named) : null;
  if (url === null) {
    throw new UsageError(
      "DATABASE_URL names no PostgreSQL database: it must begin with postgres://, such as postgres://user:password@host/database. Unset it to keep everything in the data folder.",
    );
  }
  for (const password of [url.password, url.searchParams.get("password") ?? ""]) {
    if (password === "") continue;
    hide(password);
    const decoded = decodedOf(password);
    if (decoded === undefined) {
      throw new UsageError("The password in DATABASE_URL has a % that is no escape: write it as %25.");
    }
    hide(decoded);
  }
  return named;
}

function decodedOf(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
