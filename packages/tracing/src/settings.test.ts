import { describe, expect, it } from "vitest";
import { readTracingSettings } from "./settings.ts";

const at = "http://collector.example:4318";

describe("the settings of tracing", () => {
  it("send nothing where no collector is named, or where it is switched off", () => {
    expect(readTracingSettings({}, "threadlore-bot")).toEqual({
      collector: undefined,
      sampling: { ratio: 1, followsParent: true },
      problems: [],
    });
    for (const off of [{ OTEL_SDK_DISABLED: "true" }, { OTEL_TRACES_EXPORTER: "none" }]) {
      expect(readTracingSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: at, ...off }, "x").collector).toBeUndefined();
    }
  });

  it("are OpenTelemetry's own", () => {
    const { collector, problems } = readTracingSettings(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${at}/otel/`,
        OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Bearer%20abc, x-tenant=harbour",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=pr%C3%BCfung",
        OTEL_EXPORTER_OTLP_TIMEOUT: "2000",
      },
      "threadlore-bot",
    );
    expect(problems).toEqual([]);
    expect(collector).toEqual({
      url: `${at}/otel/v1/traces`,
      headers: { Authorization: "Bearer abc", "x-tenant": "harbour" },
      resource: { "deployment.environment.name": "prüfung", "service.name": "threadlore-bot" },
      timeoutMs: 2_000,
    });
    const own = {
      OTEL_EXPORTER_OTLP_ENDPOINT: at,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${at}/my`,
      OTEL_SERVICE_NAME: "a",
    };
    expect(readTracingSettings(own, "x").collector).toMatchObject({
      url: `${at}/my`,
      resource: { "service.name": "a" },
    });
  });

  it.each([
    [{ OTEL_TRACES_SAMPLER: "always_off" }, { ratio: 0, followsParent: false }],
    [
      { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" },
      { ratio: 0.1, followsParent: true },
    ],
    [{ OTEL_TRACES_SAMPLER: "traceidratio" }, { ratio: 1, followsParent: false }],
  ])("say which traces are kept: %j", (env, sampling) => {
    expect(readTracingSettings(env, "x")).toMatchObject({ sampling, problems: [] });
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" }, /no http or https address/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /not by gRPC/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_EXPORTER_OTLP_HEADERS: "s3cret" }, /an entry that is no NAME=VALUE/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_EXPORTER_OTLP_HEADERS: "a=%E0%A4%A" }, /an entry that is no NAME=VALUE/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: at, OTEL_EXPORTER_OTLP_TIMEOUT: "soon" }, /no number of milliseconds/],
    [{ OTEL_TRACES_SAMPLER: "jaeger_remote" }, /every trace is kept/],
    [{ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" }, /every trace is kept/],
  ])("that are wrong are said in words, without their values: %j", (env, words) => {
    const { problems } = readTracingSettings(env, "x");
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(words);
    expect(problems[0]).not.toContain("s3cret");
  });
});
