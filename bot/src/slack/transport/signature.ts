import { verifySlackRequest } from "@slack/bolt";

/** What of a request tells whether the platform sent it. */
export interface SignedRequest {
  /** Header `x-slack-request-timestamp`; undefined where it is missing or there are several. */
  readonly timestamp: string | undefined;
  /** Header `x-slack-signature`, likewise. */
  readonly signature: string | undefined;
  /** Exactly as it came. */
  readonly body: string;
}

/** Why a request is refused. `clock`: it would be good if its time were; one of the two clocks is wrong. */
export type SignatureProblem = "unsigned" | "wrong" | "clock" | "replayed";

const TOLERANCE_S = 300;
const REMEMBERED_MS = 600_000;

/**
 * Checks signatures as the platform prescribes, and what Bolt leaves out (docs/threats.md, T16): times in the future,
 * and requests seen before. A retry of the platform is signed anew, so the same signature twice is a replay. Undefined: the
 * platform sent it, and it was not seen before.
 */
export function createSignatureCheck(signingSecret: string, now: () => number) {
  const seen = new Map<string, number>();
  return ({ timestamp, signature, body }: SignedRequest): SignatureProblem | undefined => {
    if (timestamp === undefined || signature === undefined) return "unsigned";
    if (!/^[0-9]{9,11}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature)) return "wrong";
    try {
      const headers = { "x-slack-signature": signature, "x-slack-request-timestamp": Number(timestamp) };
      // The library refuses old times as well; whether the signature itself is right is asked here.
      verifySlackRequest({ signingSecret, body, headers, nowMilliseconds: Number(timestamp) * 1000 });
    } catch {
      return "wrong";
    }
    if (Math.abs(now() / 1000 - Number(timestamp)) > TOLERANCE_S) return "clock";
    for (const [known, until] of seen) {
      if (until > now()) break;
      seen.delete(known);
    }
    if (seen.has(signature)) return "replayed";
    seen.set(signature, now() + REMEMBERED_MS);
    return undefined;
  };
}
