import * as z from "zod/mini";
import { toldOrigin } from "../../http/arrival.ts";
import type { ServiceContext } from "../../context.ts";
import { addPersonKey, PERSON_KEY_MS } from "../../http/keys.ts";
import { Problem, refusal } from "../../http/problem.ts";
import { type Route, route } from "../../http/route.ts";
import { placeOf } from "../../sign-in/browser.ts";
import { keyForCode } from "./code-grant.ts";
import { countAttempt, dropOldAttempts } from "../../store/people/attempts.ts";
import { beginDevice, DEVICE_SECONDS, type DeviceState, pollDevice } from "../../store/people/device-requests.ts";
import type { Steps } from "../../store/steps.ts";

const Text = z.optional(z.string());
const DeviceAuthorizationRequest = z.object({ client_id: Text, purpose: Text, expected_email: Text, scope: Text });
const TokenRequest = z.object({
  grant_type: Text,
  device_code: Text,
  client_id: Text,
  code: Text,
  redirect_uri: Text,
  code_verifier: Text,
});
const DeviceAuthorization = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  verification_uri_complete: z.string(),
  expires_in: z.number(),
  interval: z.number(),
});
const PersonToken = z.object({ access_token: z.string(), token_type: z.literal("Bearer"), expires_in: z.number() });

/** Requests of one place: a bot asks for many people from one. */
const FROM_PLACE = { most: 300, seconds: 600 };
/** Longest text a program says of itself, characters. */
const MAX_WORDS = 200;

/**
 * How a program gets a key of a person who agrees in a browser: the device authorization grant (RFC 8628), this service being
 * the authorization server. Programs are not registered: `client_id` is what they are called, and is shown as their own words.
 */
export function deviceRoutes(context: ServiceContext): readonly Route[] {
  const { store, now, log } = context;

  function keyGiven(key: string, user: string): Response {
    log.info("key given to a program", { user });
    const token = { access_token: key, token_type: "Bearer", expires_in: Math.floor(PERSON_KEY_MS / 1_000) };
    return Response.json(token, { headers: NOT_KEPT });
  }

  return [
    route("POST /sign-in/device", "anyone", "Begin to ask for a key of a person who signs in (RFC 8628)", {
      isForm: true,
      body: { DeviceAuthorizationRequest },
      reply: { DeviceAuthorization },
      handle: async ({ request }, { client_id: client, purpose = "", expected_email: expected }) => {
        if (!isSaid(client)) throw oauthError("invalid_request", "Say in client_id what the program is called.");
        if (!isSaid(purpose) || (expected !== undefined && !isSaid(expected))) {
          throw oauthError(
            "invalid_request",
            `Say in purpose what the key is for, in at most ${MAX_WORDS} characters.`,
          );
        }
        const wait = await store.write(() => counted(placeOf(request), now()));
        if (wait > 0) throw tooMany(wait);
        const ask = { client, purpose, expectedEmail: expected ?? null };
        const begun = await store.write(() => beginDevice(ask, now()));
        if (begun === undefined) throw tooMany(60);
        const page = `${toldOrigin(request)}/sign-in/device`;
        const reply = {
          device_code: begun.deviceCode,
          user_code: begun.userCode,
          verification_uri: page,
          verification_uri_complete: `${page}?user_code=${begun.userCode}`,
          expires_in: DEVICE_SECONDS,
          interval: begun.interval,
        };
        return Response.json(reply, { headers: NOT_KEPT });
      },
    }),
    route("POST /sign-in/token", "anyone", "Get the key a person agreed to (RFC 8628; RFC 6749, section 4.1.3)", {
      isForm: true,
      body: { TokenRequest },
      reply: { PersonToken },
      handle: async ({ request }, { grant_type: grant, device_code: code, ...sent }) => {
        if (grant === "authorization_code") {
          const { code: ofAgreement, client_id: client, redirect_uri: redirect, code_verifier: verifier } = sent;
          if (!ofAgreement || !client || !redirect || !verifier) throw oauthError("invalid_request", CODE_FIELDS);
          const given = await keyForCode(context, request, { code: ofAgreement, client, redirect, verifier });
          if (given === "invalid_grant") throw oauthError("invalid_grant", WORTHLESS);
          if ("waitSeconds" in given) throw tooMany(given.waitSeconds);
          return keyGiven(given.key, given.user);
        }
        if (grant !== "urn:ietf:params:oauth:grant-type:device_code") {
          throw oauthError(
            "unsupported_grant_type",
            "Only authorization_code and urn:ietf:params:oauth:grant-type:device_code are known here.",
          );
        }
        if (code === undefined || code === "") throw oauthError("invalid_request", "The device_code is missing.");
        const polled = await store.write(() => keyFor(code, now()));
        if (typeof polled === "string") throw oauthError(polled, POLLED[polled]);
        return keyGiven(polled.key, polled.user);
      },
    }),
  ];
}

const CODE_FIELDS = "Send code, client_id, redirect_uri and code_verifier.";
const WORTHLESS = "The code is wrong, too old, was used, or was given to another program. Begin anew.";

const NOT_KEPT = { "Cache-Control": "no-store", Pragma: "no-cache" };

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "" && text.length <= MAX_WORDS;
}

function* counted(place: string, now: number): Steps<number> {
  yield* dropOldAttempts(now);
  return yield* countAttempt(`device from ${place}`, FROM_PLACE, now);
}

/** The key is made where it is asked for, so that nothing of it is kept before. */
function* keyFor(code: string, now: number): Steps<Exclude<DeviceState, object> | { key: string; user: string }> {
  const state = yield* pollDevice(code, now);
  if (typeof state === "string") return state;
  const { person: id, user, purpose } = state;
  return { key: yield* addPersonKey({ id, user }, purpose, now), user };
}

const POLLED: Readonly<Record<Exclude<DeviceState, object>, string>> = {
  authorization_pending: "The person has not answered yet. Ask again after the interval.",
  slow_down: "Ask less often: five seconds are added to the interval.",
  access_denied: "The person refused.",
  expired_token: "The code is too old, was used, or was never given. Begin anew.",
};

/** A refusal in the words of RFC 6749, section 5.2. */
function oauthError(error: string, description: string): Problem {
  return new Problem(400, { error, error_description: description }, NOT_KEPT);
}

function tooMany(wait: number): Problem {
  const detail = `Too many programs ask for keys at this moment. Try again in ${wait} s.`;
  return refusal(429, "TOO_MANY_REQUESTS", detail, { "Retry-After": String(wait) });
}
