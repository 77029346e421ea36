// Run by browser.test.ts in a page and, the same file, in a service worker: makes the calls its address names and
// leaves a report. A page leaves it in its <output>; a worker posts it to the page that asked.
import {
  AbortedError,
  AuthError,
  ClientError,
  createClient,
  PartialAnswerError,
  UnavailableError,
  WrongBaseUrlError,
  type Client,
} from "./index.ts";

/** What one call came to. */
interface CallReport {
  /** The answer's text as it came. */
  text: string;
  /** The class of what the call threw, told by `instanceof`: a bundler may rename classes. Absent: it threw nothing. */
  failure?: string;
  /** What the error says to a person. */
  message?: string;
}

/** What happened in one place. */
export interface PlaceReport {
  /** What kind of global object the client ran under. */
  scope: string;
  calls: Record<string, CallReport>;
  /** Directives of the content security policy that were violated, one for each report. */
  violations: string[];
  /** What nobody caught. */
  uncaught: string[];
}

const inWorker = "skipWaiting" in globalThis;
const kinds = { AbortedError, AuthError, PartialAnswerError, UnavailableError, WrongBaseUrlError, ClientError };
const violations: string[] = [];
const uncaught: string[] = [];

addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
addEventListener("unhandledrejection", (event) => uncaught.push(String(event.reason)));
addEventListener("error", (event) => uncaught.push(event.message));

/** Makes the calls of `?base=…&calls=a,b`, one after the other; each goes to a base URL of its own. */
async function run(search: string): Promise<PlaceReport> {
  const wanted = new URLSearchParams(search);
  const base = new URL(wanted.get("base") ?? "", location.origin);
  const calls: Record<string, CallReport> = {};
  for (const name of wanted.get("calls")?.split(",") ?? []) {
    const client = createClient({ baseUrl: `${base.href}/${name}`, apiKey: "tl_TEST_canary" });
    calls[name] = await report(name, client);
  }
  // A violation is told in a task of its own, after what caused it.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return { scope: Object.prototype.toString.call(globalThis), calls, violations, uncaught };
}

async function report(name: string, client: Client): Promise<CallReport> {
  const told: CallReport = { text: "" };
  try {
    for await (const piece of pieces(name, client)) told.text += piece;
  } catch (error) {
    told.failure = Object.entries(kinds).find(([, kind]) => error instanceof kind)?.[0] ?? "none of the client's";
    told.message = error instanceof Error ? error.message : String(error);
  }
  return told;
}

async function* pieces(name: string, client: Client): AsyncGenerator<string> {
  if (name === "compile") {
    // What a content security policy forbids, so that its reports are known to arrive.
    Reflect.construct(Function, ["return 1"]);
  } else if (name === "ingest") {
    const { document_id } = await client.ingest({ document: { semantic_identifier: "t", sections: [{ text: "a" }] } });
    yield document_id ?? "";
  } else if (name === "complete") {
    yield (await client.sendMessage({ message: "x" })).answer;
  } else {
    const controller = new AbortController();
    for await (const packet of client.streamMessage({ message: "x" }, { signal: controller.signal })) {
      if (!("obj" in packet) || packet.obj.type !== "message_delta") continue;
      yield String(packet.obj["content"]);
      if (name === "abort") controller.abort();
    }
  }
}

async function askWorker(search: string): Promise<unknown> {
  await navigator.serviceWorker.register("/harness.js");
  const { active } = await navigator.serviceWorker.ready;
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<unknown>((resolve) => {
    port1.addEventListener("message", ({ data }) => resolve(data));
    port1.start();
  });
  active?.postMessage(search, [port2]);
  return answered;
}

if (inWorker) {
  addEventListener("message", (event) => {
    const told = run(event.data).then((outcome) => event.ports[0]?.postMessage(outcome));
    // Without this the browser may end a worker that only waits.
    if ("waitUntil" in event && typeof event.waitUntil === "function") event.waitUntil(told);
  });
} else {
  const told = location.pathname === "/through-worker" ? askWorker(location.search) : run(location.search);
  told
    .catch((error: unknown) => String(error))
    .then((outcome) => document.querySelector("output")?.append(JSON.stringify(outcome)));
}
