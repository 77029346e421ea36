import { createHash, createHmac, createSign, type KeyObject, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK } from "jose";

export const ISSUER = "https://login.example.com/realms/staff";
export const CLIENT_ID = "threadlore";
export const CLIENT_SECRET = "secret-canary";
export const REDIRECT_URI = "https://knowledge.example.com/sign-in/callback";
const KID = "key-1";

/** Keys of the provider, of a stranger, and what the provider publishes. */
export interface Keys {
  readonly own: { readonly privateKey: KeyObject; readonly publicKey: KeyObject; readonly jwk: JWK };
  readonly stranger: { readonly privateKey: KeyObject; readonly jwk: JWK };
}

/** What the provider is about to answer to one sign-in: anything of it may be changed. */
export interface Answer {
  readonly keys: Keys;
  /** What is asked of the provider by the sign-in. */
  readonly nonce: string;
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  /** In place of `claims`, as text. */
  payload?: string;
  /** In place of `header`, as text. */
  headerText?: string;
  /** Makes the third part of the token. */
  sign: (signed: string) => string;
  /** The last word on the token. */
  token: (made: string) => unknown;
  /** What the browser brings back. */
  callback: URLSearchParams;
  userInfo: Record<string, unknown> | undefined;
  /** In place of the token endpoint's answer. */
  reply?: (body: Record<string, unknown>) => Response;
}

export async function createKeys(): Promise<Keys> {
  const pair = async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    const { KeyObject } = await import("node:crypto");
    const jwk = { ...(await exportJWK(publicKey)), kid: KID, use: "sig", alg: "ES256" };
    return { privateKey: KeyObject.from(privateKey), publicKey: KeyObject.from(publicKey), jwk };
  };
  return { own: await pair(), stranger: await pair() };
}

/** Signs as ES256 wants it. */
export function es256(key: KeyObject): Answer["sign"] {
  return (signed) => createSign("sha256").update(signed).sign({ key, dsaEncoding: "ieee-p1363" }, "base64url");
}

/** Signs with a secret that both sides have. */
export function hs256(secret: string | Buffer): Answer["sign"] {
  return (signed) => createHmac("sha256", secret).update(signed).digest("base64url");
}

export function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64url");
}

interface Asked {
  readonly path: string;
  readonly body: URLSearchParams | undefined;
}

export interface HostileProvider {
  readonly metadata: Record<string, unknown>;
  /** What it publishes. */
  keys: unknown[];
  /** In place of all that it would answer. */
  answer: ((path: string) => Response | undefined) | undefined;
  readonly asked: readonly Asked[];
  readonly fetch: typeof globalThis.fetch;
  /** Signs somebody in, and forges. Returns the address the browser comes back to. */
  come(url: string, forge?: (answer: Answer) => void): string;
}

/** A provider whose every answer can be forged, asked by a `fetch` of its own; it checks PKCE as a real one does. */
export function createHostileProvider(keys: Keys): HostileProvider {
  const answers = new Map<string, { readonly answer: Answer; readonly challenge: string }>();
  const asked: Asked[] = [];
  const world: HostileProvider = {
    metadata: {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/auth`,
      token_endpoint: `${ISSUER}/token`,
      userinfo_endpoint: `${ISSUER}/userinfo`,
      jwks_uri: `${ISSUER}/keys`,
      id_token_signing_alg_values_supported: ["ES256", "RS256", "HS256", "none"],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      authorization_response_iss_parameter_supported: true,
    },
    keys: [keys.own.jwk],
    answer: undefined,
    asked,
    fetch: (async (input: string, init: RequestInit = {}) => {
      const path = new URL(input).pathname.replace("/realms/staff", "");
      const body = init.body === undefined || init.body === null ? undefined : new URLSearchParams(String(init.body));
      asked.push({ path, body });
      const instead = world.answer?.(path);
      if (instead !== undefined) return instead;
      if (path === "/.well-known/openid-configuration") return Response.json(world.metadata);
      if (path === "/keys") return Response.json({ keys: world.keys });
      if (path === "/token") return answerCode(body ?? new URLSearchParams());
      const { authorization = "" } = init.headers as Record<string, string>;
      return Response.json(answers.get(authorization.replace("Bearer ", ""))?.answer.userInfo ?? {});
    }) as typeof globalThis.fetch,
    come(url, forge) {
      const asking = new URL(url).searchParams;
      const code = randomUUID();
      const now = Math.floor(Date.now() / 1000);
      const nonce = asking.get("nonce") ?? "";
      const answer: Answer = {
        keys,
        nonce,
        header: { alg: "ES256", kid: KID, typ: "JWT" },
        claims: { iss: ISSUER, aud: CLIENT_ID, sub: "248289761001", nonce, iat: now, exp: now + 300 },
        sign: es256(keys.own.privateKey),
        token: (made) => made,
        callback: new URLSearchParams({ code, state: asking.get("state") ?? "", iss: ISSUER }),
        userInfo: {
          sub: "248289761001",
          email: "anna@example.com",
          email_verified: true,
          name: "Anna",
          groups: ["staff"],
        },
      };
      forge?.(answer);
      answers.set(code, { answer, challenge: asking.get("code_challenge") ?? "" });
      return `${asking.get("redirect_uri")}?${answer.callback}`;
    },
  };

  function answerCode(body: URLSearchParams): Response {
    const code = body.get("code") ?? "";
    const found = answers.get(code);
    const challenge = createHash("sha256")
      .update(body.get("code_verifier") ?? "")
      .digest("base64url");
    if (found === undefined || challenge !== found.challenge) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    const { answer } = found;
    const signed = `${base64(answer.headerText ?? JSON.stringify(answer.header))}.${base64(answer.payload ?? JSON.stringify(answer.claims))}`;
    const reply = {
      access_token: code,
      token_type: "Bearer",
      expires_in: 300,
      id_token: answer.token(`${signed}.${answer.sign(signed)}`),
    };
    return answer.reply?.(reply) ?? Response.json(reply);
  }

  return world;
}
