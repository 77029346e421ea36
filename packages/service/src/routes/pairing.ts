import * as z from "zod/mini";
import { parseBody, type ServiceApp } from "../app.ts";
import { isExtensionOrigin } from "../checks.ts";
import type { ServiceContext } from "../context.ts";
import { redeemPairing } from "../keys.ts";
import { refusal } from "../problem.ts";

const PairingRequest = z.object({ code: z.string() });

/**
 * How an extension gets a key of its own: a person types the code the terminal shows. Needs no key, and only an
 * extension's Origin will do, since that origin may call the service from then on.
 */
export function pairingRoutes(app: ServiceApp, { db, now, log }: ServiceContext): void {
  app.post("/pairing", async (c) => {
    const origin = c.req.header("origin");
    if (origin === undefined || !isExtensionOrigin(origin)) {
      throw refusal(403, "ORIGIN_NOT_ALLOWED", "Only a browser extension can be paired.");
    }
    const { code } = await parseBody(c.req.raw, PairingRequest);
    const paired = redeemPairing(db, code, origin, now());
    if (paired === undefined) {
      throw refusal(
        403,
        "PAIRING_CODE_INVALID",
        "This code is wrong, used or too old. Type the code the terminal shows; after five wrong ones, make a new one.",
      );
    }
    log.info("paired", { origin });
    return Response.json({ api_key: paired.key, role: paired.role });
  });
}
