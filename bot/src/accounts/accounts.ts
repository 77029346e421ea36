import { AuthError, type ClientOptions, PermissionError, UnsupportedError } from "@threadlore/client";
import { accountOf, createDeployment, type Me, permissionsOf } from "@threadlore/client/deployment";
import { type Address, createServer, type Server, type Servers } from "../knowledge-server/servers.ts";
import type { Config } from "../settings/config.ts";
import { accountName } from "./account-name.ts";
import { isOwn, type OwnKey, type QuestionKey } from "./question-key.ts";
import { createSignIn, SHORTLY } from "./sign-in.ts";
import { createVault, type FormerKey, type OwnAccount, type VaultOptions } from "./vault.ts";

/** What came of connecting an account; `words`: why not, and what to do. */
export type Connecting =
  /** `former`: the one before it, which is over. */
  | { readonly account: OwnAccount; readonly former?: FormerKey | undefined }
  /** `belongsTo`: the address its account has, which is another than theirs; they are to be asked whether they mean it. */
  | { readonly words: string; readonly belongsTo?: string };

/** How somebody connects an account. */
interface Way {
  /** What `begin` gave; absent: this is its beginning. */
  readonly ticket?: string;
  /** The server gave the key to the bot. */
  readonly byLink?: boolean;
  /** Their own address. By a link the account may have no other; of a pasted token they are asked. */
  readonly email?: string | undefined;
  /** They were asked, and meant it. */
  readonly isMeant?: boolean;
}

/** The accounts people connected, and the server as each of them sees it. */
export type OwnAccounts = ReturnType<typeof createAccounts>;

/** What they need. */
export interface OwnAccountsOptions extends VaultOptions {
  readonly config: Pick<Config, "accountSecrets" | "keys" | "server">;
  readonly address: Address;
  readonly servers: Servers;
  readonly fetch?: ClientOptions["fetch"];
  readonly timeouts?: ClientOptions["timeouts"];
  /** So long what the server said of a key counts before a question, milliseconds. Default 10,000. */
  readonly freshMs?: number | undefined;
}

/** Keys remembered as good; the oldest are looked at once more. */
const MAX_LOOKED_AT = 1_000;

/** Makes them. Everything that counts is in the store; here is only which keys were good a moment ago. */
export function createAccounts(options: OwnAccountsOptions) {
  const { config, address, servers, fetch, timeouts, now, freshMs = 10_000 } = options;
  const vault = createVault(options);
  const lookedAt = new Map<OwnKey, number>();

  function whoami(apiKey: string): Promise<Me> {
    const deployment = createDeployment({
      ...config.server,
      baseUrl: address.baseUrl,
      apiKey,
      timeouts: { ...timeouts, ...SHORTLY },
      retries: { retries: 0 },
      fetch,
    });
    return deployment.whoami();
  }

  /**
   * Lets a key be asked with by whom it is of: rejects with AuthError where the server does not know it, or knows it as somebody else's. What
   * the server cannot say now it says for no key: nothing is asked as nobody in particular.
   */
  async function admit(key: OwnKey, user: string): Promise<void> {
    const { account, apiKey } = await vault.opened(key, user);
    const at = lookedAt.get(key);
    if (at !== undefined && now() - at < freshMs) return;
    lookedAt.delete(key);
    const { id, anonymous } = accountOf(await whoami(apiKey));
    if (anonymous || id !== account.accountId) throw new AuthError(REFUSED);
    lookedAt.set(key, now());
    const [oldest] = lookedAt.keys();
    if (lookedAt.size > MAX_LOOKED_AT && oldest !== undefined) lookedAt.delete(oldest);
  }

  return {
    ...vault,
    ...createSignIn(options, vault),
    admit,

    /** Tries a key, and keeps it as this person's own in the place of the one before it. */
    async connect(user: string, apiKey: string, way: Way = {}): Promise<Connecting> {
      if (Object.values(config.keys).includes(apiKey)) return { words: OF_THE_BOT };
      const { ticket = await vault.begin(user), byLink, email, isMeant } = way;
      let me: Me;
      try {
        await address.find();
        me = await whoami(apiKey);
      } catch (error) {
        return { words: whyNotKnown(error) };
      }
      const words = whyUnfit(me);
      if (words !== undefined) return { words };
      const belongsTo = addressElsewhere(me, email);
      if (belongsTo !== undefined && byLink === true) return { words: OF_SOMEBODY_ELSE };
      if (belongsTo !== undefined && isMeant !== true) return { words: OF_ANOTHER_ADDRESS, belongsTo };
      const former = await vault.former(user);
      const name = accountName(me.email || me.id);
      const facts = { name, accountId: me.id, isAdmin: permissionsOf(me).admin, byLink };
      // A process that was paused meanwhile must not keep what was taken back since.
      const account = await vault.keep(user, apiKey, { ...facts, ticket });
      return account === undefined ? { words: MEANWHILE } : { account, former };
    },

    /**
     * The server as this key sees it, for this person. Rejects with AuthError where the account is not connected any more, or is
     * not theirs.
     */
    async server(key: QuestionKey, user: string): Promise<Server> {
      if (!isOwn(key)) return servers[key];
      const { apiKey } = await vault.opened(key, user);
      return createServer(config, {
        address,
        fetch,
        timeouts,
        apiKey,
        isWaitedFor: true,
        admit: () => admit(key, user),
      });
    },
  };
}

/** The account's address where it is another than the person's; undefined: it is not, or nobody knows. */
function addressElsewhere({ email }: Me, own: string | undefined): string | undefined {
  // What a server writes for an account without an address is nobody's.
  if (own === undefined || email == null || email === "" || /[@.]invalid$/i.test(email)) return undefined;
  return email.normalize().toLowerCase() === own.normalize().toLowerCase() ? undefined : email;
}

const OF_ANOTHER_ADDRESS =
  "This token belongs to an account with another address than yours, so nothing was connected.";

const OF_SOMEBODY_ELSE =
  "Somebody with another e-mail address than yours agreed, so nothing was connected. Sign in there as yourself.";
const REFUSED =
  "The knowledge server does not accept this token. Copy the whole of it once more, and see that it has not expired.";
const OF_THE_BOT = "This is a key of mine, not yours. Make an access token of your own account.";
const OF_A_PROGRAM = "This key belongs to a program, not to a person. Make an access token of your own account.";
const MAY_NOT_ASK = "The account of this token may not ask questions. Ask whoever runs the knowledge server.";
const UNKNOWN =
  "The server does not say whose this token is, so I cannot tell that it is yours. Make one that may read your own account.";
const MEANWHILE = "Meanwhile your account was connected or disconnected elsewhere, so nothing was kept of this token.";
const AWAY = "The knowledge server cannot be reached at the moment. Try again in a minute.";

/** Words for why an account cannot be a person's own here. */
function whyUnfit(me: Me): string | undefined {
  const { anonymous, isService } = accountOf(me);
  if (anonymous) return REFUSED;
  if (isService) return OF_A_PROGRAM;
  return permissionsOf(me).chat ? undefined : MAY_NOT_ASK;
}

function whyNotKnown(error: unknown): string {
  if (error instanceof AuthError) return REFUSED;
  if (error instanceof PermissionError || error instanceof UnsupportedError) return UNKNOWN;
  return AWAY;
}
