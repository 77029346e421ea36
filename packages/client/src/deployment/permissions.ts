import type { Me } from "./models.ts";

/** What a key may do, by the server's own word. The server still decides each call. */
export interface Permissions {
  readonly chat: boolean;
  readonly ingest: boolean;
  readonly swapCredential: boolean;
  readonly validateTool: boolean;
  /** All of it, and whatever else the server has. */
  readonly admin: boolean;
  /** The server took the caller for nobody in particular, whether or not a key was sent. */
  readonly anonymous: boolean;
}

/** Roles of servers that name no permissions, and the permissions they stand for (docs/wire.md, sections 3 to 5). */
const ROLE_PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  admin: ["admin"],
  curator: ["write:chat", "manage:connectors", "manage:actions"],
  global_curator: ["write:chat", "manage:connectors", "manage:actions"],
  basic: ["write:chat"],
  limited: ["write:chat"],
};

/**
 * Reads what a server says of the caller. `effective_permissions` counts where it is sent, the role where it is not.
 * A token of narrower scope than its owner can do less than this says: only the call itself tells.
 */
export function permissionsOf(me: Me): Permissions {
  const anonymous = me.is_anonymous_user === true || me.id === "__anonymous_user__";
  const named = new Set(me.effective_permissions ?? ROLE_PERMISSIONS[me.role ?? ""] ?? []);
  const admin = named.has("admin");
  const connectors = admin || named.has("manage:connectors");
  return {
    // Servers that admit callers without a key list no permissions for them, and let them ask all the same.
    chat: admin || anonymous || named.has("write:chat"),
    ingest: connectors,
    // One permission covers both on most servers; where a role `editor` exists, it ingests and does not swap.
    swapCredential: connectors && me.role !== "editor",
    validateTool: admin || named.has("manage:actions"),
    admin,
    anonymous,
  };
}

/** What of an account matters to whoever shares its key. */
export interface Account {
  readonly id: string;
  /** The server took the caller for nobody in particular, whether or not a key was sent. */
  readonly anonymous: boolean;
  /** The key was made for a program, not for a person: whoever asks with it shares its conversations and memory. */
  readonly isService: boolean;
  /**
   * `on`: what one question tells can stand in the prompt of the next, or the model may store it. `off`: neither.
   * `unknown`: the server says nothing of memory, so that it may have none.
   */
  readonly memory: "on" | "off" | "unknown";
}

/** What a server says of the account behind a key, as far as sharing the key matters. */
export function accountOf(me: Me): Account {
  const { use_memories: read, enable_memory_tool: written } = me.personalization ?? {};
  return {
    id: me.id,
    anonymous: permissionsOf(me).anonymous,
    isService: me.account_type === "SERVICE_ACCOUNT",
    memory: read === true || written === true ? "on" : read === false || written === false ? "off" : "unknown",
  };
}
