import { isRecord } from "../routes/reading.ts";
import { pythonRepr } from "../python-repr.ts";

/** What can be called, as the service lists it. */
interface ToolMethod {
  name: string;
  raw_name: string;
  summary: string;
  path: string;
  method: string;
  spec: unknown;
}

/** The methods of an OpenAPI document, or the first thing that is wrong with it. */
export function validateTool(definition: object): ToolMethod[] | string {
  const { info, openapi, paths, servers } = { ...definition } as Record<string, unknown>;
  if (info === undefined) return "`info` section is required in OpenAPI schema";
  const about = isRecord(info) ? info : {};
  for (const name of ["title", "description"])
    if (!Object.hasOwn(about, name)) return `\`${name}\` is required in \`info\` section of OpenAPI schema`;
  if (openapi === undefined) return "`openapi` field which specifies OpenAPI schema version is required";
  if (typeof openapi !== "string") return `'${pythonType(openapi)}' object has no attribute 'startswith'`;
  if (!openapi.startsWith("3.")) return `OpenAPI version '${openapi}' is not supported`;
  if (paths === undefined) return "`paths` section is required in OpenAPI schema";
  const urls = (Array.isArray(servers) ? servers : []).flatMap((server) =>
    isRecord(server) && server["url"] ? [server["url"]] : [],
  );
  if (urls.length !== 1) return `Expected exactly one URL in OpenAPI schema, but found ${pythonRepr(urls)}`;
  return readMethods(isRecord(paths) ? paths : {});
}

function readMethods(paths: Record<string, unknown>): ToolMethod[] | string {
  const methods: ToolMethod[] = [];
  for (const [path, entry] of Object.entries(paths)) {
    if (!isRecord(entry)) continue;
    for (const [method, spec] of Object.entries(entry)) {
      if (!isRecord(spec)) return `'${pythonType(spec)}' object has no attribute 'get'`;
      const { operationId, summary, description } = spec;
      const where = `${method.toUpperCase()} ${path}`;
      if (typeof operationId !== "string" || operationId === "") return `Operation ID is not specified for ${where}`;
      const text = [summary, description].find((one) => typeof one === "string" && one !== "");
      if (typeof text !== "string") return `Summary is not specified for ${where}`;
      const name = operationId.replace(/[^A-Za-z0-9_-]/g, "_");
      const same = methods.find((one) => one.name === name);
      if (same?.raw_name === operationId)
        return `Duplicate operation ID '${operationId}'. Each operation must have a unique operationId.`;
      if (same !== undefined)
        return `Operation IDs '${same.raw_name}' and '${operationId}' both sanitize to '${name}'. Rename one so the LLM-facing names stay distinct.`;
      methods.push({ name, raw_name: operationId, summary: text, path, method, spec });
    }
  }
  if (methods.length === 0) return "No methods found in OpenAPI schema";
  for (const one of methods) {
    const flaw = methodFlaw(one);
    if (flaw !== undefined) return flaw;
  }
  return methods;
}

function methodFlaw({ path, method, spec }: ToolMethod): string | undefined {
  const { parameters, requestBody } = { ...(isRecord(spec) ? spec : {}) } as Record<string, unknown>;
  const named = (Array.isArray(parameters) ? parameters : [])
    .filter((one) => isRecord(one) && one["in"] === "path" && isRecord(one["schema"]))
    .map((one) => one["name"]);
  const missing = [...path.matchAll(/\{([^}]*)\}/g)].find(([, name]) => !named.includes(name));
  if (missing !== undefined) return `Missing path parameter: '${missing[1]}'`;
  const content = isRecord(requestBody) ? requestBody["content"] : undefined;
  if (isRecord(content) && Object.keys(content).length > 0 && !Object.hasOwn(content, "application/json"))
    return `Unsupported content type: '${Object.keys(content)[0]}'. Only 'application/json' is supported.`;
  if (!/^(get|post|put|delete|patch)$/i.test(method)) return `HTTP method '${method}' is not supported.`;
  return undefined;
}

function pythonType(value: unknown): string {
  if (value === null) return "NoneType";
  if (Array.isArray(value)) return "list";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return { boolean: "bool", string: "str" }[String(typeof value)] ?? "dict";
}
