import { afterThisTest, seededRandom } from "@threadlore/testkit";
import { describe, expect, it, vi } from "vitest";
import { companySignIn, type CompanySignInOptions } from "./company-sign-in.ts";
import { SignInFailure } from "./failure.ts";
import { FORGERIES } from "./forgeries.harness.ts";
import {
  type Answer,
  CLIENT_ID,
  CLIENT_SECRET,
  createHostileProvider,
  createKeys,
  ISSUER,
  REDIRECT_URI,
} from "./hostile-provider.harness.ts";

const keys = await createKeys();

function start(options: Partial<CompanySignInOptions> = {}) {
  const provider = createHostileProvider(keys);
  const signIn = companySignIn({
    issuer: ISSUER,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    fetch: provider.fetch,
    ...options,
  });
  /** Who is signed in by an answer, or why nobody is. */
  const come = async (forge?: (answer: Answer) => void) => {
    try {
      const { url, pending } = await signIn.begin({ redirectUri: REDIRECT_URI });
      return await signIn.finish(provider.come(url, forge), pending);
    } catch (error) {
      if (error instanceof SignInFailure) return error;
      throw error;
    }
  };
  return { provider, signIn, come };
}

const ANNA = {
  issuer: ISSUER,
  subject: "248289761001",
  email: "anna@example.com",
  emailVerified: true,
  name: "Anna",
  groups: ["staff"],
};

describe("of 1,000 forged answers", () => {
  it("none signs anybody in, each is told for what it is, and the untouched between them do", async () => {
    const { provider, come } = start();
    const random = seededRandom(20_261_127);
    const rounds = Array.from({ length: 100 }, (_, hundred) =>
      Array.from({ length: 10 }, (_one, ten) => FORGERIES.slice((hundred * 10 + ten) % FORGERIES.length)[0] ?? []),
    );
    const seen = new Set<string>();
    for (const ten of rounds) {
      for (const [what = "", forge, reason = /$a/] of ten) {
        const outcome = await come((answer) => forge?.(answer, random));
        expect(outcome, what).toBeInstanceOf(SignInFailure);
        expect(outcome, what).toMatchObject({ reason: expect.stringMatching(reason) });
        // Nothing of what came is repeated, and nobody who forges learns by what they were caught.
        const { message, stack, forPerson } = outcome as SignInFailure;
        expect(`${message}${stack}${JSON.stringify(outcome)}`).not.toMatch(
          /canary|anna@|248289761001|eyJ|example\.org/,
        );
        expect(forPerson).not.toMatch(/claim|token|nonce|state|signature/);
        seen.add(what);
      }
      expect(await come(), "the control").toEqual(ANNA);
    }
    expect(seen.size).toBe(FORGERIES.length);
    // However many name keys that nobody knows, the provider is asked once a minute.
    expect(provider.asked.filter(({ path }) => path === "/keys").length).toBeLessThanOrEqual(2);
    expect(provider.asked.filter(({ path }) => path.endsWith("openid-configuration"))).toHaveLength(1);
  });
});

describe("a provider", () => {
  const metadata = (changed: Record<string, unknown>) => {
    const { provider, come } = start();
    Object.assign(provider.metadata, changed);
    return come();
  };

  it.each([
    ["calls itself otherwise", { issuer: "https://login.example.org" }, /calls itself https:\/\/login.example.org/],
    ["calls itself nothing", { issuer: "" }, /issuer/],
    ["calls itself a list", { issuer: [ISSUER] }, /issuer/],
    ["leads to a script", { authorization_endpoint: "javascript:alert(1)" }, /HTTPS/],
    ["leads to a page that is not encrypted", { authorization_endpoint: "http://login.example.com/auth" }, /HTTPS/],
    ["wants the code in the clear", { token_endpoint: "http://login.example.com/token" }, /HTTPS/],
    ["has its keys in the clear", { jwks_uri: "http://127.0.0.1/keys" }, /HTTPS/],
    ["names no keys", { jwks_uri: undefined }, /no keys/],
    ["names no address", { token_endpoint: 7 }, /token_endpoint/],
    ["takes no secret", { token_endpoint_auth_methods_supported: ["private_key_jwt"] }, /secret/],
  ])("that %s is not signed in at", async (_, changed, reason) => {
    expect(await metadata(changed)).toMatchObject({ name: "SignInFailure", reason: expect.stringMatching(reason) });
  });

  it("for every tenant is refused: everybody with an account there could sign in", async () => {
    const issuer = "https://login.microsoftonline.com/common/v2.0";
    const told = {
      ...createHostileProvider(keys).metadata,
      issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
    };
    const { signIn } = start({ issuer, fetch: async () => Response.json(told) });
    await expect(signIn.look()).rejects.toMatchObject({
      kind: "misconfigured",
      reason: expect.stringContaining("of your own tenant"),
    });
  });

  it.each([
    ["is slow to no end", () => new Promise<Response>(() => undefined), "unreachable", /in time/],
    ["sends without end", async () => new Response(endless()), "untrusted", /more than 1048576 bytes/],
    ["is broken", async () => new Response("oh", { status: 502 }), "unreachable", /502/],
    ["knows nothing of it", async () => new Response("{}", { status: 404 }), "misconfigured", /404/],
    ["sends elsewhere", async () => Response.redirect("https://login.example.org/"), "misconfigured", /redirect/],
    ["answers with a page", async () => new Response("<p>{:}</p>"), "misconfigured", /content-type|JSON/i],
    ["says things twice", async () => new Response(`{"issuer":"${ISSUER}","issuer":"x"}`), "untrusted", /twice/],
  ] as const)("that %s is given up, and whoever waits is told at once", async (_, answer, kind, reason) => {
    let calls = 0;
    const { signIn } = start({
      fetch: (_address, init) => {
        calls++;
        const given = new Promise<never>((_resolve, reject) => {
          // As ten seconds go by.
          init?.signal?.addEventListener("abort", () => reject(new DOMException("late", "TimeoutError")));
          if (kind === "unreachable" && reason.source.includes("time"))
            reject(new DOMException("late", "TimeoutError"));
        });
        return Promise.race([answer(), given]);
      },
    });
    const failed = Array.from({ length: 20 }, () => signIn.begin({ redirectUri: REDIRECT_URI }));
    for (const outcome of await Promise.allSettled(failed)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { kind, reason: expect.stringMatching(reason) } });
    }
    await expect(signIn.look()).rejects.toMatchObject({ kind });
    expect(calls).toBe(1);
  });

  it("that was known an hour ago is waited for by nobody, and believed no more once it calls itself otherwise", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    afterThisTest(() => vi.useRealTimers());
    const { provider, come, signIn } = start();
    expect(await come()).toEqual(ANNA);
    vi.setSystemTime(Date.now() + 3_600_000);
    provider.answer = () => new Response(null, { status: 503 });
    expect((await signIn.begin({ redirectUri: REDIRECT_URI })).url).toContain(`${ISSUER}/auth?`);
    provider.answer = undefined;
    vi.setSystemTime(Date.now() + 2_000);
    expect(await come()).toEqual(ANNA);
    vi.setSystemTime(Date.now() + 3_600_000);
    provider.metadata["issuer"] = "https://login.example.org";
    await signIn.look();
    await expect.poll(() => signIn.look().catch((error: unknown) => error)).toMatchObject({ kind: "misconfigured" });
  });

  it("whose keys are weak, ambiguous or secrets signs nobody in", async () => {
    const { generateKeyPairSync } = await import("node:crypto");
    const weak = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ format: "jwk" });
    const secret = { kty: "oct", k: Buffer.from(CLIENT_SECRET).toString("base64url"), kid: "key-1" };
    for (const published of [
      [],
      [secret],
      [{ ...weak, kid: "key-1" }],
      [keys.own.jwk, keys.stranger.jwk],
      ["a"],
      [null],
    ]) {
      const { provider, come } = start();
      provider.keys = published;
      expect(await come(), JSON.stringify(published)).toBeInstanceOf(SignInFailure);
      expect(await come(({ header }) => (header["alg"] = "HS256"))).toBeInstanceOf(SignInFailure);
    }
    const { come } = start();
    expect(await come()).toEqual(ANNA);
  });

  it("that takes the secret in one way alone, and says it takes both, is shown it in that way", async () => {
    const { provider, come } = start();
    const refused = Response.json(
      { error: "invalid_client" },
      { status: 401, headers: { "www-authenticate": "Basic" } },
    );
    provider.answer = (path) => {
      const inBody = provider.asked.at(-1)?.body?.has("client_secret") === true;
      return path === "/token" && inBody ? refused.clone() : undefined;
    };
    expect([await come(), await come()]).toEqual([ANNA, ANNA]);
    expect(provider.asked.filter(({ path }) => path === "/token")).toHaveLength(3);
  });
});

it.each([
  ["login.example.com", /begins with https/],
  ["http://login.example.com", /begin with https/],
  ["http://127.0.0.1.example.com", /begin with https/],
  ["https://login.example.com?a=b", /without \?/],
  ["https://anna:secret@login.example.com", /without a name and password/],
  ["", /no address/],
])("%s is no issuer, and it is said what one is", (issuer, words) => {
  expect(() => companySignIn({ issuer, clientId: CLIENT_ID })).toThrow(words);
});

/** Bytes that do not end. */
function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(32)) });
}
