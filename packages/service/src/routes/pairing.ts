import * as z from "zod/mini";
import { isFromElsewhere } from "../http/arrival.ts";
import { isExtensionOrigin } from "../http/checks.ts";
import type { ServiceContext } from "../context.ts";
import { callerOf, redeemPairing } from "../http/keys.ts";
import { refusal } from "../http/problem.ts";
import { type Route, route } from "../http/route.ts";
import { listPairs } from "../store/connectors.ts";
import { seesEvery, visiblePairs } from "../store/visibility.ts";
import type { Steps } from "../store/steps.ts";

const PairingRequest = z.object({ code: z.string() });

/**
 * How an extension gets a key of its own: a person types the code the terminal shows. Needs no key, and only an
 * extension's Origin will do, since that origin may call the service from then on.
 */
export function pairingRoutes(context: ServiceContext): readonly Route[] {
  const { store, now, log } = context;
  return [
    route("POST /pairing", "anyone", "Give a browser extension a key of its own, for the code the terminal shows", {
      before: ({ request }) => {
        extensionOrigin(request);
        if (isFromElsewhere(request)) throw pairedElsewhere();
      },
      body: { PairingRequest },
      handle: async ({ request }, { code }) => {
        const origin = extensionOrigin(request);
        const paired = await store.write(() => redeemPairing(code, origin, now()));
        if (paired === undefined) {
          throw refusal(
            403,
            "PAIRING_CODE_INVALID",
            "This code is wrong, used or too old. Type the code the terminal shows; after five wrong ones, make a new one.",
          );
        }
        log.info("paired", { origin });
        return { api_key: paired.key, role: paired.role, keep_in: await store.read(privatePlace(paired.key, now())) };
      },
    }),
  ];
}

/** A code is short, and five wrong ones void it: nobody guesses, or voids it, from where this machine's person is not. */
function pairedElsewhere(): Error {
  return refusal(
    403,
    "PAIRING_IS_LOCAL",
    "Only a browser of the machine the service runs on can be paired. Elsewhere, give the extension this service's address and a key; `threadlore key add` makes one.",
  );
}

function extensionOrigin({ headers }: Request): string {
  const origin = headers.get("origin");
  if (origin !== null && isExtensionOrigin(origin)) return origin;
  throw refusal(403, "ORIGIN_NOT_ALLOWED", "Only a browser extension can be paired.");
}

/** A pair that is not public, for pages that are kept; null where the key may add to none or sees none. */
function* privatePlace(key: string, now: number): Steps<{ cc_pair_id: number; name: string } | null> {
  const caller = yield* callerOf(key, now);
  if (caller === undefined || caller.role === "ordinary") return null;
  const visible = yield* visiblePairs(caller);
  const place = (yield* listPairs()).find(({ id, access }) => access === "private" && seesEvery(visible, [id]));
  return place === undefined ? null : { cc_pair_id: place.id, name: place.name };
}
