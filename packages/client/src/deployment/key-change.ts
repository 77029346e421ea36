import type { Me } from "./models.ts";
import { readable } from "../errors/error-body.ts";
import { AuthError } from "../errors/errors.ts";
import { type Permissions, permissionsOf } from "./permissions.ts";

/** How a key is no longer what it was, in words for whoever set it up. */
export type KeyChange =
  | { readonly kind: "refused" | "anonymous" | "other_account"; readonly words: string }
  | { readonly kind: "permissions_lost"; readonly lost: readonly (keyof Permissions)[]; readonly words: string };

/** What a permission lets somebody do, in the order it is told. */
const DEEDS = {
  chat: "ask questions",
  ingest: "add documents",
  swapCredential: "swap credentials",
  validateTool: "validate tools",
  admin: "administer the server",
} as const;

/**
 * Compares what the server says of a key with what it said before, for front ends that ask from time to time: a key can
 * be revoked, a server that is open to everyone then takes it for no key, and everything seems to work.
 * @param before undefined: it was not asked before
 * @param now the reply of `whoami`, or what it threw; a failure that is not about the key says nothing of it
 */
export function keyChange(before: Me | undefined, now: Me | Error): KeyChange | undefined {
  if (now instanceof AuthError) {
    return { kind: "refused", words: "The server no longer accepts this key: it was revoked, or it has expired." };
  }
  if (now instanceof Error) return undefined;
  const may = permissionsOf(now);
  const might = before === undefined ? undefined : permissionsOf(before);
  if (may.anonymous && might?.anonymous !== true) {
    const words = "The server does not know this key, and takes whoever sends it for somebody without one.";
    return { kind: "anonymous", words };
  }
  if (before === undefined || might === undefined) return undefined;
  if (before.id !== now.id) {
    const words = `This key belongs to another account than before: ${nameOf(now)}, not ${nameOf(before)}.`;
    return { kind: "other_account", words };
  }
  const lost = (Object.keys(DEEDS) as (keyof typeof DEEDS)[]).filter((deed) => might[deed] && !may[deed]);
  if (lost.length === 0) return undefined;
  const deeds = lost.map((deed) => DEEDS[deed]);
  const list = [deeds.slice(0, -1).join(", "), deeds.at(-1)].filter((part) => part !== "").join(" or ");
  return { kind: "permissions_lost", lost, words: `This key may no longer ${list}.` };
}

function nameOf({ email, id }: Me): string {
  return readable(email == null || email === "" ? id : email);
}
