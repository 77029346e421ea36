/** One request to a service, with the key and nothing else that could say who is calling. */

/** What is sent. */
export interface Post {
  readonly key: string;
  /** Default: POST. */
  readonly method?: "POST" | "DELETE";
  /** JSON. */
  readonly body?: string;
  readonly timeoutMs: number;
  readonly send: typeof fetch;
}

/** Sends it and reads the answer whole. Throws what `fetch` throws, also for a redirect. */
export async function post(
  url: URL,
  { key, method = "POST", body, timeoutMs, send }: Post,
): Promise<{ readonly response: Response; readonly text: string }> {
  const response = await send(url, {
    method,
    headers: {
      accept: "application/json",
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body,
    // A redirect could carry the key elsewhere; the key alone says who is calling.
    redirect: "error",
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { response, text: await response.text() };
}
