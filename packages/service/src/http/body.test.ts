import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sharedFolder } from "@threadlore/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonOfBody } from "./body.ts";
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
