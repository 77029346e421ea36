import * as z from "zod/mini";
import { parseBody, type ServiceApp } from "../http/app.ts";
import { isExtensionOrigin } from "../http/checks.ts";
import type { ServiceContext } from "../context.ts";
import type { Caller } from "../context.ts";
import { authenticate, KeyThrottle, redeemPairing } from "../http/keys.ts";
import { refusal } from "../http/problem.ts";
import { listPairs } from "../store/connectors.ts";
import { seesEvery, visiblePairs } from "../store/visibility.ts";

const PairingRequest = z.object({ code: z.string() });

/**
 * How an extension gets a key of its own: a person types the code the terminal shows. Needs no key, and only an
 * extension's Origin will do, since that origin may call the service from then on.
 */
export function pairingRoutes(app: ServiceApp, context: ServiceContext): void {
  const { db, now, log } = context;
  app.post("/pairing", async (c) => {
    const origin = c.req.header("origin");
    if (origin === undefined || !isExtensionOrigin(origin)) {
      throw refusal(403, "ORIGIN_NOT_ALLOWED", "Only a browser extension can be paired.");
    }
    const { code } = await parseBody(context, c.req.raw, PairingRequest);
    const paired = redeemPairing(db, code, origin, now());
    if (paired === undefined) {
      throw refusal(
        403,
        "PAIRING_CODE_INVALID",
        "This code is wrong, used or too old. Type the code the terminal shows; after five wrong ones, make a new one.",
      );
    }
    log.info("paired", { origin });
    const caller = authenticate(context, `Bearer ${paired.key}`, new KeyThrottle(now));
    return Response.json({ api_key: paired.key, role: paired.role, keep_in: privatePlace(context, caller) });
  });
}

/** A pair that is not public, for pages that are kept; null where the key may add to none or sees none. */
function privatePlace({ db }: ServiceContext, caller: Caller): { cc_pair_id: number; name: string } | null {
  if (caller.role === "ordinary") return null;
  const visible = visiblePairs(db, caller);
  const place = listPairs(db).find(({ id, access }) => access === "private" && seesEvery(visible, [id]));
  return place === undefined ? null : { cc_pair_id: place.id, name: place.name };
}
