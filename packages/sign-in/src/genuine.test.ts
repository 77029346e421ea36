import { afterThisFile, afterThisTest } from "@threadlore/testkit";
import { type IdentityProviderOptions, signInThere, startIdentityProvider } from "@threadlore/testkit/identity";
import { describe, expect, it, vi } from "vitest";
import { companySignIn, type CompanySignInOptions } from "./company-sign-in.ts";

const redirectUri = "http://127.0.0.1:8411/sign-in/callback";
const PEOPLE = {
  anna: { email: "anna@example.com", email_verified: true, name: "Anna Ångström", groups: ["Vertrieb", "営業部"] },
  نور: { email: "nour@example.com", email_verified: false, name: "نور الهدى", realm_access: { roles: ["مدير"] } },
  bare: {},
  many: { groups: Array.from({ length: 10_000 }, (_, index) => `group ${index} of ${"x".repeat(20)}`) },
  more: { groups: Array.from({ length: 10_000 }, (_, index) => `group ${index} of ${"営".repeat(50)}`) },
  wide: { groups: Array.from({ length: 1_000 }, (_, index) => `${index} ${"営".repeat(190)}`) },
};

async function start(provider: Partial<IdentityProviderOptions> = {}, options: Partial<CompanySignInOptions> = {}) {
  const running = await startIdentityProvider({ people: PEOPLE, redirectUris: [redirectUri], ...provider });
  afterThisFile(() => running.close());
  const signIn = companySignIn({
    issuer: running.issuer,
    clientId: "threadlore",
    clientSecret: provider.clientSecret,
    ...options,
  });
  const as = async (login: string) => {
    const { url, pending } = await signIn.begin({ redirectUri });
    return signIn.finish(await signInThere(url, login), pending);
  };
  return { ...running, signIn, as };
}

describe("who signs in at a genuine provider", () => {
  it("is known by what its userinfo endpoint tells, or its token, in any script", async () => {
    const anna = {
      subject: "anna",
      email: "anna@example.com",
      emailVerified: true,
      name: "Anna Ångström",
      groups: ["Vertrieb", "営業部"],
    };
    for (const isToldInToken of [false, true]) {
      const { issuer, as, asked } = await start({ isToldInToken });
      expect(await as("anna")).toEqual({ issuer, ...anna });
      expect(asked.filter((path) => path === "GET /me")).toHaveLength(isToldInToken ? 0 : 1);
    }
  });

  it("may be another than the provider takes the browser for", async () => {
    const { signIn } = await start();
    const promptOf = async (isAnother: boolean) =>
      new URL((await signIn.begin({ redirectUri, isAnother })).url).searchParams.get("prompt");
    expect([await promptOf(false), await promptOf(true)]).toEqual([null, "login"]);
    const { url, pending } = await signIn.begin({ redirectUri, isAnother: true });
    expect(await signIn.finish(await signInThere(url, "bare"), pending)).toMatchObject({ subject: "bare" });
  });

  it("may have nothing told of them, an address that is not verified, and groups that stand deeper", async () => {
    const { issuer, as } = await start({}, { groupsClaim: "realm_access.roles" });
    expect(await as("نور")).toEqual({
      issuer,
      subject: "نور",
      email: "nour@example.com",
      emailVerified: false,
      name: "نور الهدى",
      groups: ["مدير"],
    });
    const nothing = { email: undefined, emailVerified: false, name: undefined, groups: [] };
    expect(await as("bare")).toEqual({ issuer, subject: "bare", ...nothing });
  });
});

describe("who is in many groups at a genuine provider", () => {
  it.each([false, true])(
    "is told so, and has them all up to a thousand; told in the token: %s",
    async (isToldInToken) => {
      const { as } = await start({ isToldInToken });
      const tooMany = { kind: "groups", forPerson: expect.stringContaining("which groups you are in") };
      await expect(as("many")).rejects.toMatchObject({ ...tooMany, reason: expect.stringContaining("10000 groups") });
      await expect(as("more")).rejects.toMatchObject({
        ...tooMany,
        reason: expect.stringContaining("too many groups"),
      });
      expect((await as("wide")).groups).toEqual(PEOPLE.wide.groups);
    },
  );
});

describe("this application at a genuine provider", () => {
  const clientSecret = "s-e_c.r~e/t+ %&=";

  it.each(["client_secret_basic", "client_secret_post"] as const)(
    "shows its secret as it has to: %s",
    async (secretBy) => {
      const { as, asked } = await start({ clientSecret, secretBy });
      expect(await as("anna")).toMatchObject({ subject: "anna" });
      expect(await as("bare")).toMatchObject({ subject: "bare" });
      expect(asked.filter((path) => path === "POST /token")).toHaveLength(2);
    },
  );

  it("is told to its administrator where the secret is wrong", async () => {
    const { as } = await start({ clientSecret }, { clientSecret: "canary" });
    const failure = await as("anna").catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "misconfigured", reason: expect.stringContaining("refused") });
    expect(`${String(failure)}${JSON.stringify(failure)}`).not.toContain("canary");
  });

  it("is given nobody for a code, a state, a verifier or an answer that is not its own", async () => {
    const { signIn } = await start();
    const begun = async () => {
      const { url, pending } = await signIn.begin({ redirectUri });
      return { pending, came: await signInThere(url, "anna") };
    };
    const [mine, another, third] = [await begun(), await begun(), await begun()];
    const kind = (came: string, pending: typeof mine.pending) =>
      signIn.finish(came, pending).then(
        ({ subject }) => subject,
        (error: unknown) => error instanceof Error && "kind" in error && error.kind,
      );
    // Another browser's answer, and another's code in one's own.
    expect(await kind(another.came, mine.pending)).toBe("untrusted");
    const mixed = new URL(mine.came);
    mixed.searchParams.set("code", new URL(another.came).searchParams.get("code") ?? "");
    expect(await kind(mixed.href, mine.pending)).toBe("stale");
    // The same, and the verifier with it: the nonce is another's.
    const borrowed = new URL(third.came);
    borrowed.searchParams.set("state", mine.pending.state);
    expect(await kind(borrowed.href, { ...mine.pending, verifier: third.pending.verifier })).toBe("untrusted");
    const fourth = await begun();
    for (const verifier of ["", "x".repeat(43)]) {
      const again = await begun();
      expect(await kind(again.came, { ...again.pending, verifier })).toMatch(/stale|misconfigured/);
    }
    const named = new URL(fourth.came);
    expect(named.searchParams.has("iss")).toBe(true);
    named.searchParams.set("iss", "https://login.example.org");
    expect(await kind(named.href, fourth.pending)).toBe("untrusted");
    named.searchParams.delete("iss");
    expect(await kind(named.href, fourth.pending)).toBe("untrusted");
    // The control: untouched it holds, once.
    expect(await kind(fourth.came, fourth.pending)).toBe("anna");
    expect(await kind(fourth.came, fourth.pending)).toBe("stale");
    expect(await kind(fourth.came, { ...fourth.pending, begunAt: Date.now() - 601_000 })).toBe("stale");
  });
});

describe("a genuine provider", () => {
  it("that is away at the start is asked again, and one that leaves later says so", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    afterThisTest(() => vi.useRealTimers());
    const { signIn, as, leave, come, asked } = await start();
    await leave();
    const unreachable = { kind: "unreachable", reason: expect.stringContaining("ECONNREFUSED") };
    await expect(signIn.look()).rejects.toMatchObject(unreachable);
    await expect(as("anna")).rejects.toMatchObject(unreachable);
    await come();
    vi.setSystemTime(Date.now() + 2_000);
    expect(await Promise.all(["anna", "bare", "anna"].map(as))).toMatchObject([
      { subject: "anna" },
      { subject: "bare" },
      { subject: "anna" },
    ]);
    expect(asked.filter((path) => path.endsWith("openid-configuration"))).toHaveLength(1);
    const { url, pending } = await signIn.begin({ redirectUri });
    const came = await signInThere(url, "anna");
    await leave();
    await expect(signIn.finish(came, pending)).rejects.toMatchObject({ kind: "unreachable" });
    // Its page is known for as long as it is away, so that the browser says what is the matter.
    vi.setSystemTime(Date.now() + 3_600_000);
    expect((await signIn.begin({ redirectUri })).url).toContain("/auth?");
  });

  it("may change its keys: they are asked for anew, once a minute", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    afterThisTest(() => vi.useRealTimers());
    const { as, rotate, asked } = await start();
    const keysAsked = () => asked.filter((path) => path === "GET /jwks").length;
    expect(await as("anna")).toMatchObject({ subject: "anna" });
    rotate();
    await expect(as("anna")).rejects.toMatchObject({ kind: "untrusted" });
    await expect(as("anna")).rejects.toMatchObject({ kind: "untrusted" });
    expect(keysAsked()).toBe(1);
    vi.setSystemTime(Date.now() + 61_000);
    expect(await as("anna")).toMatchObject({ subject: "anna" });
    expect(await as("anna")).toMatchObject({ subject: "anna" });
    expect(keysAsked()).toBe(2);
  });
});
