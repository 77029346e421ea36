import type { Me } from "./models.ts";
import { permissionsOf } from "./permissions.ts";

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
