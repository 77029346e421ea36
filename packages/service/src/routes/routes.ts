import type { ServiceContext } from "../context.ts";
import type { Route } from "../http/route.ts";
import { auditRoutes } from "../audit/audit-route.ts";
import { askRoutes } from "../gaps/ask-routes.ts";
import { gapRoutes } from "../gaps/gap-routes.ts";
import { goodAnswerRoutes } from "../good-answers/good-answer-routes.ts";
import { chatRoutes } from "./chat.ts";
import { credentialRoutes } from "./credentials.ts";
import { deploymentRoutes, descriptionRoute, openDeploymentRoutes } from "./deployment.ts";
import { documentRoutes } from "./documents.ts";
import { fileRoutes } from "./files.ts";
import { ingestionRoutes } from "./ingestion.ts";
import { keeperRoutes } from "../keepers/keeper-routes.ts";
import { mcpRoutes, type Send } from "./mcp.ts";
import { keptRoutes } from "../kept/kept-routes.ts";
import { metricsRoutes } from "./metrics.ts";
import { pairingRoutes } from "./pairing.ts";
import { peopleRoutes } from "./people/people.ts";
import { toolRoutes } from "./tools.ts";

/**
 * The table of routes: everything the service answers. The app, its description and the test of roles are made of it.
 * @param send answers a request as if it had come over a socket
 */
export function routesOf(context: ServiceContext, send: Send): readonly Route[] {
  const routes = [
    openDeploymentRoutes,
    auditRoutes,
    pairingRoutes,
    peopleRoutes,
    chatRoutes,
    credentialRoutes,
    toolRoutes,
    deploymentRoutes,
    documentRoutes,
    ingestionRoutes,
    keptRoutes,
    fileRoutes,
    // Before those of gaps, whose `{id}` takes any word.
    askRoutes,
    gapRoutes,
    goodAnswerRoutes,
    keeperRoutes,
    metricsRoutes,
  ].flatMap((area) => area(context));
  const all = [...routes, ...mcpRoutes(context, send)];
  return [...all, descriptionRoute(all)];
}
