import { findAddress } from "./diagnose/address.ts";
import { checkIngestion, checkPair } from "./diagnose/ingestion.ts";
import { checkClock, checkKey, checkPermission } from "./diagnose/key.ts";
import { checkStream } from "./diagnose/stream.ts";
import { evidenceOf, type ServerFinding, found, type Need } from "./diagnose/finding.ts";
import type { ConnectionOptions } from "./http/connection-options.ts";
import { createTransport, type Transport } from "./http/transport.ts";
import { DEFAULT_PROFILE, type Profile } from "./profile.ts";
import { withDefaults } from "./with-defaults.ts";

export type { ServerFinding, Need } from "./diagnose/finding.ts";

/** What is to be looked at. */
export interface DiagnoseOptions extends ConnectionOptions {
  /** The profile in use; what is absent follows the specification. */
  profile?: Partial<Profile>;
  /** What the caller is going to do. Default: ask and ingest. */
  needs?: readonly Need[];
  /** What it may also come to do: that the key may not, or the server does not, is told and is no failure. Default: none. */
  wishes?: readonly Need[];
  /** The connector/credential pair documents will belong to. Absent: ingestion names none. */
  ccPairId?: number;
  /**
   * Asked to see whether its answer arrives bit by bit or is held back by a proxy. The one check that has the server
   * work; its session is deleted again. Absent: not looked at.
   */
  question?: string;
  /** The local clock, milliseconds since 1970. Default: Date.now. */
  now?: () => number;
  /** Ends the diagnosis; it then throws AbortedError. */
  signal?: AbortSignal;
}

/**
 * Tries what a connection needs, in the order things go wrong: address, clock, key, permissions, ingestion path, pair.
 * Nothing is stored on the server: where only trying tells, a request is sent that has to be refused as empty.
 *
 * A server that cannot be reached or refuses is a finding, not an error; only an aborted signal throws. Checks that
 * another failure made pointless are left out.
 */
export async function diagnose(options: DiagnoseOptions): Promise<ServerFinding[]> {
  const { needs = ["ask", "ingest"], wishes = [], now = Date.now, signal, ccPairId, question } = options;
  const profile = withDefaults(DEFAULT_PROFILE, options.profile);
  // Somebody is waiting for the answer: no minute-long waits, and no second tries that hide what is wrong.
  const patience = {
    timeouts: { firstByteMs: 10_000, ...options.timeouts },
    retries: { retries: 0, ...options.retries },
  };

  const address = await findAddress({ ...options, ...patience }, now, signal);
  const findings = [address.finding, address.storage, address.index].filter((finding) => finding !== undefined);
  if (address.baseUrl === undefined) return findings;
  findings.push(checkClock(address.skewMs));

  let transport: Transport;
  try {
    transport = createTransport({ ...options, ...patience, baseUrl: address.baseUrl });
  } catch (error) {
    // The address is good by now: only a key that can be none is left to refuse.
    const fix = "Copy the key again from where it was made.";
    return [...findings, found("key", false, evidenceOf(error), fix)];
  }
  const key = await checkKey(transport, options.apiKey ?? "", signal);
  findings.push(key.finding, ...(key.memory === undefined ? [] : [key.memory]));
  if (key.refused) return findings;

  let ingests = false;
  for (const need of new Set([...needs, ...wishes])) {
    const isWish = !needs.includes(need);
    const finding =
      need === "ingest"
        ? await checkIngestion(transport, profile, { permissions: key.permissions, isWish, signal })
        : checkPermission(need, key.permissions, isWish);
    findings.push(finding);
    if (need === "ingest") ingests = !isWish || finding.ok !== "unknown";
  }
  if (ingests) findings.push(...(await checkPair(transport, ccPairId, signal)));
  if (question !== undefined) {
    const connection = { ...options, baseUrl: transport.baseUrl };
    findings.push(await checkStream(connection, transport, question, signal));
  }
  return findings;
}
