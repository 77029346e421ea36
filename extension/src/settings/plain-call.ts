/** A call that takes no part of the client: to a service nobody has a key of yet, or to end one. */
export interface PlainReply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Sends a request without cookies, follows no redirect, and waits five seconds at most. Throws where no answer came, and where
 * it is no JSON object.
 */
export async function plainCall(
  url: string,
  request: RequestInit = {},
  send: typeof fetch = fetch,
): Promise<PlainReply> {
  const response = await send(url, {
    ...request,
    redirect: "error",
    credentials: "omit",
    cache: "no-store",
    signal: AbortSignal.timeout(5_000),
  });
  const body: unknown = await response.json();
  if (typeof body !== "object" || body === null) throw new TypeError("No JSON object.");
  return { status: response.status, body: body as PlainReply["body"] };
}
