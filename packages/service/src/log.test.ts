import { describe, expect, it } from "vitest";
import { createLog, redact } from "./log.ts";
import { inProcess } from "./service.harness.ts";

describe("the log", () => {
  it("T30 cuts keys and tokens out of whatever it is given", () => {
    for (const secret of ["tl_TESTsecret123", "sk-abcdef123456", "xoxb-1-2-abc", "xapp-1-A2-x", "xoxe-1-abc"]) {
      expect(redact(`before ${secret} after`)).toBe("before *** after");
      expect(redact(JSON.stringify({ authorization: `Bearer ${secret}` }))).not.toContain(secret);
    }
    expect(redact("Authorization: Bearer abc.def")).not.toContain("abc.def");
    expect(redact('api_key="letmein"')).not.toContain("letmein");
    expect(redact("an ordinary line, status=200")).toBe("an ordinary line, status=200");
  });

  it("T30 tells of an error its kind and place, and its message only at debug", () => {
    const lines: string[] = [];
    const error = new TypeError("the canary text");
    createLog("info", (line) => lines.push(line)).warn("failed", { cause: error });
    expect(lines[0]).toMatch(/^failed cause=TypeError \| at /);
    expect(lines[0]).not.toContain("canary");
    createLog("debug", (line) => lines.push(line)).warn("failed", { cause: error });
    expect(lines[1]).toContain("the canary text");
  });

  it("writes nothing below its level", () => {
    const lines: string[] = [];
    const log = createLog("warn", (line) => lines.push(line));
    log.debug("a");
    log.info("b");
    log.warn("c");
    createLog("silent", (line) => lines.push(line)).warn("d");
    expect(lines).toEqual(["c"]);
  });

  it("T30 writes neither keys nor texts while documents are sent, refused, listed and deleted", async () => {
    const lines: string[] = [];
    const api = await inProcess.open({ logLevel: "info", log: (line) => lines.push(line) });
    const canary = "canary-4711";
    const document = { id: canary, semantic_identifier: canary, sections: [{ text: canary }], metadata: { a: canary } };
    await api.call("POST", "/service-api/ingestion", { document });
    await api.call("POST", "/service-api/ingestion", { document: { ...document, metadata: { a: [canary, 1] } } });
    await api.call("POST", "/service-api/ingestion", `{"${canary}"`);
    await api.call("GET", `/nowhere/${canary}?q=${canary}`, undefined, { authorization: "Bearer tl_TESTwrongkey" });
    await api.call("DELETE", `/service-api/ingestion/${canary}`);
    await api.service.drain();
    await api.close();
    expect(lines.length).toBeGreaterThanOrEqual(5);
    for (const line of lines) expect(line).not.toMatch(/canary|tl_TEST/);
  });
});
