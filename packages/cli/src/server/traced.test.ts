import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterThisTest, startTraceCollector } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { startEmbedded } from "../testing/embedded-service.ts";
import { newHome, runCli } from "../testing/spawn-cli.ts";

describe("a command, traced", { timeout: 120_000 }, () => {
  it("is one trace with what the service did for it, as two programs tell one collector, and without a text", async () => {
    const collector = await startTraceCollector();
    afterThisTest(() => collector.close());
    const home = newHome();
    const traced = { ...home, env: { ...home.env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } };
    const service = await startEmbedded(traced);
    afterThisTest(() => service.stop());
    writeFileSync(join(home.folder, "canary.md"), "# Canary\n\nThe canary sings at nine.\n");
    expect((await runCli(["ingest", "--pair", "1", "canary.md"], { home: traced })).code).toBe(0);
    const asked = await runCli(["ask", "When does the canary sing?"], { home: traced });
    expect(asked.stdout).toContain("at nine");
    // The service sends what it has when it stops.
    await service.stop();
    const spans = collector.spans();
    const command = spans.find(({ name }) => name === "threadlore ask");
    const request = spans.find(({ name }) => name === "POST /chat/send-chat-message");
    expect(request).toMatchObject({ traceId: command?.traceId, parentSpanId: command?.spanId });
    expect(spans.filter(({ name }) => name === "threadlore ingest")).toHaveLength(1);
    const bodies = collector.requests.map(({ body }) => body);
    for (const name of ["threadlore", "threadlore-service"]) {
      expect(bodies.some((body) => body.includes(`{"key":"service.name","value":{"stringValue":"${name}"}}`))).toBe(
        true,
      );
    }
    expect(bodies.join("\n")).not.toMatch(/canary|sings/i);
  });

  it("ends as it would where the collector is not there", async () => {
    const home = newHome();
    const env = { ...home.env, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
    const { code, stderr } = await runCli(["completion", "bash"], { home: { ...home, env } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("Error") });
  });
});
