import { AuthError, type ClientError, PermissionError, WrongBaseUrlError } from "@threadlore/client";
import { accountOf, type Me, permissionsOf } from "@threadlore/client/deployment";
import type { Finding } from "@threadlore/client/diagnose";

/** A finding where all is as it should be. */
export const well = (what: string, evidence: string): Finding => ({ what, ok: true, evidence, fix: "" });

/** A finding that is to be mended by `fix`. */
export const bad = (what: string, evidence: string, fix: string): Finding => ({ what, ok: false, evidence, fix });

/** A finding that leaves open whether all is well. */
export const unsure = (what: string, evidence: string, fix = ""): Finding => ({ what, ok: "unknown", evidence, fix });

/** One of the keys the bot was given, as people who run it know it. */
export interface NamedKey {
  readonly key: string;
  /** `channel key`, `key for direct messages`, `ingest key`. */
  readonly name: string;
  /** The setting it comes from. */
  readonly variable: string;
  /** What it is for. */
  readonly needs: readonly ("ask" | "ingest")[];
}

/** The keys of a configuration, each once: one key can be two. */
export function namedKeys({ channel, dm, ingest }: { channel: string; dm?: string; ingest?: string }): NamedKey[] {
  const found = new Map<string, NamedKey>();
  for (const { key, need, ...named } of [
    { key: channel, name: "channel key", variable: "THREADLORE_KEY", need: "ask" as const },
    { key: dm, name: "key for direct messages", variable: "THREADLORE_DM_KEY", need: "ask" as const },
    { key: ingest, name: "ingest key", variable: "THREADLORE_INGEST_KEY", need: "ingest" as const },
  ]) {
    if (key === undefined) continue;
    const first = found.get(key) ?? { key, ...named, needs: [] };
    found.set(key, { ...first, needs: [...first.needs, need] });
  }
  return [...found.values()];
}

/** What the server said when it was asked who a key belongs to. */
export type Told = { readonly me: Me } | { readonly error: ClientError };

/** Why nothing may be asked with a key; undefined: nothing speaks against it. */
export function deathOf(told: Told | undefined): "refused" | "anonymous" | undefined {
  if (told === undefined) return undefined;
  if ("error" in told) return told.error instanceof AuthError ? "refused" : undefined;
  return accountOf(told.me).anonymous ? "anonymous" : undefined;
}

/**
 * What is to be said of a key by the server's answer. `first`: whose it was when it was first asked about. Nothing where
 * the server could not be reached: that is a finding about the server.
 */
export function keyFindings(named: NamedKey, told: Told, first?: Me): Finding[] {
  const { name, variable } = named;
  const renew = `Have a new key made, set ${variable} to it, and start the bot again.`;
  if ("error" in told) {
    const { error } = told;
    if (error instanceof AuthError) {
      return [bad(name, "The server does not accept it: it is wrong, expired or was revoked.", renew)];
    }
    // A token that may only chat can be refused here, and still be good.
    const evidence =
      error instanceof PermissionError
        ? "The server does not tell it whose it is; it may be good for asking alone."
        : "The server did not say whose it is.";
    return [unsure(name, evidence)];
  }
  const { me } = told;
  if (accountOf(me).anonymous) {
    const evidence =
      "The server does not know it and treats the bot as a caller without a key. Nothing is asked like that.";
    return [bad(name, evidence, renew)];
  }
  const whose = nameOf(me);
  const may = permissionsOf(me);
  const findings =
    first === undefined || first.id === me.id
      ? [well(name, `The server knows it as ${whose}.`)]
      : [
          bad(
            name,
            `It belongs to another account than before: ${whose}, not ${nameOf(first)}.`,
            `See that ${variable} is the key you mean; earlier conversations are not its own.`,
          ),
        ];
  if (named.needs.includes("ask") && !may.chat) {
    findings.push(bad(`${name}: permission to ask`, "Its account may not ask questions.", renew));
  }
  if (named.needs.includes("ingest") && !may.ingest) {
    const fix = `Set ${variable} to a key that may add documents, and start the bot again.`;
    findings.push(bad(`${name}: permission to ingest`, "Its account may not add documents.", fix));
  }
  return [...findings, ...memoryFindings(named, me)];
}

/** One key answers many people: what its account remembers of one stands in the answers to the others. */
export function memoryFindings({ name }: Pick<NamedKey, "name">, me: Me): Finding[] {
  const { memory, isService } = accountOf(me);
  const what = `${name}: memory`;
  if (memory === "unknown") return [];
  if (memory === "off") return [well(what, "Its account remembers nothing of what is asked.")];
  const whose = isService ? "It is a service account, and its" : "Its account's";
  const evidence = `${whose} memory is on: what one person tells the bot can stand in its answers to others, from direct messages too.`;
  return [bad(what, evidence, "Switch it off with `threadlore-bot doctor --fix-memory`.")];
}

/** What is to be said of the server itself. `error`: why it could not be asked; undefined: it answers there. */
export function serverFinding(baseUrl: string, error: ClientError | undefined): Finding {
  const what = "knowledge server";
  if (error === undefined) return well(what, `It answers at ${baseUrl}.`);
  if (error instanceof WrongBaseUrlError) {
    const evidence = `There are web pages at ${baseUrl}, and no service, neither there nor with /api at the end.`;
    return bad(what, evidence, "Set THREADLORE_URL to the address of the service, and start the bot again.");
  }
  const fix = "See whether the server runs and can be reached from here. The bot tries again by itself.";
  return bad(what, error.message, fix);
}

function nameOf({ email, id }: Me): string {
  return [...(email ?? id)].slice(0, 120).join("");
}
