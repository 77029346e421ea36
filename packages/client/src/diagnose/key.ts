import { Me } from "../deployment/models.ts";
import { readable } from "../errors/error-body.ts";
import { AuthError, PermissionError, UnavailableError } from "../errors/errors.ts";
import { evidenceOf, type ServerFinding, found, type Need } from "./finding.ts";
import type { Transport } from "../http/transport.ts";
import { accountOf, type Permissions, permissionsOf } from "../deployment/permissions.ts";

/** More than this and sign-in tokens, budgets and update times begin to go wrong. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Holds the local clock against the server's. */
export function checkClock(skewMs: number | undefined): ServerFinding {
  const what = "clock";
  if (skewMs === undefined) {
    return found(what, "unknown", "The server does not tell its time, or the browser hides it.");
  }
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= CLOCK_TOLERANCE_MS) {
    return found(what, true, `The clocks agree within ${Math.max(1, seconds)} s.`);
  }
  const evidence = `This machine's clock is ${seconds} s ${skewMs > 0 ? "ahead of" : "behind"} the server's.`;
  const fix = "Set the clock of whichever machine is wrong: update times of documents depend on it.";
  return found(what, false, evidence, fix);
}

/** What became of the key. `refused`: nothing that needs a key can be tried. */
export interface KeyCheck {
  finding: ServerFinding;
  refused: boolean;
  /** Absent where the server does not say who is calling. */
  permissions?: Permissions;
  /** What of the account's memory others would notice; absent where it is one person's, or there is none. */
  memory?: ServerFinding;
}

/** Asks the server who is calling. */
export async function checkKey(transport: Transport, apiKey: string, signal?: AbortSignal): Promise<KeyCheck> {
  const what = "key";
  try {
    const me = await transport.json({ method: "GET", path: "/me", repeatable: true, signal }, Me);
    const permissions = permissionsOf(me);
    if (permissions.anonymous && apiKey.trim() !== "")
      return { finding: silentlyAnonymous(), refused: true, permissions };
    const evidence = permissions.anonymous
      ? "No key is set; the server admits callers without one."
      : `The server knows this key as ${readable(me.email ?? me.id)}.`;
    return { finding: found(what, true, evidence), refused: false, permissions, ...checkMemory(me) };
  } catch (error) {
    const evidence = evidenceOf(error);
    if (error instanceof UnavailableError) return { finding: broken(evidence), refused: true };
    if (error instanceof AuthError) {
      const fix =
        apiKey.trim() === ""
          ? "Set a key: this server admits nobody without one."
          : "Copy the key again from where it was made, or have a new one made: it may have been revoked or expired.";
      return { finding: found(what, false, evidence, fix), refused: true };
    }
    // A token that may only chat can be refused here, and still be good.
    const fix =
      error instanceof PermissionError ? "Ask a question to find out; the key may be good for that alone." : "";
    return { finding: found(what, "unknown", evidence, fix), refused: false };
  }
}

/** A server that is up and answers nobody: no other check would say more. */
function broken(why: string): ServerFinding {
  const evidence = `It is up, but a call with this key failed: ${why}`;
  return found("server", false, evidence, "Look at the server: its log says why. Its database may be away.");
}

/** A key that many people use is one account, and one memory. */
function checkMemory(me: Me): { memory?: ServerFinding } {
  const { isService, memory } = accountOf(me);
  if (!isService || memory === "unknown") return {};
  const what = "memory";
  if (memory === "off") {
    const evidence = "This key belongs to a service account, and nothing is remembered for it.";
    return { memory: found(what, true, evidence) };
  }
  const evidence =
    "This key belongs to a service account whose memory is on: what one person tells it stands in the next person's questions.";
  const fix = "Switch it off: `threadlore doctor --fix-memory`.";
  return { memory: found(what, false, evidence, fix, { remedy: "switch_memory_off" }) };
}

/** The trap: servers open to everyone take a wrong key for no key, and everything seems to work. */
function silentlyAnonymous(): ServerFinding {
  const evidence =
    "The server does not know this key. It admits callers without one, and treats you as such: you see public documents only.";
  return found("key", false, evidence, "Copy the key again from where it was made, or have a new one made.");
}

const WORDS = {
  ask: { what: "permission to ask", may: "may ask questions", whom: "whose owner may chat" },
  administer: {
    what: "permission to administer",
    may: "may swap credentials and validate tools",
    whom: "of an administrator; only `credential swap` and `tool validate` need one",
  },
};

/**
 * Whether the key may do it, by the server's word.
 * @param isWish it is no failure if the key may not
 */
export function checkPermission(
  need: Exclude<Need, "ingest">,
  permissions: Permissions | undefined,
  isWish: boolean,
): ServerFinding {
  const { what, may, whom } = WORDS[need];
  if (permissions === undefined) {
    return found(what, "unknown", "The server does not say what the key may do.", "Try it.");
  }
  const mayDo = need === "ask" ? permissions.chat : permissions.swapCredential && permissions.validateTool;
  if (mayDo) return found(what, true, `This key ${may}.`);
  const evidence = `By the server's word, this key is not one that ${may}.`;
  return found(what, isWish ? "unknown" : false, evidence, `Use a key ${whom}.`);
}
