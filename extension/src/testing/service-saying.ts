import type { DeploymentOptions } from "@threadlore/client/deployment";
import type { ServiceAccess } from "../panel/connection/service-access.ts";

/** A request that was sent: method and path, the key it was sent with, and its body. */
interface Sent {
  readonly line: string;
  readonly key: string | null;
  readonly body: string;
}

/** A service that says one thing to everything it is asked, and what it was asked. */
export function serviceSaying(
  json: object,
  status = 200,
): { readonly sent: readonly Sent[]; readonly service: ServiceAccess } {
  const sent: Sent[] = [];
  const reach: ServiceAccess["reach"] = (work, key) => {
    const options: DeploymentOptions = {
      baseUrl: "https://service.example",
      apiKey: `tl_TEST_${key}`,
      retries: { retries: 0 },
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        const line = `${request.method} ${pathname}${search}`;
        sent.push({ line, key: request.headers.get("authorization"), body: await request.text() });
        return Response.json(json, { status });
      },
    };
    return work(options);
  };
  return { sent, service: { reach } as ServiceAccess };
}
