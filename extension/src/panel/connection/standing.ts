/** What the service says of the key: whose it is, whether it is still known, and whether a memory is kept for it. */
import type { Failure } from "@threadlore/ask";
import { ClientError } from "@threadlore/client";
import { accountOf, type Deployment, type Me } from "@threadlore/client/deployment";
import { agreeToMemory, hasAgreedToMemory } from "../../settings/memory-choice.ts";

/** What the service says of the key. */
export interface Standing {
  /** The key is not known any more, or nobody can say so just now: why nothing should be sent. */
  readonly failure?: Failure;
  /** The service gave an answer of its own, whatever it was. */
  readonly isThere: boolean;
  /**
   * Whether the service keeps a memory of whoever has the key, which it adds to whatever tools a question allows.
   * `agreed`: it does, and the person has agreed to that. `unknown`: it does not say.
   */
  readonly memory: "off" | "on" | "agreed" | "unknown";
  /** Its key may be in many hands: what others ask with it stands in the same history and memory. */
  readonly isShared: boolean;
  /** A model writes the answers; where none does, sources are quoted. */
  readonly writes: boolean;
  /** What the service said, where it knows the key. */
  readonly me?: Me;
}

/** What is known of the key of one service. */
export interface KeyWatch {
  /** What the service says, at most so many milliseconds ago; 0: it is asked. Never throws. */
  look(maxAgeMs: number, signal?: AbortSignal): Promise<Standing>;
  /** Switches the memory off for this key. Throws the client's errors; resolves with what the service says then. */
  memoryOff(): Promise<Standing>;
  /** Remembers that the person goes on with the memory on. */
  agree(): Promise<void>;
}

const NOBODY: Standing = { isThere: true, memory: "unknown", isShared: false, writes: false };

/**
 * Follows the key of a service. Whether it is gone is what the client's `accountOf` and AuthError say. `keyChange` says
 * the same of them, in sentences that nobody would see here, where each is told in the person's language; a test holds
 * the two together. That it may do less than before is said by what it may not do any more.
 * @param origin what the person's choice is remembered under
 */
export function watchKey(deployment: Pick<Deployment, "setMemory" | "whoami">, origin: string): KeyWatch {
  let known: { account: Standing; id: string | undefined; at: number } | undefined;
  const ask = async (signal?: AbortSignal): Promise<Standing> => {
    const asked = performance.now();
    try {
      const me = await deployment.whoami(signal === undefined ? {} : { signal });
      const account = standingOf(me);
      known = { account, id: me.id, at: asked };
      return account;
    } catch (error) {
      const account = { ...NOBODY, ...afterError(error) };
      if (signal?.aborted !== true) known = { account, id: undefined, at: asked };
      return account;
    }
  };
  let asking: Promise<Standing> | undefined;
  /** Several parts of the panel want to know at once, as when it opens: a server counts how often a wrong key comes. */
  const askTogether = () => (asking ??= ask().finally(() => (asking = undefined)));
  const chosen = async (account: Standing): Promise<Standing> => {
    const id = known?.id ?? "";
    const isOpen = account.memory === "on" || (account.memory === "unknown" && account.failure === undefined);
    return isOpen && (await hasAgreedToMemory(origin, id).catch(() => false))
      ? { ...account, memory: "agreed" }
      : account;
  };
  return {
    async look(maxAgeMs, signal) {
      if (known !== undefined && performance.now() - known.at < believedMs(known.account, maxAgeMs)) {
        return chosen(known.account);
      }
      return chosen(await (signal === undefined ? askTogether() : ask(signal)));
    },
    async memoryOff() {
      await deployment.setMemory(false);
      return chosen(await ask());
    },
    async agree() {
      if (known === undefined) await ask();
      await agreeToMemory(origin, known?.id ?? "");
    },
  };
}

/** What went wrong may be over: it is believed for a moment, and not at all by a question. */
function believedMs({ failure }: Standing, maxAgeMs: number): number {
  return failure === undefined ? maxAgeMs : Math.max(0, maxAgeMs - 10_000) / 20;
}

function standingOf(me: Me): Standing {
  const { anonymous, isService, memory } = accountOf(me);
  // Deployed servers are nothing without a model, and say nothing of it.
  const standing = { isThere: true, isShared: isService, writes: me.answered_by !== "quotes", me };
  // Servers that say nothing of a memory have none.
  if (!anonymous) return { ...standing, memory: memory === "on" ? "on" : "off" };
  // A key is always sent: whoever is nobody all the same sent one that is not known.
  const message = "The service does not know this key, and takes whoever sends it for a visitor without one.";
  return { ...standing, memory: "unknown", failure: { message, code: "auth", retryable: false } };
}

function afterError(error: unknown): Partial<Standing> {
  if (!(error instanceof ClientError)) return {};
  // A service of the four operations alone has neither accounts nor memories.
  if (error.name === "UnsupportedError" || error.name === "NotFoundError") return { memory: "off" };
  if (error.name === "PermissionError") return {};
  const { message, outcome, status } = error;
  if (outcome === "invalid") return {};
  const isWebsite = error.name === "WrongBaseUrlError";
  const failure: Failure = { message, code: isWebsite ? "website" : outcome, retryable: outcome !== "auth" };
  // A gateway, or a website, speaks for a service that did not.
  const isThere = !isWebsite && status !== undefined && status !== 502 && status !== 504;
  return { failure, isThere };
}
