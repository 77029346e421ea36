import type { ServiceContext } from "../context.ts";
import { type Route, route } from "../http/route.ts";

/**
 * What the service counts, for Prometheus, where that is turned on. For administrators' keys alone: that a request comes
 * from this machine says nothing, as a proxy's do too.
 */
export function metricsRoutes({ metrics }: ServiceContext): readonly Route[] {
  if (metrics === undefined) return [];
  return [
    route("GET /metrics", "admin", "What the service counts, as Prometheus reads it", {
      handle: async () => new Response(await metrics.text(), { headers: { "Content-Type": metrics.contentType } }),
    }),
  ];
}
