import { ClientError, UnsupportedError } from "@threadlore/client";
import { accountOf, createDeployment, type Deployment } from "@threadlore/client/deployment";
import type { Finding } from "@threadlore/client/diagnose";
import type { Config } from "../settings/config.ts";
import { failureWords } from "./failure-words.ts";
import { namedKeys } from "./server-findings.ts";
import { createAddress } from "./servers.ts";

/**
 * Switches the memory of every account the bot asks with off, on the knowledge server, and says of each key what came
 * of it. What is remembered already stays there, unused.
 */
export async function switchMemoryOff({ keys, server }: Config, signal?: AbortSignal): Promise<Finding[]> {
  const address = createAddress({ server });
  await address.find();
  const { baseUrl } = address;
  const { allowPlainHttp, profile } = server;
  const findings: Finding[] = [];
  for (const { name, key } of namedKeys(keys)) {
    const deployment = createDeployment({ baseUrl, allowPlainHttp, profile, apiKey: key });
    findings.push({ what: `${name}: switching its memory off`, fix: "", ...(await switchedOff(deployment, signal)) });
  }
  return findings;
}

/** Switches it off, and looks whether it is. */
async function switchedOff(
  deployment: Deployment,
  signal: AbortSignal | undefined,
): Promise<Pick<Finding, "ok" | "evidence">> {
  const given = signal && { signal };
  try {
    const before = accountOf(await deployment.whoami(given));
    if (before.anonymous) return { ok: false, evidence: "The server does not know it. Nothing was changed." };
    if (before.memory === "unknown") return { ok: true, evidence: "The server says nothing of a memory." };
    if (before.memory === "off") return { ok: true, evidence: "It was off already." };
    await deployment.setMemory(false, given);
    const isOff = accountOf(await deployment.whoami(given)).memory === "off";
    return isOff
      ? { ok: true, evidence: "It is off now. What is remembered already stays there, unused." }
      : { ok: false, evidence: "The server took it and says that it is still on. Switch it off there." };
  } catch (error) {
    if (error instanceof UnsupportedError) {
      return { ok: false, evidence: "The server does not let it be switched off this way. Switch it off there." };
    }
    if (!(error instanceof ClientError)) throw error;
    return { ok: false, evidence: failureWords(error).what };
  }
}
