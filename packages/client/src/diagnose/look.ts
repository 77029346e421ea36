import { findAddress } from "./address.ts";
import { checkIngestion, checkPair } from "./ingestion.ts";
import { checkClock, checkKey, checkPermission } from "./key.ts";
import { evidenceOf, type ServerFinding, found } from "./finding.ts";
import type { ConnectionDiagnosis } from "./options.ts";
import { createTransport, type Transport } from "../http/transport.ts";
import { DEFAULT_PROFILE } from "../profile.ts";
import { withDefaults } from "../with-defaults.ts";

/** What was found of a connection. With a `transport`, as far as a question could be asked over it. */
interface Look {
  findings: ServerFinding[];
  transport?: Transport;
}

/** Tries what a connection needs. */
export async function lookAt(options: ConnectionDiagnosis): Promise<Look> {
  const { needs = ["ask", "ingest"], wishes = [], now = Date.now, signal, ccPairId } = options;
  const profile = withDefaults(DEFAULT_PROFILE, options.profile);
  // Somebody is waiting for the answer: no minute-long waits, and no second tries that hide what is wrong.
  const patience = {
    timeouts: { firstByteMs: 10_000, ...options.timeouts },
    retries: { retries: 0, ...options.retries },
  };

  const address = await findAddress({ ...options, ...patience }, now, signal);
  const findings = [address.finding, address.storage, address.index].filter((finding) => finding !== undefined);
  if (address.baseUrl === undefined) return { findings };
  findings.push(checkClock(address.skewMs));

  let transport: Transport;
  try {
    transport = createTransport({ ...options, ...patience, baseUrl: address.baseUrl });
  } catch (error) {
    // The address is good by now: only a key that can be none is left to refuse.
    const fix = "Copy the key again from where it was made.";
    return { findings: [...findings, found("key", false, evidenceOf(error), fix)] };
  }
  const key = await checkKey(transport, options.apiKey ?? "", signal);
  findings.push(key.finding, ...(key.memory === undefined ? [] : [key.memory]));
  if (key.refused) return { findings };

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
  return { findings, transport };
}
