import { CredentialSwapRequest } from "@threadlore/client/models";
import { parseBody, requireRole, type ServiceApp } from "../http/app.ts";
import type { ServiceContext } from "../context.ts";
import { refusal } from "../http/problem.ts";
import {
  ConnectorError,
  countDocuments,
  DEFAULT_PAIR,
  findPair,
  listCredentials,
  listPairs,
  type Pair,
  pairDocuments,
  swapCredential,
} from "../store/connectors.ts";
import { seesEvery, visiblePairs } from "../store/visibility.ts";
import { wholeNumber } from "../http/whole-number.ts";

const PAGE_SIZE = { usual: 100, most: 1_000 };

/** The credential swap of the specification, and the listings a person needs to choose what to swap. */
export function credentialRoutes(app: ServiceApp, context: ServiceContext): void {
  const { db } = context;
  app.put("/manage/admin/credential/swap", async (c) => {
    requireRole(c.get("caller"), "admin");
    // access_type is demanded by deployed servers for a probe of the external system; here there is nothing to probe.
    const { connector_id, new_credential_id } = await parseBody(context, c.req.raw, CredentialSwapRequest);
    refuseUnfit(() => swapCredential(db, connector_id, new_credential_id));
    return Response.json({ success: true, message: "Credential swapped successfully", data: null });
  });

  app.get("/manage/admin/credential", (c) => {
    requireRole(c.get("caller"), "admin");
    return Response.json(listCredentials(db));
  });

  // Whoever may ingest must be able to see into what, and what became of it.
  app.get("/manage/admin/connector/status", (c) => {
    requireRole(c.get("caller"), "editor");
    const counts = countDocuments(db);
    const visible = visiblePairs(db, c.get("caller"));
    const pairs = listPairs(db).filter(({ id }) => id !== DEFAULT_PAIR && seesEvery(visible, [id]));
    return Response.json(
      pairs.map((pair) => ({ ...pairOnWire(pair), documents: counts.get(pair.id) ?? NO_DOCUMENTS })),
    );
  });

  app.get("/manage/admin/cc-pair/:id", (c) => {
    requireRole(c.get("caller"), "editor");
    const id = wholeNumber(c.req.param("id"), ["path", "id"]);
    const number = wholeNumber(c.req.query("page_num"), ["query", "page_num"], { usual: 0 });
    const size = wholeNumber(c.req.query("page_size"), ["query", "page_size"], PAGE_SIZE);
    const pair = findPair(db, id);
    if (pair === undefined || !seesEvery(visiblePairs(db, c.get("caller")), [id]))
      throw refusal(404, "CONNECTOR_NOT_FOUND", `There is no connector/credential pair ${id}.`);
    return Response.json({
      ...pairOnWire(pair),
      id: pair.id,
      documents: countDocuments(db).get(id) ?? NO_DOCUMENTS,
      document_list: pairDocuments(db, id, { number, size }),
    });
  });
}

const NO_DOCUMENTS = { pending: 0, indexed: 0, failed: 0 };

/** A pair in the shape deployed servers list it (docs/wire.md, section 1.9). */
function pairOnWire({ id, name, connector, credential, access }: Pair): Record<string, unknown> {
  return { cc_pair_id: id, name, connector, credential, access_type: access, groups: [] };
}

/** What the store refuses is a 400 with its own plain words. */
function refuseUnfit(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof ConnectorError) throw refusal(400, "CREDENTIAL_SWAP_REFUSED", error.message);
    throw error;
  }
}
