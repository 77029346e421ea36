import * as client from "openid-client";
import { boundedFetch } from "./bounded-fetch.ts";
import { SignInFailure } from "./failure.ts";
import { understood } from "./understood.ts";

/** How far clocks of the service and of the identity provider may be apart, in seconds. */
export const CLOCK_TOLERANCE_S = 60;
/** How long one call to the identity provider may take, in seconds. */
const TIMEOUT_S = 10;
/** How long what the provider says of itself is used before it is asked anew, in milliseconds. */
const FRESH_MS = 60 * 60_000;
/** How long after a failure nobody asks again, in milliseconds: a crowd at the door is one call. */
const PAUSE_MS = 2_000;

/** What has to be known to speak to an identity provider. */
export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** An identity provider as it describes itself. */
export interface Provider {
  /** Asks once for all who wait. What was known stays in use while the provider is away. Fails with a {@link SignInFailure}. */
  known(): Promise<client.Configuration>;
  /** The other way to show the secret, where the provider takes both and refused this one; undefined where there is none. */
  otherWay(refused: client.Configuration): client.Configuration | undefined;
}

/**
 * The address of an issuer as it is compared.
 * @throws TypeError in plain words: only `https`, or `http` on this machine, no query, no name and password
 */
export function issuerAddress(issuer: string): URL {
  const url = URL.parse(issuer.trim().replace(/\/\.well-known\/openid-configuration\/?$/, ""));
  if (url === null)
    throw new TypeError("The issuer is no address: it begins with https://, as the provider names itself.");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))) {
    throw new TypeError("The issuer has to begin with https://: anybody on the way could sign in as anybody else.");
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new TypeError("The issuer is an address without ?, # and without a name and password.");
  }
  return url;
}

/** @throws TypeError where the options cannot be used, in plain words */
export function createProvider({ issuer, clientId, clientSecret, fetch }: ProviderOptions): Provider {
  const address = issuerAddress(issuer);
  if (clientId.trim() === "")
    throw new TypeError("The client ID is empty: the provider shows it beside the application.");
  const isLocal = isLoopback(address) && address.protocol === "http:";
  const bounded = boundedFetch(
    fetch ?? ((...given) => globalThis.fetch(...given)),
    (url) => url.protocol === "https:" || (isLocal && url.protocol === "http:" && isLoopback(url)),
  );

  let found: { readonly at: number; configurations: client.Configuration[] } | undefined;
  let asking: Promise<client.Configuration> | undefined;
  let failed: { readonly at: number; readonly failure: SignInFailure } | undefined;

  async function ask(): Promise<client.Configuration> {
    const keys = found?.configurations[0] && client.getJwksCache(found.configurations[0]);
    try {
      const told = await client.discovery(address, clientId, undefined, client.None(), {
        [client.customFetch]: bounded,
        timeout: TIMEOUT_S,
        execute: isLocal ? [client.allowInsecureRequests] : [],
      });
      const metadata = checked(address, told.serverMetadata());
      const configurations = waysToShow(metadata, clientSecret).map((way) => {
        const made = new client.Configuration(metadata, clientId, { [client.clockTolerance]: CLOCK_TOLERANCE_S }, way);
        made[client.customFetch] = bounded;
        made.timeout = TIMEOUT_S;
        if (isLocal) client.allowInsecureRequests(made);
        // Without this a token is trusted because it came over TLS, and its signature not looked at.
        client.enableNonRepudiationChecks(made);
        if (keys !== undefined) client.setJwksCache(made, keys);
        return made;
      });
      found = { at: Date.now(), configurations };
      failed = undefined;
      return first(configurations);
    } catch (error) {
      const failure = anotherName(error) ?? understood(error);
      failed = { at: Date.now(), failure };
      // Somebody who is away for a while may come back; somebody who says another name is not believed any more.
      if (failure.kind !== "unreachable") found = undefined;
      throw failure;
    }
  }

  return {
    async known() {
      if (found !== undefined && isWithin(found.at, FRESH_MS)) return first(found.configurations);
      const isPause = failed !== undefined && isWithin(failed.at, PAUSE_MS);
      if (!isPause) asking ??= ask().finally(() => (asking = undefined));
      if (found !== undefined) {
        // Nobody waits for what was known an hour ago; what comes of asking, the next one is told.
        asking?.catch(() => undefined);
        return first(found.configurations);
      }
      if (asking !== undefined) return asking;
      throw failed?.failure ?? new Error("The identity provider was not asked.");
    },
    otherWay(refused) {
      const other = found?.configurations.find((configuration) => configuration !== refused);
      // From now on this one comes first.
      if (found !== undefined && other !== undefined) found.configurations = [other, refused];
      return other;
    },
  };
}

/** A clock that was set back makes nothing last longer. */
function isWithin(since: number, ms: number): boolean {
  const age = Date.now() - since;
  return age >= 0 && age < ms;
}

/**
 * The issuer has to be the one that was configured. For Entra the library takes any tenant where the address is the one for
 * all tenants: then everybody with an account there could sign in.
 */
function checked(address: URL, metadata: client.ServerMetadata): client.ServerMetadata {
  if (URL.parse(metadata.issuer)?.href !== address.href) throw namedOtherwise(metadata.issuer);
  const { authorization_endpoint: page } = metadata;
  if (page === undefined || metadata.token_endpoint === undefined || metadata.jwks_uri === undefined) {
    throw new SignInFailure("misconfigured", "the issuer names no page to sign in at, no token endpoint or no keys");
  }
  return metadata;
}

/** What the library says of an issuer that calls itself otherwise, with the name an administrator has to know. */
function anotherName(error: unknown): SignInFailure | undefined {
  const cause: unknown = error instanceof client.ClientError ? error.cause : undefined;
  if (typeof cause !== "object" || cause === null || !("attribute" in cause && "body" in cause)) return undefined;
  const { attribute, body } = cause as { attribute: unknown; body: { readonly issuer?: unknown } };
  return attribute === "issuer" ? namedOtherwise(body.issuer) : undefined;
}

function namedOtherwise(issuer: unknown): SignInFailure {
  const named = (typeof issuer === "string" && URL.parse(issuer)?.href.slice(0, 300)) || "no address";
  return new SignInFailure("misconfigured", `the issuer calls itself ${named}: name that one, of your own tenant`);
}

/**
 * How the secret may be shown, the likelier one first. Sent in the body it needs no encoding of its own, in which providers
 * differ; a provider that says nothing takes it in the header (OpenID Connect Discovery, section 3).
 */
function waysToShow(metadata: client.ServerMetadata, secret: string | undefined): client.ClientAuth[] {
  if (secret === undefined || secret === "") return [client.None()];
  const offered = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  const ways = [];
  if (offered.includes("client_secret_post")) ways.push(client.ClientSecretPost(secret));
  if (offered.includes("client_secret_basic")) ways.push(client.ClientSecretBasic(secret));
  if (ways.length > 0) return ways;
  throw new SignInFailure(
    "misconfigured",
    "the identity provider takes no client secret (client_secret_post or _basic)",
  );
}

function first(configurations: readonly client.Configuration[]): client.Configuration {
  const [configuration] = configurations;
  if (configuration === undefined) throw new Error("There is no way to speak to the identity provider.");
  return configuration;
}

/** This machine by an address or by the name that stands for it alone. */
function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
