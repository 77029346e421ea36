/** Where spans are sent, as the variables say that OpenTelemetry has for it. */
export interface CollectorSettings {
  /** Address that takes traces as OTLP over HTTP. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the spans are of, such as `service.name`. */
  readonly resource: Readonly<Record<string, string>>;
  /** How long one sending may take, milliseconds. */
  readonly timeoutMs: number;
}

/** Whether a trace is kept that nobody up the way decided on, and whether what they decided counts. */
export interface Sampling {
  /** Share of traces, 0 to 1. */
  readonly ratio: number;
  readonly followsParent: boolean;
}

/** What is set, and what of it is wrong, in plain words. */
export interface TracingSettings {
  /** Undefined: nothing is sent to anybody. */
  readonly collector: CollectorSettings | undefined;
  readonly sampling: Sampling;
  readonly problems: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `OTEL_EXPORTER_OTLP_ENDPOINT`, `…_HEADERS`, `…_TIMEOUT` and their twins for traces alone, `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER` with its `_ARG`, `OTEL_TRACES_EXPORTER=none` and `OTEL_SDK_DISABLED`, with the
 * meanings the OpenTelemetry specification gives them. Without an address nothing is sent: its default is not taken.
 * @param serviceName where OTEL_SERVICE_NAME says none
 */
export function readTracingSettings(env: Environment, serviceName: string): TracingSettings {
  const problems: string[] = [];
  const sampling = samplingOf(env, problems);
  const isOff = env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" || env["OTEL_TRACES_EXPORTER"] === "none";
  const url = isOff ? undefined : collectorUrl(env, problems);
  if (url === undefined) return { collector: undefined, sampling, problems };
  if (ofTraces(env, "PROTOCOL") === "grpc") {
    problems.push(
      "Traces are sent as JSON over HTTP, not by gRPC: give the collector's HTTP address (usually port 4318).",
    );
    return { collector: undefined, sampling, problems };
  }
  const attributes = pairsOf(env["OTEL_RESOURCE_ATTRIBUTES"], "OTEL_RESOURCE_ATTRIBUTES", problems);
  const name = env["OTEL_SERVICE_NAME"] || attributes["service.name"] || serviceName;
  return {
    collector: {
      url,
      headers: pairsOf(ofTraces(env, "HEADERS"), "OTEL_EXPORTER_OTLP_HEADERS", problems),
      resource: { ...attributes, "service.name": name },
      timeoutMs: timeoutOf(ofTraces(env, "TIMEOUT"), problems),
    },
    sampling,
    problems,
  };
}

const USUAL_TIMEOUT_MS = 10_000;

function ofTraces(env: Environment, name: string): string | undefined {
  return env[`OTEL_EXPORTER_OTLP_TRACES_${name}`] || env[`OTEL_EXPORTER_OTLP_${name}`] || undefined;
}

function collectorUrl(env: Environment, problems: string[]): string | undefined {
  const own = env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || undefined;
  const base = env["OTEL_EXPORTER_OTLP_ENDPOINT"] || undefined;
  const given = own ?? base;
  if (given === undefined) return undefined;
  const url = URL.parse(given);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const name = own === undefined ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT";
    problems.push(`${name} is no http or https address, so no traces are sent.`);
    return undefined;
  }
  if (own === undefined) url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url.href;
}

function timeoutOf(text: string | undefined, problems: string[]): number {
  if (text === undefined) return USUAL_TIMEOUT_MS;
  if (/^\d{1,7}$/.test(text) && Number(text) > 0) return Number(text);
  problems.push("OTEL_EXPORTER_OTLP_TIMEOUT is no number of milliseconds; 10,000 is taken.");
  return USUAL_TIMEOUT_MS;
}

/** `a=1,b=two%20words`. What is no such pair is said, without its value: it may be a secret. */
function pairsOf(text: string | undefined, name: string, problems: string[]): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const entry of (text ?? "").split(",")) {
    if (entry.trim() === "") continue;
    const at = entry.indexOf("=");
    const key = entry.slice(0, at).trim();
    const value = decoded(entry.slice(at + 1).trim());
    if (at < 1 || key === "" || value === undefined) {
      problems.push(`${name} has an entry that is no NAME=VALUE; it is left out.`);
    } else pairs[key] = value;
  }
  return pairs;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function samplingOf(env: Environment, problems: string[]): Sampling {
  const sampler = env["OTEL_TRACES_SAMPLER"] || "parentbased_always_on";
  const followsParent = sampler.startsWith("parentbased_");
  const kind = sampler.replace(/^parentbased_/, "");
  if (kind === "always_on") return { ratio: 1, followsParent };
  if (kind === "always_off") return { ratio: 0, followsParent };
  const ratio = Number(env["OTEL_TRACES_SAMPLER_ARG"] || "1");
  if (kind === "traceidratio" && ratio >= 0 && ratio <= 1) return { ratio, followsParent };
  problems.push(
    "OTEL_TRACES_SAMPLER is none of always_on, always_off and traceidratio with a share from 0 to 1, with or without parentbased_; every trace is kept.",
  );
  return { ratio: 1, followsParent: true };
}
