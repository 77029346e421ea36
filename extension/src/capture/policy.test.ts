import { describe, expect, it } from "vitest";
import { consentReasons } from "../keep/consent.ts";
import { patternOf } from "../settings/permissions.ts";
import { isDenied, leaveReason } from "./policy.ts";

describe("pages left alone", () => {
  it.each([
    ["chrome://settings", "browser-page"],
    ["about:blank", "browser-page"],
    ["view-source:https://example.com", "browser-page"],
    ["https://chromewebstore.google.com/detail/x", "browser-page"],
    ["https://addons.mozilla.org/de/firefox/", "browser-page"],
    ["chrome-extension://abc/options.html", "extension-page"],
    ["https://online.bank.example/accounts", "denied"],
    ["https://wiki.internal/", "denied"],
  ])("%s: %s", (url, why) => {
    expect(leaveReason(url, ["bank.example", "*.internal"])).toBe(why);
  });

  it.each(["https://example.com/", "http://intranet/", "file:///tmp/x.html", undefined])("%s may be read", (url) => {
    expect(leaveReason(url, ["bank.example"])).toBeUndefined();
  });

  it("means a host and what is below it, and never a host that only ends alike", () => {
    expect(isDenied("bank.example", [" Bank.Example. "])).toBe(true);
    expect(isDenied("notbank.example", ["bank.example"])).toBe(false);
    expect(isDenied("internal", ["*.internal"])).toBe(false);
    expect(isDenied("a.internal", ["*.internal", ""])).toBe(true);
    expect(isDenied("example.com", [""])).toBe(false);
  });

  it.each([
    ["https://bank.example./accounts", "bank.example"],
    ["https://wiki.internal./", "*.internal"],
    ["https://bank.example:8443/", "bank.example"],
    ["https://bank.example/", "bank.example:8443"],
    ["https://bank.example/", "https://bank.example/accounts"],
    ["https://wiki.internal/", "https://*.internal/*"],
    ["https://b\u00fccher.example/", "b\u00fccher.example"],
    ["https://shop.xn--bcher-kva.example/", "*.B\u00dcCHER.example"],
    ["https://online.bank.example/", ".bank.example"],
    ["http://10.1/", "10.0.0.1"],
  ])("%s is denied by %s, however either is written", (url, rule) => {
    expect(leaveReason(url, [rule])).toBe("denied");
  });
});

describe("consent", () => {
  const kept = { pairId: 7, pairIsPublic: false };
  it("T12 is not asked for an ordinary page and a pair that is not public", () => {
    expect(consentReasons({ privacy: [] }, { incognito: false }, kept)).toEqual([]);
  });

  it("T12 is asked for every sign of a private page, and for whom a pair would show it to", () => {
    const signs = ["password-field", "noindex"] as const;
    expect(consentReasons({ privacy: signs }, { incognito: true }, kept)).toEqual([...signs, "private-window"]);
    const ask = (pairId: number | null, pairIsPublic: boolean | null) =>
      consentReasons({ privacy: [] }, { incognito: false }, { pairId, pairIsPublic });
    expect(ask(null, null)).toEqual(["no-pair"]);
    expect(ask(7, true)).toEqual(["public-pair"]);
    expect(ask(7, null)).toEqual(["unknown-audience"]);
  });
});

describe("access", () => {
  it("is asked for one host, whatever the port, and for nothing that is no web address", () => {
    expect(patternOf("http://127.0.0.1:8411/api")).toBe("http://127.0.0.1/*");
    expect(patternOf("https://user:pass@example.com/a?b#c")).toBe("https://example.com/*");
    expect(patternOf("file:///etc/passwd")).toBeUndefined();
    expect(patternOf("<all_urls>")).toBeUndefined();
  });
});
