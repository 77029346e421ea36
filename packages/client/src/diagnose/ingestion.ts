import { Pair } from "../deployment/models.ts";
import { readable } from "../errors/error-body.ts";
import {
  AuthError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  UnavailableError,
  UnsupportedError,
} from "../errors/errors.ts";
import { evidenceOf, type ServerFinding, found } from "./finding.ts";
import type { Transport } from "../http/transport.ts";
import type { Permissions } from "../deployment/permissions.ts";
import { DEFAULT_PROFILE, DEPLOYED_PROFILE, type Profile } from "../profile.ts";

const WHAT = "ingestion";

/**
 * Finds the ingestion path and whether the key may use it, by sending a request without a document: servers check the
 * path, then the key, then the content, so the refusal tells how far it came, and nothing is stored.
 */
export async function checkIngestion(
  transport: Transport,
  profile: Profile,
  { permissions, isWish, signal }: IngestionWish,
): Promise<ServerFinding> {
  const paths = new Set([profile.ingestionPath, DEFAULT_PROFILE.ingestionPath, DEPLOYED_PROFILE.ingestionPath]);
  const missing: string[] = [];
  for (const path of paths) {
    const outcome = await knock(transport, path, signal);
    if (outcome.result === "no such path") missing.push(path);
    else return judged(outcome, path, profile, { permissions, isWish });
  }
  const evidence = `The server takes no documents at ${missing.join(" or ")}.`;
  const fix = "Ask its administrator for the path of the ingestion operation, and set it in the profile.";
  return found(WHAT, isWish ? "unknown" : false, evidence, fix);
}

interface IngestionWish {
  permissions: Permissions | undefined;
  /** It is no failure if the key may not, or the server takes no documents. */
  isWish: boolean;
  signal?: AbortSignal | undefined;
}

interface Knock {
  result: "open" | "not allowed" | "not offered" | "no such path" | "failed" | "unclear";
  evidence: string;
}

async function knock(transport: Transport, path: string, signal: AbortSignal | undefined): Promise<Knock> {
  try {
    await transport.text({ method: "POST", path, json: {}, repeatable: true, signal });
    return { result: "unclear", evidence: `${path} accepted a request without a document.` };
  } catch (error) {
    const evidence = evidenceOf(error);
    if (error instanceof InvalidRequestError) return { result: "open", evidence };
    if (error instanceof PermissionError || error instanceof AuthError) return { result: "not allowed", evidence };
    if (error instanceof UnavailableError) return { result: "failed", evidence };
    if (!(error instanceof UnsupportedError)) return { result: "unclear", evidence };
    return { result: error.status === 404 || error.status === 405 ? "no such path" : "not offered", evidence };
  }
}

function judged(
  { result, evidence }: Knock,
  path: string,
  profile: Profile,
  { permissions, isWish }: IngestionWish,
): ServerFinding {
  if (result === "not offered") {
    const fix = "Use a server with document search; this one only chats.";
    return found(WHAT, isWish ? "unknown" : false, evidence, fix);
  }
  if (result === "not allowed") {
    const fix = "Use a key whose owner manages connectors (on the embedded service: the role editor)";
    return isWish
      ? found(WHAT, "unknown", "This key may not add documents.", `${fix}, if documents are to be added.`)
      : found(WHAT, false, evidence, `${fix}.`);
  }
  if (result === "failed") return found(WHAT, false, evidence, "Look at the server: its log says why.");
  if (path !== profile.ingestionPath) {
    const elsewhere = `There is nothing at ${profile.ingestionPath}; this server takes documents at ${path}.`;
    const proposal = { profile: { ingestionPath: path } };
    return found(WHAT, false, elsewhere, `Set the profile's ingestion path to ${path}`, { proposal });
  }
  if (result === "unclear") return found(WHAT, "unknown", evidence, "Ingest a small document to find out.");
  const doubt = permissions?.ingest === false ? " It does not list the permission, but let the request pass." : "";
  return found(WHAT, true, `The server takes documents at ${path} with this key.${doubt}`);
}

/** Whether the pair documents will belong to exists, and who will see them. */
export async function checkPair(
  transport: Transport,
  pairId: number | undefined,
  signal?: AbortSignal,
): Promise<ServerFinding[]> {
  const what = "pair";
  if (pairId === undefined) {
    const evidence =
      "No connector/credential pair is set. Many servers then put documents where everyone can see them.";
    return [found(what, "unknown", evidence, "Set a cc_pair_id. The server's connector list shows which there are.")];
  }
  try {
    const path = `/manage/admin/cc-pair/${pairId}`;
    const pair = await transport.json({ method: "GET", path, repeatable: true, signal }, Pair);
    const called =
      pair.name == null || pair.name === "" ? `Pair ${pairId}` : `Pair ${pairId} ("${readable(pair.name)}")`;
    return [found(what, true, `${called} exists.`), access(called, pair.access_type)];
  } catch (error) {
    const evidence = evidenceOf(error);
    if (error instanceof NotFoundError || error instanceof InvalidRequestError) {
      const fix = "Set the number of an existing pair. The server's connector list shows which there are.";
      return [found(what, false, `There is no pair ${pairId}. ${evidence}`, fix)];
    }
    return [found(what, "unknown", evidence)];
  }
}

function access(called: string, type: string | null | undefined): ServerFinding {
  const what = "who sees what is ingested";
  if (type === "private") return found(what, true, `${called} is private.`);
  if (type === "sync") return found(what, true, `${called} takes access from its source.`);
  if (type === "public") {
    const evidence = `${called} is public: everyone who can ask this server sees its documents.`;
    return found(what, "unknown", evidence, "If that is not meant, use a private pair.");
  }
  return found(what, "unknown", `The server does not say whether ${called} is public.`);
}
