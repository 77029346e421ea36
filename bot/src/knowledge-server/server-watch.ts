import { within } from "@threadlore/client/delay";
import {
  AuthError,
  ClientError,
  type ClientOptions,
  PermissionError,
  UnavailableError,
  UnsupportedError,
  WrongBaseUrlError,
} from "@threadlore/client";
import { createDeployment, type Me } from "@threadlore/client/deployment";
import type { ServerFinding } from "@threadlore/client/diagnose";
import type { Config } from "../settings/config.ts";
import { secretsOf } from "../settings/secrets.ts";
import { keyFindings, type NamedKey, namedKeys, refusalIn, serverFinding, type Told } from "./server-findings.ts";
import { Repeated, singleFlight } from "../time.ts";
import type { Address } from "./servers.ts";

/** What is known of the knowledge server. Holds no secret. */
export interface ServerCondition {
  /** False: something needs the attention of whoever runs the bot. `unknown`: nobody has looked yet. */
  readonly ok: boolean | "unknown";
  readonly findings: readonly ServerFinding[];
  /** When it was last looked at, milliseconds since 1970. */
  readonly lookedAt?: number;
}

/** Whatever came to be wrong, or well again, since the look before. */
export interface FindingsChange {
  readonly worse: readonly ServerFinding[];
  readonly better: readonly ServerFinding[];
}

/** Looks at the server from time to time, and before a question. */
export type ServerWatch = ReturnType<typeof watchServer>;

/** What a watch needs. */
export interface ServerWatchOptions {
  readonly config: Config;
  readonly address: Address;
  readonly fetch?: ClientOptions["fetch"];
  readonly now: () => number;
  /** Hears of every change, after the look that found it. */
  readonly onChange: (change: FindingsChange) => void;
  /** Times; each has a default. */
  readonly times?: ServerWatchTimes;
}

/** Milliseconds. */
export interface ServerWatchTimes {
  /** Between two looks. Default 30,000: what changed is known within a minute. */
  readonly everyMs?: number;
  /** So long what was told of a key counts before a question. Default 10,000. */
  readonly freshMs?: number;
  /** Longest wait of a question for what the server says of its key. Default 3,000. */
  readonly admitMs?: number;
}

/** How long one look at a key may take, milliseconds. */
const PATIENCE_MS = 10_000;

/** Makes a watch; nothing is asked before `start` or `admit`. */
export function watchServer(options: ServerWatchOptions) {
  const { config, address, now, onChange } = options;
  const { everyMs = 30_000, freshMs = 10_000, admitMs = 3_000 } = options.times ?? {};
  const ended = new AbortController();
  const secrets = secretsOf(config);
  const keys = namedKeys(config.keys).map((named) => watchKey(named, options, ended.signal));
  let unreachable: ClientError | undefined;
  let current: ServerCondition = { ok: "unknown", findings: [] };
  const look = singleFlight(async (): Promise<void> => {
    unreachable = await address.find();
    if (ended.signal.aborted) return;
    // An address without a health operation may be right all the same: the keys tell.
    const told = await Promise.all(keys.map((key) => key.ask()));
    const errors = told.map((one) => ("error" in one ? one.error : undefined));
    const away = errors.find((error) => error instanceof UnavailableError || error instanceof WrongBaseUrlError);
    unreachable = away && (unreachable ?? away);
    if (away instanceof WrongBaseUrlError) address.lose();
    settle();
  });
  const looks = new Repeated(async () => {
    await look();
    return everyMs;
  });

  function settle(): void {
    if (ended.signal.aborted) return;
    const findings = [serverFinding(address.baseUrl, unreachable), ...keys.flatMap((key) => key.findings())].map(
      (finding) => ({ ...finding, evidence: secrets.without(finding.evidence) }),
    );
    const before = current.findings;
    current = { ok: !findings.some(({ ok }) => ok === false), findings, lookedAt: now() };
    const change = changed(before, findings);
    if (change.worse.length + change.better.length > 0) onChange(change);
  }

  async function tell(key: (typeof keys)[number]): Promise<void> {
    if (!address.isFound) return look();
    const before = key.refusal();
    await key.ask();
    // Nobody should have to wait for the next look.
    if (key.refusal() !== before) settle();
  }

  return {
    /** As of the last look. */
    condition: () => current,
    /** Begins to look at once, and then regularly: where the server is, and whose each key is. */
    start(): void {
      looks.begin(0);
    },
    /** Nothing is looked at any more, and nobody hears of it. */
    stop(): void {
      ended.abort();
      void looks.end();
    },
    /**
     * Lets a key be asked with: rejects with AuthError where the server refuses it, or takes whoever has it for a caller
     * without a key. Asked of the server where that is not known since a few seconds; a server that does not say so in
     * time refuses nothing.
     */
    async admit(apiKey: string): Promise<void> {
      const key = keys.find(({ named }) => named.key === apiKey);
      if (key === undefined) return;
      const isKnown = now() - key.toldAt() < freshMs && key.refusal() === undefined;
      if (!isKnown || !address.isFound) await within(tell(key), admitMs).catch(() => undefined);
      if (key.refusal() === undefined) return;
      const why = key.findings().find(({ ok }) => ok === false);
      throw new AuthError(`The ${key.named.name} is not accepted any more. ${why?.evidence ?? ""} ${why?.fix ?? ""}`);
    },
  };
}

/** One key, and what the server last said of it. A server that does not answer leaves what is known as it is. */
function watchKey(named: NamedKey, { config, address, fetch, now }: ServerWatchOptions, signal: AbortSignal) {
  let told: Told | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  let first: Me | undefined;

  const ask = singleFlight(async (): Promise<Told> => {
    const deployment = createDeployment({
      ...config.server,
      baseUrl: address.baseUrl,
      apiKey: named.key,
      timeouts: { firstByteMs: PATIENCE_MS, totalMs: PATIENCE_MS },
      retries: { retries: 0 },
      fetch,
    });
    try {
      told = { me: await deployment.whoami({ signal }) };
      if (refusalIn(told) === undefined) first ??= told.me;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (![AuthError, PermissionError, UnsupportedError].some((kind) => error instanceof kind)) return { error };
      told = { error };
    }
    toldAt = now();
    return told;
  });

  return {
    named,
    ask,
    toldAt: () => toldAt,
    refusal: () => refusalIn(told),
    findings: () => (told === undefined ? [] : keyFindings(named, told, first)),
  };
}

function changed(before: readonly ServerFinding[], after: readonly ServerFinding[]): FindingsChange {
  const bad = (findings: readonly ServerFinding[]) => findings.filter(({ ok }) => ok === false);
  const isIn = (findings: readonly ServerFinding[], { what, evidence }: ServerFinding) =>
    findings.some((one) => one.what === what && one.evidence === evidence);
  return {
    worse: bad(after).filter((finding) => !isIn(bad(before), finding)),
    better: bad(before).filter(({ what }) => !bad(after).some((one) => one.what === what)),
  };
}
