import { CredentialSwapRequest, CredentialSwapResponse } from "@threadlore/client/models";
import type { ServiceContext } from "../context.ts";
import { refusal } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
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

/** The credential swap of the specification, and the listings a person needs to choose what to swap. */
export function credentialRoutes({ store }: ServiceContext): readonly Route[] {
  return [
    route("PUT /manage/admin/credential/swap", "admin", "Replace the credential used by a connector", {
      body: { CredentialSwapRequest },
      reply: { CredentialSwapResponse },
      // access_type is demanded by deployed servers for a probe of the external system; here there is nothing to probe.
      handle: async (_, { connector_id, new_credential_id }) => {
        try {
          await store.write(() => swapCredential(connector_id, new_credential_id));
        } catch (error) {
          // What the store refuses it says in plain words.
          if (error instanceof ConnectorError) throw refusal(400, "CREDENTIAL_SWAP_REFUSED", error.message);
          throw error;
        }
        return { success: true, message: "Credential swapped successfully", data: null };
      },
    }),
    route("GET /manage/admin/credential", "admin", "Credentials", {
      handle: () => store.read(listCredentials()),
    }),
    // Whoever may ingest must be able to see into what, and what became of it.
    route("GET /manage/admin/connector/status", "editor", "Connector/credential pairs and their documents", {
      handle: async ({ caller }) => {
        const visible = await store.read(visiblePairs(caller));
        const counts = await store.read(countDocuments(visible));
        const pairs = (await store.read(listPairs())).filter(
          ({ id }) => id !== DEFAULT_PAIR && seesEvery(visible, [id]),
        );
        return pairs.map((pair) => ({ ...pairOnWire(pair), documents: counts.get(pair.id) ?? NO_DOCUMENTS }));
      },
    }),
    route(
      "GET /manage/admin/cc-pair/{id}",
      "editor",
      "One pair: how many documents are pending, indexed or failed, and why",
      {
        query: ["page_num", "page_size"],
        handle: async (call) => {
          const id = call.paramNumber("id");
          const number = call.queryNumber("page_num", { usual: 0 });
          const size = call.queryNumber("page_size", { usual: 100, most: 1_000 });
          const pair = await store.read(findPair(id));
          if (pair === undefined || !seesEvery(await store.read(visiblePairs(call.caller)), [id]))
            throw refusal(404, "CONNECTOR_NOT_FOUND", `There is no connector/credential pair ${id}.`);
          return {
            ...pairOnWire(pair),
            id: pair.id,
            documents: (await store.read(countDocuments([id]))).get(id) ?? NO_DOCUMENTS,
            document_list: await store.read(pairDocuments(id, { number, size })),
          };
        },
      },
    ),
  ];
}

const NO_DOCUMENTS = { pending: 0, indexed: 0, failed: 0 };

/** A pair in the shape deployed servers list it (docs/wire.md, section 1.9). */
function pairOnWire({ id, name, connector, credential, access }: Pair): Record<string, unknown> {
  return { cc_pair_id: id, name, connector, credential, access_type: access, groups: [] };
}
