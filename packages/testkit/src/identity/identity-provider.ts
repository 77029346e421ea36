import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";

/** A person the provider knows, with what it tells of them: `email`, `email_verified`, `name`, `groups` and whatever else. */
export type KnownPerson = Readonly<Record<string, unknown>>;

/** What an identity provider is started with. */
export interface IdentityProviderOptions {
  /** By the name they sign in with, which is their subject as well. Any password is right. Others are unknown. */
  readonly people: Readonly<Record<string, KnownPerson>>;
  /** Where browsers may be sent back to. */
  readonly redirectUris: readonly string[];
  readonly clientId?: string;
  /** None: a public client. */
  readonly clientSecret?: string;
  /** How the secret has to be shown. Default: `client_secret_basic`. */
  readonly secretBy?: "client_secret_basic" | "client_secret_post";
  /** Whether what is known of a person stands in the ID token as well. Default: at the userinfo endpoint alone. */
  readonly isToldInToken?: boolean;
}

/** A genuine identity provider on this machine, with its own pages. */
export interface IdentityProvider {
  /** Its name for itself: `http://127.0.0.1:PORT`. */
  readonly issuer: string;
  /** What it was asked so far: methods and paths. */
  readonly asked: string[];
  /** From now on it signs with other keys, and publishes these alone. */
  rotate(): void;
  /** From now on nobody answers there, until `come`. */
  leave(): Promise<void>;
  come(): Promise<void>;
  close(): Promise<void>;
}

/** Starts oidc-provider (panva), certified for OpenID Connect, on loopback. */
export async function startIdentityProvider(options: IdentityProviderOptions): Promise<IdentityProvider> {
  const asked: string[] = [];
  const cookieKey = randomBytes(32).toString("hex");
  let listener: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${new URL(request.url ?? "/", "http://any").pathname}`);
    listener(request, response);
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;

  const begin = (): void => {
    listener = quietly(() => new Provider(issuer, configuration(options, cookieKey)).callback());
  };
  begin();

  const leave = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { issuer, asked, rotate: begin, leave, come: () => listen(port), close: leave };
}

function configuration(options: IdentityProviderOptions, cookieKey: string): unknown {
  const { people, redirectUris, clientId = "threadlore", clientSecret } = options;
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    clients: [
      {
        client_id: clientId,
        redirect_uris: redirectUris,
        id_token_signed_response_alg: "ES256",
        ...(clientSecret === undefined
          ? { token_endpoint_auth_method: "none" }
          : { client_secret: clientSecret, token_endpoint_auth_method: options.secretBy ?? "client_secret_basic" }),
      },
    ],
    jwks: {
      keys: [
        { ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256", kid: randomBytes(8).toString("hex") },
      ],
    },
    cookies: { keys: [cookieKey] },
    claims: {
      openid: ["sub", "groups", "hasgroups", "roles", "realm_access"],
      email: ["email", "email_verified"],
      profile: ["name", "given_name", "family_name", "preferred_username"],
    },
    conformIdTokenClaims: options.isToldInToken !== true,
    pkce: { required: () => true },
    // It would say on the console that its pages are for trying out, which is what they are here for.
    features: { devInteractions: { enabled: true } },
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Grant: 600, Session: 600 },
    findAccount: (_: unknown, name: string) =>
      people[name] === undefined ? undefined : { accountId: name, claims: () => ({ ...people[name], sub: name }) },
  };
}

/** Without what the library says of its own settings while it begins. */
function quietly<Value>(action: () => Value): Value {
  const { info, warn } = console;
  console.info = console.warn = () => undefined;
  try {
    return action();
  } finally {
    Object.assign(console, { info, warn });
  }
}
