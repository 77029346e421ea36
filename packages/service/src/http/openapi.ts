import { FileDescriptor, HTTPValidationError, SearchDoc } from "@threadlore/client/models";
import * as z from "zod/mini";
import { type NamedModel, type Route, type RouteRole } from "./route.ts";

/** Models that others refer to, or every route may answer with. */
const REQUEST_PARTS: NamedModel = { FileDescriptor };
const REPLY_PARTS: NamedModel = { SearchDoc, HTTPValidationError };

/** The OpenAPI 3.1 description of these routes. */
export function describeService(routes: readonly Route[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describeRoute(route);
  }
  const requests = routes.map(({ body, rawBody }) => body ?? (rawBody === "files" ? undefined : rawBody));
  const replies = routes.flatMap(({ reply, events }) => [reply, events]);
  return {
    openapi: "3.1.0",
    info: { title: "Threadlore service", version, description: "Enterprise search and chat on one machine." },
    servers: [{ url: "/" }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      schemas: {
        // As a caller writes them: what has a default is optional.
        ...modelSchemas(Object.assign({}, REQUEST_PARTS, ...requests), "input"),
        ...modelSchemas(Object.assign({}, REPLY_PARTS, ...replies), "output"),
        Refusal: REFUSAL,
      },
    },
  };
}

/** The body of every refusal that is not a 422. */
const REFUSAL = {
  type: "object",
  properties: { error_code: { type: "string" }, detail: { type: "string" } },
  required: ["detail"],
};

function describeRoute(route: Route): Record<string, unknown> {
  const { method, path, role, summary, query = [] } = route;
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^A-Za-z0-9]+/g, "_")}`.replace(/_$/, ""),
    summary,
    ...(role === "anyone" ? { security: [] } : { description: `Needs ${keyFor(role)}.` }),
    parameters: parametersOf(path, query),
    ...requestBodyOf(route),
    responses: {
      200: { description: "Done", content: replyContent(route) },
      422: { description: "The request is not valid", content: jsonContent({ HTTPValidationError }) },
      default: { description: "Refused, and why", content: jsonContent({ Refusal: REFUSAL }) },
    },
  };
}

function keyFor(role: RouteRole): string {
  return role === "caller" ? "any key" : `a key of the role ${role}`;
}

function parametersOf(path: string, query: readonly string[]): Record<string, unknown>[] {
  const schema = { type: "string" };
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: "path", required: true, schema }));
  return [...inPath, ...query.map((name) => ({ name, in: "query", required: false, schema }))];
}

function requestBodyOf({ body, rawBody, isForm }: Route): Record<string, unknown> {
  if (isForm === true && body !== undefined) {
    const content = { "application/x-www-form-urlencoded": { schema: reference(body) } };
    return { requestBody: { required: true, content } };
  }
  if (rawBody === "files") {
    const file = { type: "string", contentMediaType: "application/octet-stream" };
    const schema = { type: "object", properties: { files: { type: "array", items: file } }, required: ["files"] };
    return { requestBody: { required: true, content: { "multipart/form-data": { schema } } } };
  }
  const model = body ?? rawBody;
  return model === undefined ? {} : { requestBody: { required: true, content: jsonContent(model) } };
}

function replyContent({ reply, events, isPage }: Route): Record<string, unknown> {
  if (isPage === true) return { "text/html": { schema: { type: "string" } } };
  return {
    ...(events !== undefined && { "text/event-stream": { schema: reference(events) } }),
    ...(reply === undefined ? { "application/json": { schema: {} } } : jsonContent(reply)),
  };
}

function jsonContent(named: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { "application/json": { schema: reference(named) } };
}

function reference(named: Readonly<Record<string, unknown>>): { $ref: string } {
  return { $ref: `#/components/schemas/${Object.keys(named)[0]}` };
}

function modelSchemas(models: Readonly<Record<string, z.ZodMiniType>>, io: "input" | "output") {
  const registry = z.registry<{ id: string }>();
  for (const [id, model] of Object.entries(models)) registry.add(model, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    unrepresentable: "any",
  });
  // Names and dialect are said once, by the document around them.
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _name, ...schema }]) => [id, schema]),
  );
}
