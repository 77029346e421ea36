import { AuthError, type ClientError, PermissionError, WrongBaseUrlError } from "@threadlore/client";
import { accountOf, type Me, permissionsOf } from "@threadlore/client/deployment";
import type { ServerFinding } from "@threadlore/client/diagnose";

/** A finding where all is as it should be. */
export const well = (what: string, evidence: string): ServerFinding => ({ what, ok: true, evidence, fix: "" });

/** A finding that is to be mended by `fix`. */
export const bad = (what: string, evidence: string, fix: string): ServerFinding => ({ what, ok: false, evidence, fix });

/** A finding that leaves open whether all is well. */
export const unsure = (what: string, evidence: string, fix = ""): ServerFinding => ({
  what,
  ok: "unknown",
  evidence,
  fix,
});

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
  const given = [
    { key: channel, name: "channel key", variable: "THREADLORE_KEY", needs: ["ask"] as const },
    { key: dm, name: "key for direct messages", variable: "THREADLORE_DM_KEY", needs: ["ask"] as const },
    { key: ingest, name: "ingest key", variable: "THREADLORE_INGEST_KEY", needs: ["ingest"] as const },
  ];
  const byKey = Map.groupBy(given, ({ key }) => key);
  return [...byKey].flatMap(([key, [first, ...others]]) => {
    if (key === undefined || first === undefined) return [];
    return { ...first, key, needs: [first, ...others].flatMap(({ needs }) => needs) };
  });
}

/** What the server said when it was asked who a key belongs to. */
export type Told = { readonly me: Me } | { readonly error: ClientError };

/** Why nothing may be asked with a key; undefined: nothing speaks against it. */
export function refusalIn(told: Told | undefined): string | undefined {
  if (told === undefined) return undefined;
  if ("error" in told) {
    const isRefused = told.error instanceof AuthError;
    return isRefused ? "The server does not accept it: it is wrong, expired or was revoked." : undefined;
  }
  return accountOf(told.me).anonymous
    ? "The server does not know it and treats the bot as a caller without a key. Nothing is asked like that."
    : undefined;
}

/**
 * What is to be said of a key by the server's answer. `first`: whose it was when it was first asked about. Nothing where
 * the server could not be reached: that is a finding about the server.
 */
export function keyFindings(named: NamedKey, told: Told, first?: Me): ServerFinding[] {
  const { name, variable } = named;
  const renew = `Have a new key made, set ${variable} to it, and start the bot again.`;
  const refusal = refusalIn(told);
  if (refusal !== undefined) return [bad(name, refusal, renew)];
  if ("error" in told) {
    // A token that may only chat can be refused here, and still be good.
    const evidence =
      told.error instanceof PermissionError
        ? "The server does not tell it whose it is; it may be good for asking alone."
        : "The server did not say whose it is.";
    return [unsure(name, evidence)];
  }
  const { me } = told;
  const whose = nameOf(me);
  const may = permissionsOf(me);
  const findings: ServerFinding[] = [];
  if (first === undefined || first.id === me.id) findings.push(well(name, `The server knows it as ${whose}.`));
  else {
    const fix = `See that ${variable} is the key you mean; earlier conversations are not its own.`;
    findings.push(bad(name, `It belongs to another account than before: ${whose}, not ${nameOf(first)}.`, fix));
  }
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
export function memoryFindings({ name }: Pick<NamedKey, "name">, me: Me): ServerFinding[] {
  const { memory, isService } = accountOf(me);
  const what = `${name}: memory`;
  if (memory === "unknown") return [];
  if (memory === "off") return [well(what, "Its account remembers nothing of what is asked.")];
  const whose = isService ? "It is a service account, and its" : "Its account's";
  const evidence = `${whose} memory is on: what one person tells the bot can stand in its answers to others, from direct messages too.`;
  return [bad(what, evidence, "Switch it off with `threadlore-bot doctor --fix-memory`.")];
}

/** What is to be said of the server itself. `error`: why it could not be asked; undefined: it answers there. */
export function serverFinding(baseUrl: string, error: ClientError | undefined): ServerFinding {
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
