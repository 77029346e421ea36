import { describe, expect, it } from "vitest";
import { readProxies, wayTo } from "./proxies.ts";

const way = (address: string, env: Record<string, string>) => {
  const found = wayTo(new URL(address), readProxies(env));
  return found.kind === "proxy" ? found.proxy : found;
};
const BOTH = { HTTPS_PROXY: "http://secure.test:3128", HTTP_PROXY: "http://plain.test:3128" };

describe("which proxy an address is called by", () => {
  it("is told by how the address is spoken to", () => {
    expect(way("https://a.test/", BOTH)).toMatchObject({ by: "HTTPS_PROXY", label: "secure.test:3128" });
    expect(way("wss://a.test/", BOTH)).toMatchObject({ by: "HTTPS_PROXY" });
    expect(way("http://a.test/", BOTH)).toMatchObject({ by: "HTTP_PROXY", label: "plain.test:3128" });
    expect(way("ws://a.test/", BOTH)).toMatchObject({ by: "HTTP_PROXY" });
  });

  it("is none where only the other kind has one", () => {
    expect(way("http://a.test/", { HTTPS_PROXY: BOTH.HTTPS_PROXY })).toEqual({
      kind: "direct",
      because: "no proxy is set",
    });
    expect(way("https://a.test/", { HTTP_PROXY: BOTH.HTTP_PROXY })).toEqual({
      kind: "direct",
      because: "no proxy is set",
    });
  });

  it("is told in small letters first, and an empty one tells nothing", () => {
    expect(way("https://a.test/", { ...BOTH, https_proxy: "small.test:8080" })).toMatchObject({
      by: "https_proxy",
      host: "small.test",
      port: 8080,
    });
    expect(way("https://a.test/", { ...BOTH, https_proxy: " " })).toMatchObject({ by: "HTTPS_PROXY" });
    expect(way("https://a.test/", { ...BOTH, NO_PROXY: "b.test", no_proxy: "a.test" })).toEqual({
      kind: "direct",
      because: "NO_PROXY",
    });
  });

  it.each([
    "http://127.0.0.1:8411",
    "http://127.9.9.9",
    "http://localhost:8411",
    "http://a.localhost",
    "http://[::1]:8411",
    "https://localhost",
    "http://localhost.:8411",
    "http://a.localhost.",
    "http://127.0.0.1.:8411",
    "http://[::ffff:127.0.0.1]:8411",
    "http://[::ffff:0.0.0.0]",
    "http://0.0.0.0:8411",
    "http://0:8411",
    "http://[::]:8411",
  ])("is none for %s, which is this machine", (address) => {
    expect(way(address, BOTH)).toEqual({ kind: "direct", because: "this machine" });
  });

  it.each(["http://[::ffff:10.0.0.1]", "http://[::2]", "http://localhost.example.", "http://0.0.0.1"])(
    "is one for %s, which is not",
    (address) => {
      expect(way(address, BOTH)).toMatchObject({ by: "HTTP_PROXY" });
    },
  );

  it("has the port of its scheme where it names none", () => {
    expect(way("https://a.test/", { HTTPS_PROXY: "http://p.test" })).toMatchObject({ port: 80 });
    expect(way("https://a.test/", { HTTPS_PROXY: "https://p.test" })).toMatchObject({ port: 443, protocol: "https:" });
    expect(way("https://a.test/", { HTTPS_PROXY: "http://[2001:db8::1]:3128" })).toMatchObject({
      host: "2001:db8::1",
      label: "[2001:db8::1]:3128",
    });
  });

  it("is given the name and password as they are meant, and shows neither", () => {
    const env = { HTTPS_PROXY: "http://jo%40corp:p%3Aw%20d@p.test:3128" };
    const proxy = way("https://a.test/", env);
    expect(proxy).toMatchObject({
      authorization: `Basic ${Buffer.from("jo@corp:p:w d").toString("base64")}`,
      label: "p.test:3128",
    });
    const { secrets } = readProxies(env);
    expect(secrets).toEqual(["p%3Aw%20d", "p:w d", Buffer.from("jo@corp:p:w d").toString("base64")]);
  });

  it.each([
    ["socks5://user:canary-word@p.test:1080", "HTTPS_PROXY names a proxy of the kind socks5, which is not spoken here"],
    ["http://user:canary-word@:99999", "HTTPS_PROXY is no address of a proxy"],
  ])("says of %s that it leads nowhere, without the password", (text, problem) => {
    const found = way("https://a.test/", { HTTPS_PROXY: text });
    expect(found).toMatchObject({ kind: "unusable", setting: { problem } });
    expect(JSON.stringify(found)).not.toContain("canary-word");
    expect(readProxies({ HTTPS_PROXY: text }).secrets).toContain("canary-word");
  });

  it.each(["12#34-canary", "12/34-canary", "12?34-canary", "12@34-canary", "a:b@c/d-canary", "12\\34-canary"])(
    "says of the password %s how it is written, and shows nothing of it",
    (password) => {
      for (const scheme of ["http://", "", "socks5://"]) {
        const proxies = readProxies({ HTTPS_PROXY: `${scheme}ann:${password}@p.test:3128` });
        expect(proxies.secrets).toContain(password);
        const found = wayTo(new URL("https://a.test/"), proxies);
        expect(found).toMatchObject({ kind: "unusable", setting: { fix: expect.stringContaining("# as %23") } });
        expect(JSON.stringify(found)).not.toMatch(/canary|12/);
      }
    },
  );
});
