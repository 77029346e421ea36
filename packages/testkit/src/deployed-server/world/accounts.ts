import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** One thing an account wants remembered. */
export interface Memory {
  id: number;
  content: string;
}

function newAccount(
  name: string,
  accountType: "STANDARD" | "SERVICE_ACCOUNT" | "ANONYMOUS",
  permissions: readonly string[],
) {
  const id: string = randomUUID();
  const service = accountType === "SERVICE_ACCOUNT";
  return {
    id,
    /** What a test calls it. */
    name,
    email: service ? `api_key__${name}@${id}onyxapikey.ai` : `${name}@example.com`,
    accountType,
    permissions: [...permissions],
    personalization: {
      name: "",
      role: "",
      /** Whether the model is told what is remembered. */
      use_memories: true,
      /** Whether the model may add to it. */
      enable_memory_tool: true,
      memories: [] as Memory[],
      user_preferences: "",
    },
  };
}

/** Who a key belongs to. All of it may be changed by a test at any time. */
export type Account = ReturnType<typeof newAccount>;

/** A key that opens an account. */
export interface Credential {
  account: Account;
  /** What the key is limited to, where it is. */
  scopes: readonly string[] | undefined;
  /** From then on it opens nothing. */
  revoked: boolean;
}

/** What a further key is for. */
export interface KeyOptions {
  /** Name of the account; the same name is the same account. Default: one of its own. */
  user?: string;
  /** Default `STANDARD`: a person's token. */
  accountType?: "STANDARD" | "SERVICE_ACCOUNT";
  /** Default: those of a member. */
  permissions?: readonly string[];
  /** Limits the token, as `["read:chat", "write:chat"]`. */
  scopes?: readonly string[];
}

/** What anybody in the company may do. */
export const memberPermissions: readonly string[] = (
  "add:agents basic craft_sandbox create:user_api_keys generate:image read:agents read:chat read:connectors " +
  "read:document_sets read:search use:llm_gateway write:chat"
).split(" ");

/** What an administrator may do. */
export const adminPermissions: readonly string[] = [
  ...memberPermissions,
  ...(
    "admin manage:actions manage:agents manage:bots manage:connectors manage:document_sets manage:llms " +
    "manage:service_account_api_keys manage:skills manage:user_groups read:admin read:agent_analytics " +
    "read:query_history read:user_groups read:users"
  ).split(" "),
].toSorted();

/** Everybody the server knows, and their keys. */
export class Accounts {
  readonly byName = new Map<string, Account>();
  readonly credentials = new Map<string, Credential>();
  readonly anonymous: Account = newAccount("anonymous", "ANONYMOUS", []);
  #memories = 0;
  #keys = 0;

  constructor() {
    this.anonymous.id = "__anonymous_user__";
    this.anonymous.email = "anonymous@onyx.app";
    this.byName.set(this.anonymous.name, this.anonymous);
  }

  addKey({ user, accountType = "STANDARD", permissions = memberPermissions, scopes }: KeyOptions = {}): string {
    const number = ++this.#keys;
    const name = user ?? `user${number}`;
    const account = this.byName.get(name) ?? newAccount(name, accountType, permissions);
    this.byName.set(name, account);
    // Long enough to be taken for a key, and marked so that nobody takes it for a real one.
    const letters = randomUUID().replaceAll("-", "").slice(0, 12);
    const token = `${accountType === "SERVICE_ACCOUNT" ? "on_TEST" : "onyx_pat_TEST"}${letters}${name}`;
    this.credentials.set(token, { account, scopes, revoked: false });
    return token;
  }

  remember(account: Account, content: string): Memory {
    const memory = { id: ++this.#memories, content };
    account.personalization.memories.push(memory);
    return memory;
  }

  /** The key a request carries, and whose it is. A service account's key may come without `Bearer`. */
  credentialOf(headers: IncomingHttpHeaders): { key: string | undefined; credential: Credential | undefined } {
    const own = headers["x-onyx-authorization"];
    const header = (typeof own === "string" ? own : undefined) ?? headers.authorization;
    if (header === undefined) return { key: undefined, credential: undefined };
    const bearer = header.startsWith("Bearer ");
    const key = bearer ? header.slice("Bearer ".length) : header;
    const credential = this.credentials.get(key);
    const opens = credential?.revoked === false && (bearer || credential.account.accountType === "SERVICE_ACCOUNT");
    return { key, credential: opens ? credential : undefined };
  }
}
