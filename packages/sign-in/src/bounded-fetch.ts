import type { CustomFetch } from "openid-client";
import { SignInFailure } from "./failure.ts";
import { hasDoubleNames } from "./unique-names.ts";

/**
 * The longest answer that is read, in bytes: a thousand groups of 200 letters fit into a token. Discovery and keys of the large
 * providers have 2 to 20 kB.
 */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** Whether an address is spoken to: encrypted, or on this machine where the issuer itself is. */
export type IsAllowed = (url: URL) => boolean;

/**
 * What the library asks with: only addresses that are allowed, no redirects, no answer longer than {@link MAX_ANSWER_BYTES},
 * no JSON whose objects have two members of one name. Whatever fails on the way is a {@link SignInFailure}.
 */
export function boundedFetch(fetch: typeof globalThis.fetch, isAllowed: IsAllowed): CustomFetch {
  return async (address, init) => {
    const url = new URL(address);
    if (!isAllowed(url)) {
      throw new SignInFailure(
        "misconfigured",
        `the identity provider names an address that is not encrypted (${url.host})`,
      );
    }
    const whom = `the identity provider at ${url.host}`;
    let response: Response;
    let body: Uint8Array<ArrayBuffer> | undefined;
    try {
      response = await fetch(address, { ...(init as RequestInit), redirect: "manual" });
      body = await readBounded(response);
    } catch (error) {
      const isLate = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
      throw new SignInFailure("unreachable", isLate ? `${whom} did not answer in time` : `${whom}: ${codeOf(error)}`);
    }
    if (body === undefined) throw tooLong(whom, isOfPerson(init));
    if (response.status >= 500) throw new SignInFailure("unreachable", `${whom} answered ${response.status}`);
    if (response.status >= 300 && response.status < 400) {
      throw new SignInFailure("misconfigured", `${whom} answered with a redirect, which is not followed`);
    }
    if (hasDoubleNames(new TextDecoder().decode(body))) {
      throw new SignInFailure("untrusted", `${whom} sent JSON in which a name stands twice`);
    }
    const isBodiless = [204, 205, 304].includes(response.status);
    return new Response(isBodiless ? null : body, { status: response.status, headers: response.headers });
  };
}

/** Whether what is asked for is about somebody, as their tokens are, and not about the provider. */
function isOfPerson({ method, headers }: Parameters<CustomFetch>[1]): boolean {
  return method === "POST" || new Headers(headers).has("authorization");
}

function tooLong(whom: string, isAboutPerson: boolean): SignInFailure {
  const told = `${whom} sent more than ${MAX_ANSWER_BYTES} bytes`;
  return isAboutPerson
    ? new SignInFailure(
        "groups",
        `${told} of one person, probably because of too many groups: have it tell fewer, or roles of this application`,
      )
    : new SignInFailure("untrusted", told);
}

/** The bytes of an answer; undefined when there are too many. */
async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  if (response.body === null) return new Uint8Array();
  for await (const chunk of response.body) {
    length += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (length > MAX_ANSWER_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Why nothing came, as a code: `ECONNREFUSED`, `CERT_HAS_EXPIRED`, `PROXY_REFUSES`. Texts could hold anything. */
function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return "no answer";
}
