import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFolder } from "@threadlore/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bytesOfBody, guardBody, jsonOfBody } from "./body.ts";
import { inProcess, type OpenService, temporaryFolder } from "../service.harness.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("jsonOfBody", () => {
  it("counts nesting outside strings only, and allows 64 levels", () => {
    expect(jsonOfBody(bytes(`${"[".repeat(64)}${"]".repeat(64)}`))).toBeInstanceOf(Array);
    expect(() => jsonOfBody(bytes(`${"[".repeat(65)}${"]".repeat(65)}`))).toThrow("422");
    expect(jsonOfBody(bytes(JSON.stringify('[\\"{'.repeat(1_000))))).toBe('[\\"{'.repeat(1_000));
    expect(jsonOfBody(bytes(`[${"[],".repeat(1_000)}1]`))).toHaveLength(1_001);
    // A quote ends a string unless the backslash before it is one that counts.
    const quoted = [String.raw`"\\"`, String.raw`"\""`, String.raw`"\\\""`, '""'];
    for (const text of quoted) {
      expect(jsonOfBody(bytes(`[${text},${"[".repeat(63)}${"]".repeat(63)}]`))).toHaveLength(2);
      expect(() => jsonOfBody(bytes(`[${text},${"[".repeat(64)}${"]".repeat(64)}]`))).toThrow("422");
    }
  });

  it("takes the last of two equal keys, and leaves every object's own prototype alone", () => {
    expect(jsonOfBody(bytes('{"a":1,"a":2}'))).toEqual({ a: 2 });
    jsonOfBody(bytes('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("a body that says how long it is", () => {
  it("is held to the limit by what it has, and is nothing without a body", async () => {
    const request = (body: string | null, length: number): Request =>
      new Request("http://127.0.0.1/", {
        method: "POST",
        headers: { "content-type": "application/json", "content-length": String(length) },
        body,
      });
    const bytesWithin = async (limit: number, sent: Request) => {
      guardBody(sent, "application/json", limit);
      return bytesOfBody(sent);
    };
    expect(await bytesWithin(10, request("[1,2,3]", 7))).toEqual(bytes("[1,2,3]"));
    expect(await bytesWithin(2_000_000, request(" ".repeat(1_500_000), 1_500_000))).toHaveLength(1_500_000);
    await expect(bytesWithin(10, request("a".repeat(11), 5))).rejects.toMatchObject({ status: 413 });
    await expect(bytesWithin(10, request("a".repeat(11), 11))).rejects.toMatchObject({ status: 413 });
    expect(await bytesWithin(10, request(null, 5))).toHaveLength(0);
  });
});

const archive = sharedFolder("vectors/JSONTestSuite-test_parsing.tar.gz");

describe.runIf(archive)("T26 318 JSON texts by others", () => {
  const folder = temporaryFolder();
  let api: OpenService;
  beforeAll(async () => {
    mkdirSync(join(folder.path, "json"));
    execFileSync("tar", ["-xzf", archive ?? "", "-C", join(folder.path, "json")]);
    api = await inProcess.open();
  });
  afterAll(async () => {
    await api.close();
    folder.remove();
  });

  it("accepts what is JSON, refuses what is not, and answers none with a 500", async () => {
    const files = readdirSync(join(folder.path, "json"), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.name.endsWith(".json"),
    );
    expect(files.length).toBeGreaterThan(300);
    const wrong: string[] = [];
    for (const file of files) {
      const text = readFileSync(join(file.parentPath, file.name));
      const sent = await api.call("POST", "/service-api/ingestion", new Uint8Array(text));
      if (sent.status !== 422) wrong.push(`${file.name}: ${sent.status}`);
      const [problem] = (sent.body as { detail: { type: string }[] }).detail;
      const accepted = problem?.type !== "json_invalid" && text.length > 0;
      if (file.name.startsWith("y_") && !accepted) wrong.push(`${file.name} was refused`);
      if (file.name.startsWith("n_") && accepted && text.toString().trim() !== "")
        wrong.push(`${file.name} was accepted`);
    }
    expect(wrong).toEqual([]);
  });
});
