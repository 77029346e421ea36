import { AsyncLocalStorage } from "node:async_hooks";
import { Collector, type CollectorTimes } from "./collector.ts";
import { readTracingSettings, type Sampling } from "./settings.ts";
import type { EndedSpan, SpanFacts, SpanKind } from "./span.ts";
import { parseTraceparent, placeBelow, type TraceContext, traceparentOf } from "./trace-context.ts";

/** How something that is done is told. */
export interface SpanOptions {
  /** Default: internal. */
  readonly kind?: SpanKind;
  readonly facts?: SpanFacts;
  /** The `traceparent` it came with. Absent: it belongs to what is being done here. */
  readonly traceparent?: string | null | undefined;
  /**
   * It is not known yet who sent `traceparent`: whether the trace is kept is decided here, until `follow`. Whoever likes could
   * fill a collector otherwise, or keep out of it. Default false.
   */
  readonly isFromAnybody?: boolean;
}

/** What is being done. */
export interface Span {
  /** Adds what is known by now. Never a text, a title, an address or a person. */
  tell(facts: SpanFacts): void;
  /** It did not come off, though nothing was thrown; a word of a small fixed set. */
  fail(why: string): void;
}

/** Sends a request. */
type Fetch = (request: Request) => Promise<Response>;

/** Traces what a program does: what goes along with its calls, and, where a collector is configured, spans of what it did. */
export interface Tracing {
  /** Does some work as a span below the one it is called in. What the work throws is thrown on, and only its kind is told. */
  run<Result>(name: string, options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result>;
  /** Begins a span that ends when it is told to: for what goes on after a function has returned. */
  begin(name: string, options?: SpanOptions): OpenSpan;
  /** A fetch whose calls say which span they were made in. A `traceparent` of the call's own stays. */
  wrap(fetch: Fetch): Fetch;
  /** Id of the trace that is being worked for, for logs; undefined outside of any. */
  traceId(): string | undefined;
  /** Whether spans are sent anywhere. */
  readonly isSent: boolean;
  /** Sends what is left. @param patienceMs how long that may take. Default: as long as one sending may */
  close(patienceMs?: number): Promise<void>;
}

/** A span until it ends. */
export interface OpenSpan extends Span {
  /** Of its trace, for logs; undefined where nothing is traced. */
  readonly traceId: string | undefined;
  /** Whoever sent the `traceparent` is known: what they decided counts from here on. */
  follow(): void;
  /** Calls a function so that what it does belongs to this span. */
  within<Result>(work: () => Result): Result;
  /** Hands on what is iterated so that all of it is done within this span, whoever reads it, and ends the span with it. */
  through<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined>;
  /** Ends it, once. */
  end(): void;
}

/** What tracing is made of. */
export interface TracingOptions {
  /** What the program is called where `OTEL_SERVICE_NAME` says nothing. */
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How the collector is reached. Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
  /** Told what is wrong with a setting, and when the collector begins and ceases to fail. */
  readonly onProblem?: (message: string) => void;
  readonly times?: CollectorTimes;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/**
 * Opens tracing. Ids go along with calls in any case, so that logs of several programs can be laid beside each other; spans
 * are kept and sent only where a collector is configured.
 */
export function openTracing(options: TracingOptions): Tracing {
  const { onProblem = () => {}, now = () => performance.timeOrigin + performance.now() } = options;
  const { collector: settings, sampling, problems } = readTracingSettings(options.env, options.name);
  for (const problem of problems) onProblem(problem);
  const collector =
    settings && new Collector(settings, { fetch: options.fetch ?? globalThis.fetch, times: options.times, onProblem });
  const current = new AsyncLocalStorage<TraceContext>();

  const begin = (name: string, given: SpanOptions = {}): OpenSpan => {
    const { kind = "internal", facts = {}, traceparent, isFromAnybody = false } = given;
    const parent = parseTraceparent(traceparent) ?? current.getStore();
    const place = placeBelow(parent, false);
    const asTold = isKept(sampling, parent, place.traceId);
    // An id can be chosen so that it is kept, so one of our own decides.
    const isSampled = isFromAnybody ? isKept(sampling, undefined, placeBelow(undefined, false).traceId) : asTold;
    const context = { ...place, isSampled };
    const begun = now();
    let told = facts;
    let failure: string | undefined;
    let isOver = false;
    const span: OpenSpan = {
      traceId: context.traceId,
      tell: (more) => (told = { ...told, ...more }),
      fail: (why) => (failure = why),
      follow: () => (context.isSampled = asTold),
      within: (work) => current.run(context, work),
      through: (items) => through(span, items),
      end: () => {
        if (isOver) return;
        isOver = true;
        if (collector === undefined || !context.isSampled) return;
        const ended = { ...context, parentSpanId: parent?.spanId, name, kind, begun, ended: now() };
        collector.add({ ...ended, facts: told, failure } satisfies EndedSpan);
      },
    };
    return span;
  };

  return {
    begin,
    async run(name, given, work) {
      const span = begin(name, given);
      try {
        return await span.within(() => work(span));
      } catch (error) {
        span.fail(kindOf(error));
        throw error;
      } finally {
        span.end();
      }
    },
    wrap: (fetch) => (request) => {
      const context = current.getStore();
      if (context !== undefined && !request.headers.has("traceparent")) {
        request.headers.set("traceparent", traceparentOf(context));
      }
      return fetch(request);
    },
    traceId: () => current.getStore()?.traceId,
    isSent: collector !== undefined,
    close: async (patienceMs) => collector?.close(patienceMs),
  };
}

/** The same for every span of a trace, in every program: it is decided by the trace's id where nobody decided before. */
function isKept({ ratio, followsParent }: Sampling, parent: TraceContext | undefined, traceId: string): boolean {
  if (parent !== undefined && followsParent) return parent.isSampled;
  return Number.parseInt(traceId.slice(-14), 16) < ratio * 2 ** 56;
}

/** The body of a generator is run in the place of whoever reads it, and not in that of whoever made it. */
async function* through<Item>(span: OpenSpan, items: AsyncIterable<Item>): AsyncGenerator<Item, void, undefined> {
  const iterator = span.within(() => items[Symbol.asyncIterator]());
  let isRead = false;
  try {
    for (;;) {
      const next = await span.within(() => iterator.next());
      isRead = next.done === true;
      if (isRead) return;
      yield next.value;
    }
  } catch (error) {
    isRead = true;
    span.fail(kindOf(error));
    throw error;
  } finally {
    if (!isRead) await span.within(() => iterator.return?.());
    span.end();
  }
}

function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : "error";
}

/** Tracing of nothing: what is traced is only done. */
export const NO_TRACING: Tracing = {
  run: (_name, _options, work) => work(SILENT),
  begin: () => ({
    ...SILENT,
    traceId: undefined,
    follow: () => {},
    within: (work) => work(),
    through: async function* (items) {
      yield* items;
    },
    end: () => {},
  }),
  wrap: (fetch) => fetch,
  traceId: () => undefined,
  isSent: false,
  close: async () => {},
};

const SILENT: Span = { tell: () => {}, fail: () => {} };
