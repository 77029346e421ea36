import { describe, expect, it } from "vitest";
import { hasTokens, sameSite, withoutTokens } from "./page-address.ts";

const jsonWebToken = ["eyJhbGciOiJub25lIn0", "eyJzdWIiOiJhZGEifQ", "x"].join(".");

describe("keys in an address", () => {
  it.each([
    ["https://x.example/a?access_token=abc123def4&tab=2", "https://x.example/a?tab=2"],
    ["https://x.example/a?sessionid=88aa77bb66", "https://x.example/a"],
    ["https://x.example/a?X-Amz-Signature=0f0f0f0f0f&file=b.pdf", "https://x.example/a?file=b.pdf"],
    ["https://x.example/a?u=1b4e28ba2fa111d2883f0016d3cca427", "https://x.example/a"],
    [`https://x.example/a?p=${jsonWebToken}`, "https://x.example/a"],
    ["https://x.example/a#id_token=abc123def4&state=xyz9876", "https://x.example/a"],
    ["https://x.example/#/view?token=abc123def4&page=2", "https://x.example/#/view?page=2"],
    ["https://ada:pw@x.example/a", "https://x.example/a"],
    ["https://x.example/app;jsessionid=1A2B3C4D5E.node1/view?tab=2", "https://x.example/app/view?tab=2"],
    ["https://x.example/a;PHPSESSID=88aa77bb66;v=2", "https://x.example/a;v=2"],
    ["https://x.example/a?sid==88aa77bb66&tab=2", "https://x.example/a?tab=2"],
  ])("are taken out of %s", (url, clean) => {
    expect(withoutTokens(url)).toBe(clean);
  });

  it.each([
    "https://x.example/search?q=token+ring&page=3",
    "https://x.example/a?state=open&code=de&key=name",
    "https://x.example/a?title=how-to-water-the-beans-in-a-dry-summer",
    "https://x.example/wiki/A_%26_B?oldid=123456789",
    "https://x.example/a#section-12",
    "https://x.example/#/plots/12",
    "https://x.example/map;zoom=12/row;state=open",
  ])("are not seen in %s", (url) => {
    expect(withoutTokens(url)).toBe(url);
    expect(hasTokens(url)).toBe(false);
  });
});

it("knows a site by its other names, and no other site", () => {
  expect(sameSite("https://www.x.example/a", "http://x.example/b")).toBe(true);
  expect(sameSite("https://en.m.x.example/a", "https://en.x.example/a")).toBe(true);
  expect(sameSite("https://x.example/a", "https://y.example/a")).toBe(false);
  expect(sameSite("https://x.example:8443/a", "https://x.example/a")).toBe(false);
  expect(sameSite("https://google.evil.example/amp/s/x.example/a", "https://x.example/a")).toBe(false);
  expect(sameSite("file:///a", "file:///a")).toBe(false);
});
