import type { Dispatcher } from "undici";
import { readAuthorities, trust } from "./authorities.ts";
import { type Environment, type Proxies, readProxies, wayTo } from "./proxies.ts";

/** How calls leave this process. */
export interface Outgoing {
  readonly proxies: Proxies;
  /** Settings that cannot be used, each with what to do; no password in them. A proxy's is told where it is met. */
  readonly problems: readonly string[];
  /** From now on the global `fetch` goes that way, whoever calls it. Nothing is loaded before a call needs it. */
  install(): void;
  /** For what takes no `fetch`, as a WebSocket; undefined where no proxy is set. Trusts what is to be trusted as well. */
  dispatcher(): Promise<Dispatcher | undefined>;
}

/**
 * Reads how calls leave this process: HTTPS_PROXY, HTTP_PROXY, NO_PROXY, THREADLORE_CA_FILE. NODE_EXTRA_CA_CERTS, and
 * SSL_CERT_FILE for the system's store, are Node's own to read.
 * @param folder a relative path is meant from here
 */
export function readOutgoing(env: Environment, folder: string): Outgoing {
  const proxies = readProxies(env);
  const authorities = readAuthorities(env, folder);
  const hasProxy = proxies.secure !== undefined || proxies.plain !== undefined;
  let made: Promise<Dispatcher | undefined> | undefined;

  async function make(): Promise<Dispatcher | undefined> {
    // Some 100 ms for hundreds of certificates: not for calls that encrypt nothing.
    trust("own" in authorities ? authorities.own : []);
    if (!hasProxy) return undefined;
    const [{ createDispatcher }, { setGlobalDispatcher }] = await Promise.all([
      import("./dispatcher.ts"),
      import("undici"),
    ]);
    const dispatcher = createDispatcher(proxies);
    setGlobalDispatcher(dispatcher);
    return dispatcher;
  }

  const dispatcher = (): Promise<Dispatcher | undefined> => (made ??= make());
  // Node itself was told to ask the proxy, by rules of its own, which know nothing of this machine: ours come before.
  const isNodes = hasProxy && [env["NODE_USE_ENV_PROXY"], env["NODE_OPTIONS"], ...process.execArgv].some(asksNode);
  const isNeeded = (url: URL): boolean => isNodes || url.protocol === "https:" || wayTo(url, proxies).kind !== "direct";

  return {
    proxies,
    problems: "problem" in authorities ? [authorities.problem] : [],
    dispatcher,
    install() {
      const plain = globalThis.fetch;
      globalThis.fetch = async (input, init) => {
        const url = URL.parse(input instanceof Request ? input.url : String(input));
        if (url !== null && isNeeded(url)) await dispatcher();
        return plain(input, init);
      };
    },
  };
}

function asksNode(word = ""): boolean {
  return word === "1" || word.includes("--use-env-proxy");
}
