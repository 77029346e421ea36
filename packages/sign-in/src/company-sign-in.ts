import * as client from "openid-client";
import { type CompanyIdentity, identityOf, isIncomplete, subjectOf } from "./claims.ts";
import { admit, domainsOf, isOpenToAll } from "./domains.ts";
import { SignInFailure } from "./failure.ts";
import { CLOCK_TOLERANCE_S, createProvider, issuerAddress, type Provider } from "./provider.ts";
import { hasDoubleNames } from "./unique-names.ts";
import { understood } from "./understood.ts";

/** How long a person may take to sign in at the provider, in milliseconds. */
const PATIENCE_MS = 10 * 60_000;

/** What an administrator knows of the company's identity provider. */
export interface CompanySignInOptions {
  /** The provider's own name for itself: `https://login.example.com/realms/staff`. `http` on this machine only. */
  readonly issuer: string;
  /** The name this application was registered under there. */
  readonly clientId: string;
  /** The secret that was made for it; none for a public client. */
  readonly clientSecret?: string | undefined;
  /** What is asked for. Default: `openid profile email`. */
  readonly scopes?: string | undefined;
  /** Where the groups stand: `groups` (the default), `roles`, or nested: `realm_access.roles`. */
  readonly groupsClaim?: string | undefined;
  /** Only whose verified address is of one of these domains may sign in. Default: everybody the provider lets in. */
  readonly domains?: readonly string[] | undefined;
  /** Calls the provider. Default: the `fetch` of this process, as it is at the time. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * A sign-in that was begun, as plain JSON. It stays with the service, is given to one `finish`, and belongs to the browser
 * that began: whoever is sent the provider's answer for another's must not be signed in by it. `state` finds it again.
 */
export interface PendingSignIn {
  readonly issuer: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** When it was begun, in milliseconds since 1970. */
  readonly begunAt: number;
}

/** Sign-in with one company's identity provider. Every failure of it is a {@link SignInFailure}. */
export interface CompanySignIn {
  /** Whether the provider can be asked, and is the one it should be: fails where not. For a doctor. */
  look(): Promise<void>;
  /**
   * Begins a sign-in.
   * @param to `redirectUri`: where the provider sends the browser back to, as it is registered there, without ? and #.
   * `isAnother`: as somebody else than the provider knows the browser to be; it asks anew who is there
   * @returns the provider's page to send the browser to, and what to keep
   */
  begin(to: {
    readonly redirectUri: string;
    readonly isAnother?: boolean;
  }): Promise<{ readonly url: string; readonly pending: PendingSignIn }>;
  /**
   * Ends it.
   * @param callbackUrl the address the browser came back to; only what stands behind the `?` counts
   * @param pending what `begin` gave, as it was kept. The caller has taken it away before, so that it serves once.
   * @param now by the clock of `begunAt`, milliseconds since 1970. Default: this process's
   */
  finish(callbackUrl: string, pending: PendingSignIn, now?: number): Promise<CompanyIdentity>;
}

/**
 * A relying party of OpenID Connect: authorization code with PKCE, state and nonce. Nothing is asked before it is needed, so
 * a provider that is down at the start is no failure then. Keys are kept for five minutes, and asked for anew when a token
 * names one that is unknown, at most once a minute.
 * @throws TypeError in plain words where the options cannot be used
 */
export function companySignIn(options: CompanySignInOptions): CompanySignIn {
  const provider = createProvider(options);
  const scope = scopesOf(options.scopes);
  const domains = domainsOf(options.domains ?? []);
  if (domains.size === 0 && isOpenToAll(issuerAddress(options.issuer))) {
    throw new TypeError("Anybody may have an account at this issuer: name the domains whose people may sign in here.");
  }
  const groupsClaim = options.groupsClaim?.trim() || "groups";

  return {
    async look() {
      await provider.known();
    },

    async begin({ redirectUri, isAnother = false }) {
      const config = await provider.known();
      const metadata = config.serverMetadata();
      const { issuer } = metadata;
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      const url = await attempt(async () =>
        client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope,
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
          ...(isAnother && { prompt: promptOf(metadata) }),
        }),
      );
      return { url: url.href, pending: { issuer, redirectUri, state, nonce, verifier, begunAt: Date.now() } };
    },

    async finish(callbackUrl, pending, now = Date.now()) {
      const age = now - pending.begunAt;
      // The instance that began may have a clock that is ahead.
      if (!(age < PATIENCE_MS && age > -CLOCK_TOLERANCE_S * 1000)) {
        throw new SignInFailure("stale", "the sign-in was begun more than ten minutes ago");
      }
      const config = await provider.known();
      if (config.serverMetadata().issuer !== pending.issuer) {
        throw new SignInFailure("stale", "the sign-in was begun with another identity provider");
      }
      // The address as it was registered: what a proxy makes of it does not matter.
      const came = new URL(pending.redirectUri);
      came.search = URL.parse(callbackUrl, pending.redirectUri)?.search ?? "";
      return attempt(async () => {
        const tokens = await redeem(provider, config, came, pending);
        const claims = checkedClaims(tokens, config.clientMetadata().client_id);
        const isAsked = isIncomplete(claims, groupsClaim) && config.serverMetadata().userinfo_endpoint !== undefined;
        const more = isAsked
          ? await client.fetchUserInfo(config, tokens.access_token, subjectOf(claims.sub))
          : undefined;
        const identity = identityOf(claims, more, groupsClaim);
        admit(identity, domains, claims);
        return identity;
      });
    },
  };
}

/** A choice of accounts where there is one; everybody knows how to ask for the password again. */
function promptOf({ issuer, prompt_values_supported: offered }: client.ServerMetadata): string {
  const url = URL.parse(issuer);
  const isChoice = (url !== null && isOpenToAll(url)) || (Array.isArray(offered) && offered.includes("select_account"));
  return isChoice ? "select_account" : "login";
}

type Tokens = Awaited<ReturnType<typeof client.authorizationCodeGrant>>;

/** The code for tokens. A provider that takes the secret in the one way only, and says it takes both, is asked once more. */
async function redeem(
  provider: Provider,
  config: client.Configuration,
  came: URL,
  { state, nonce, verifier }: PendingSignIn,
): Promise<Tokens> {
  const grant = (by: client.Configuration) =>
    client.authorizationCodeGrant(by, came, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
  try {
    return await grant(config);
  } catch (error) {
    const isOfSecret =
      (error instanceof client.ResponseBodyError && error.error === "invalid_client") ||
      (error instanceof client.WWWAuthenticateChallengeError && error.status === 401);
    const other = isOfSecret ? provider.otherWay(config) : undefined;
    if (other === undefined) throw error;
    return await grant(other);
  }
}

/** What the library leaves to its callers: OpenID Connect Core, section 3.1.3.7, and RFC 8725, sections 3.11 and 3.12. */
function checkedClaims(tokens: Tokens, clientId: string): client.IDToken {
  const claims = tokens.claims();
  if (claims === undefined) throw new SignInFailure("untrusted", "there is no ID token");
  const [header = "", payload = ""] = (tokens.id_token ?? "").split(".").map((part) => fromBase64(part));
  if (hasDoubleNames(header) || hasDoubleNames(payload)) {
    throw new SignInFailure("untrusted", "in the ID token a name stands twice");
  }
  const { typ } = JSON.parse(header) as { typ?: unknown };
  if (typ !== undefined && (typeof typ !== "string" || /\+jwt$/i.test(typ))) {
    throw new SignInFailure("untrusted", "the token is of another kind than an ID token (typ)");
  }
  if (claims.azp !== undefined && claims.azp !== clientId) {
    throw new SignInFailure("untrusted", 'the ID token is for another application ("azp")');
  }
  if (claims.iat > Date.now() / 1000 + CLOCK_TOLERANCE_S) {
    throw new SignInFailure("untrusted", 'the ID token is from the future ("iat"): are the clocks right?');
  }
  return claims;
}

function fromBase64(part: string): string {
  return Buffer.from(part, "base64url").toString("utf8");
}

function scopesOf(scopes = "openid profile email"): string {
  const words = scopes.split(/[\s,]+/).filter((word) => word !== "");
  return words.includes("openid") ? words.join(" ") : ["openid", ...words].join(" ");
}

async function attempt<Value>(action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw understood(error);
  }
}
