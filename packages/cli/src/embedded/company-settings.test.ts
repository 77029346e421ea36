import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterThisTest } from "@threadlore/testkit";
import { startIdentityProvider } from "@threadlore/testkit/identity";
import { describe, expect, it } from "vitest";
import { runHere } from "../testing/in-process.ts";
import { newHome } from "../testing/spawn-cli.ts";

const ISSUER = { THREADLORE_OIDC_ISSUER: "https://login.example.com", THREADLORE_OIDC_CLIENT_ID: "threadlore" };

/** What a command says of the settings, before anything starts. */
async function said(command: string[], env: Record<string, string>, folder = newHome().folder) {
  const { code, stdout, stderr } = await runHere(command, { home: folder, env });
  return { code, text: `${stdout}${stderr}`.replace(/\s+/g, " ") };
}

describe("the company's identity provider", () => {
  it.each([
    [{ THREADLORE_OIDC_CLIENT_ID: "a" }, "set THREADLORE_OIDC_ISSUER as well"],
    [{ THREADLORE_OIDC_ISSUER: "https://login.example.com" }, "set THREADLORE_OIDC_CLIENT_ID to the name"],
    [{ ...ISSUER, THREADLORE_OIDC_ISSUER: "http://login.example.com" }, "has to begin with https://"],
    [{ ...ISSUER, THREADLORE_OIDC_ISSUER: "https://accounts.google.com" }, "name the domains"],
    [{ ...ISSUER, THREADLORE_OIDC_DOMAINS: "example" }, "example is no domain"],
    [{ ...ISSUER, THREADLORE_OIDC_CLIENT_SECRET_FILE: "nowhere" }, "cannot be read (ENOENT)"],
    [
      { ...ISSUER, THREADLORE_OIDC_CLIENT_SECRET: "canary", THREADLORE_OIDC_CLIENT_SECRET_FILE: "a" },
      "are both set: keep one",
    ],
  ])("%j: serve does not start and says %j", async (env, words) => {
    const { code, text } = await said(["serve", "--port", "0"], env);
    expect([code, text]).toEqual([2, expect.stringContaining(words)]);
    expect(text).not.toContain("canary");
  });

  it("is told by serve what it has to know", async () => {
    const stop = new AbortController();
    const env = { ...ISSUER, THREADLORE_OIDC_NAME: "Harbour & Söhne" };
    const { folder } = newHome();
    const { code, stderr } = await runHere(["serve", "--port", "0", "--data", folder], {
      home: folder,
      env,
      interrupted: stop.signal,
      onOutput: () => stop.abort(),
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /Sign-in: with Harbour & Söhne, which has to know http:\/\/127.0.0.1:\d+\/sign-in\/callback as the redirect URI/,
    );
  });

  it("has its secret in a file that nobody else reads", async () => {
    const { folder } = newHome();
    const file = join(folder, "secret");
    writeFileSync(file, "canary\n");
    chmodSync(file, 0o644);
    const env = { ...ISSUER, THREADLORE_OIDC_CLIENT_SECRET_FILE: "secret" };
    expect(await said(["serve", "--port", "0"], env, folder)).toMatchObject({
      code: 2,
      text: expect.stringContaining(`chmod 600 ${file}`),
    });
    chmodSync(file, 0o600);
    writeFileSync(file, " \n");
    expect(await said(["serve", "--port", "0"], env, folder)).toMatchObject({
      code: 2,
      text: expect.stringContaining("is empty"),
    });
  });

  it("is looked at by the doctor: whether it answers, and is who it should be", async () => {
    const provider = await startIdentityProvider({ people: {}, redirectUris: ["http://127.0.0.1:8411/a"] });
    afterThisTest(() => provider.close());
    const env = { ...ISSUER, THREADLORE_OIDC_ISSUER: provider.issuer };
    const doctor = ["doctor", "--url", provider.issuer];
    expect((await said(doctor, env)).text).toContain(
      `identity provider: ${provider.issuer} answers, and is who it should be.`,
    );
    const { port } = new URL(provider.issuer);
    const other = await said(doctor, { ...env, THREADLORE_OIDC_ISSUER: `http://localhost:${port}` });
    expect(other.text).toContain(`the issuer calls itself ${provider.issuer}/: name that one`);
    await provider.leave();
    expect((await said(doctor, env)).text).toContain(`at 127.0.0.1:${port}: ECONNREFUSED`);
    expect((await said(doctor, {})).text).not.toContain("identity provider");
  });
});
