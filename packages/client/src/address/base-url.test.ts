import { describe, expect, it } from "vitest";
import { baseUrlCandidates, isLoopback, normalizeBaseUrl } from "./base-url.ts";
import { InvalidRequestError } from "../errors/errors.ts";

describe("base URL", () => {
  it.each([
    ["https://host.example", "https://host.example"],
    ["https://host.example/", "https://host.example"],
    ["https://host.example/api///", "https://host.example/api"],
    ["  https://HOST.example:443/some/prefix/ ", "https://host.example/some/prefix"],
    ["http://127.0.0.1:8080/api", "http://127.0.0.1:8080/api"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://[::1]:8080/", "http://[::1]:8080"],
  ])("keeps what was given and drops trailing slashes: %s", (given, expected) => {
    expect(normalizeBaseUrl(given)).toBe(expected);
  });

  it.each([
    ["host.example", "https://"],
    ["ftp://host.example", "https://"],
    ["javascript:alert(1)", "https://"],
    ["https://user:secret@host.example", "password"],
    ["https://host.example/?x=1", "?"],
    ["https://host.example/#top", "#"],
    ["http://host.example", "http://"],
    ["http://127.0.0.1.host.example", "http://"],
    ["http://localhost.host.example", "http://"],
  ])("refuses %s and says what to change", (given, hint) => {
    expect(() => normalizeBaseUrl(given)).toThrow(InvalidRequestError);
    expect(() => normalizeBaseUrl(given)).toThrow(hint);
  });

  it("never repeats a password in its message", () => {
    expect(() => normalizeBaseUrl("https://user:canary-secret@host.example")).toThrow(/^(?!.*canary-secret)/);
  });

  it("takes plain HTTP to another machine where that is allowed", () => {
    expect(normalizeBaseUrl("http://10.0.0.5:8080", { allowPlainHttp: true })).toBe("http://10.0.0.5:8080");
  });

  it("tries /api first, and without it for one that ends with it", () => {
    expect(baseUrlCandidates("https://host.example/")).toEqual(["https://host.example", "https://host.example/api"]);
    expect(baseUrlCandidates("https://host.example/x/api")).toEqual([
      "https://host.example/x/api",
      "https://host.example/x",
    ]);
  });

  it("knows this machine by its names only", () => {
    expect(["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "[::1]"].every(isLoopback)).toBe(true);
    expect(["0.0.0.0", "10.0.0.1", "127.0.0.1.example", "localhost.example", "[::2]"].some(isLoopback)).toBe(false);
  });
});
