import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterThisFile, afterThisTest, createAuthority, temporaryFolder } from "@threadlore/testkit";
import { getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { beforeEach, describe, expect, it } from "vitest";
import { startProxy, startSecureServer } from "./outgoing.harness.ts";
import { readOutgoing } from "./outgoing.ts";
import { lookAtWays } from "./ways.ts";

const authority = createAuthority("Harbour Test Authority");
const folder = temporaryFolder();
const file = join(folder, "authority.pem");
writeFileSync(file, authority.cert);
const [known, usual] = [getCACertificates("default"), getGlobalDispatcher()];
const restore = (): void => {
  setDefaultCACertificates(known);
  setGlobalDispatcher(usual);
};
beforeEach(() => afterThisTest(restore));
afterThisFile(restore);

const look = (env: Record<string, string>, url = "https://knowledge.test/api") =>
  lookAtWays([{ name: "the server", url }], readOutgoing(env, folder), { timeoutMs: 300 });

describe("the way to a server", () => {
  it("by a proxy is told with whose certificate stands behind it", async () => {
    const server = await startSecureServer(authority.issue("knowledge.test"));
    const proxy = await startProxy({ routes: { "knowledge.test:443": server.port } });
    const by = `knowledge.test is called by the proxy 127.0.0.1:${proxy.port} (HTTPS_PROXY)`;
    expect(await look({ HTTPS_PROXY: proxy.url })).toEqual([
      {
        what: "way to the server",
        ok: false,
        evidence: `${by}; its certificate is of “Harbour Test Authority”, which nothing on this machine trusts (UNABLE_TO_VERIFY_LEAF_SIGNATURE).`,
        fix: expect.stringContaining("name the file of its certificate (PEM) in THREADLORE_CA_FILE"),
      },
    ]);
    expect(await look({ HTTPS_PROXY: proxy.url, THREADLORE_CA_FILE: "authority.pem" })).toEqual([
      {
        what: "way to the server",
        ok: true,
        evidence: `${by}; its certificate is of “Harbour Test Authority”, which is trusted here.`,
        fix: "",
      },
    ]);
    // Only hands were shaken.
    expect(server.asked).toEqual([]);
  });

  it("is told to lead to somebody else where the certificate is for another name", async () => {
    const server = await startSecureServer(authority.issue("other.test"));
    const proxy = await startProxy({ routes: { "knowledge.test:443": server.port } });
    expect(await look({ HTTPS_PROXY: proxy.url, THREADLORE_CA_FILE: file })).toMatchObject([
      { ok: false, evidence: expect.stringContaining("is for another name") },
    ]);
  });

  it("is told as closed where the proxy does not let through", async () => {
    const proxy = await startProxy({ routes: {}, refuse: 407 });
    const [finding] = await look({ HTTPS_PROXY: proxy.url.replace("://", "://anna:canary@") });
    expect(finding).toMatchObject({
      ok: false,
      evidence: expect.stringMatching(/^The proxy .* does not take the name and the password/),
    });
    expect(JSON.stringify(finding)).not.toContain("canary");
  });

  it("without a proxy is told for a certificate that is not trusted alone", async () => {
    const server = await startSecureServer(authority.issue("127.0.0.1"));
    const address = `https://127.0.0.1:${server.port}/`;
    expect(await look({ HTTPS_PROXY: "http://p.test" }, address)).toMatchObject([
      {
        ok: false,
        evidence: expect.stringContaining(
          "is called directly (this machine); its certificate is of “Harbour Test Authority”",
        ),
      },
    ]);
    expect(await look({ THREADLORE_CA_FILE: file }, address)).toEqual([]);
    expect(await look({}, "http://127.0.0.1:9/")).toEqual([]);
    expect(await look({}, "https://127.0.0.1:9/")).toEqual([]);
  });
});

describe("the file of certificates", () => {
  it.each([
    ["nowhere.pem", /^THREADLORE_CA_FILE: .*nowhere\.pem cannot be read \(ENOENT\)/],
    ["empty.pem", /holds no certificate: it has to be PEM/],
    ["broken.pem", /certificate 2 in .* is damaged/],
  ])("%s is told to be unusable", (name, words) => {
    writeFileSync(join(folder, "empty.pem"), "nothing");
    writeFileSync(
      join(folder, "broken.pem"),
      `${authority.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`,
    );
    expect(readOutgoing({ THREADLORE_CA_FILE: name }, folder).problems).toEqual([expect.stringMatching(words)]);
  });
});
