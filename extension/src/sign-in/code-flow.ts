/** A code for a key, as it is asked for and as it comes back (RFC 6749, section 4.1; RFC 7636). */

/** What the person is told of who asks. */
interface Asker {
  readonly client: string;
  readonly purpose: string;
}

/** A sign-in that was begun. What it holds besides `url` is known to nobody else. */
export interface BegunCode {
  /** The page of the service to open. */
  readonly url: string;
  readonly state: string;
  /** What the key is asked for with, besides the code. */
  readonly grant: Readonly<Record<"client_id" | "redirect_uri" | "code_verifier", string>>;
}

/**
 * Begins one, with fresh secrets.
 * @param redirect where the browser hands this extension the answer
 */
export async function beginCode(baseUrl: string, redirect: string, { client, purpose }: Asker): Promise<BegunCode> {
  const [state, verifier] = [secret(), secret()];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: client,
    purpose,
    redirect_uri: redirect,
    code_challenge: btoa(String.fromCharCode(...new Uint8Array(digest)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace("=", ""),
    code_challenge_method: "S256",
    state,
  });
  return {
    url: `${baseUrl}/sign-in/authorize?${query}`,
    state,
    grant: { client_id: client, redirect_uri: redirect, code_verifier: verifier },
  };
}

/** The code in what came back; `refused`: the person said no; undefined: it is no answer to what was begun. */
export function answerOf(
  came: string | undefined,
  { state, grant }: BegunCode,
): { readonly code: string } | "refused" | undefined {
  if (came?.startsWith(`${grant.redirect_uri}?`) !== true) return undefined;
  const answer = new URL(came).searchParams;
  if (answer.get("state") !== state) return undefined;
  if (answer.get("error") === "access_denied") return "refused";
  const code = answer.get("code");
  return code === null ? undefined : { code };
}

/** 244 random bits, in letters that RFC 7636 allows (section 4.1). */
function secret(): string {
  return crypto.randomUUID() + crypto.randomUUID();
}
