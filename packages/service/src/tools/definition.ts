import type { JsonObject, ToolMethod, ValidationError } from "@threadlore/client/models";
import { fromPlain, type Json, type JsonMap, JsonTextError, readJson, writeJson } from "./ordered-json.ts";
import { type JsonPath, Problems } from "../http/problem.ts";
import { brief, checkCall, type Operation, operationOf, truthy } from "./operation.ts";

/**
 * An OpenAPI definition -> the methods a model can call, or why not.
 *
 * The rules are those of deployed servers (docs/wire.md, section 4.2): few, and nothing else of OpenAPI is checked. No
 * `$ref` is followed, so no definition can make this file read or fetch anything. Where a deployed server answers 400
 * with one text, this service answers 422 and lists every problem with the place it is at.
 */

/** What a caller of the tool needs: where it is, and its methods in the definition's order. */
export interface DefinedTool {
  /** The one server URL, as written: it may be relative or no URL at all. */
  readonly server: string;
  readonly methods: readonly ToolMethod[];
}

/** Why a definition was refused: at least one entry of an HTTPValidationError, at most 20. */
export interface Refusal {
  readonly problems: readonly ValidationError[];
}

/**
 * The methods of a definition that was parsed already: keys that look like integers come first, as JavaScript orders
 * them. Pure, linear, never throws.
 */
export function methodsOf(definition: unknown): DefinedTool | Refusal {
  const derived = guarded(() => derive(fromPlain(definition)));
  if ("problems" in derived) return derived;
  return {
    server: derived.server,
    methods: derived.methods.map((method) => ({ ...method, spec: JSON.parse(writeJson(method.spec)) as JsonObject })),
  };
}

/**
 * The whole operation, from the request's body to the reply's: `{"definition": …}` -> `{"methods": […]}` with paths,
 * methods and their specs in the order they were written. Pure, linear, never throws.
 */
export function validateToolBody(text: string): { readonly body: string } | Refusal {
  const derived = guarded(() => {
    const request = readJson(text);
    if (!(request instanceof Map)) return refusal(["body"], "Input should be a JSON object", "dict_type");
    if (!request.has("definition")) return refusal(ROOT, "Field required", "missing");
    return derive(request.get("definition"));
  });
  if ("problems" in derived) return derived;
  return { body: `{"methods":[${derived.methods.map(methodText).join(",")}]}` };
}

function methodText({ spec, ...named }: Operation): string {
  return `${JSON.stringify(named).slice(0, -1)},"spec":${writeJson(spec)}}`;
}

const ROOT: JsonPath = ["body", "definition"];

interface Derived {
  readonly server: string;
  readonly methods: readonly Operation[];
}

function refusal(loc: JsonPath, msg: string, type: string): Refusal {
  return { problems: [{ loc: [...loc], msg, type }] };
}

function guarded<Result>(work: () => Result | Refusal): Result | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof JsonTextError) return refusal(["body"], error.message, "json_invalid");
    throw error;
  }
}

function derive(definition: Json | undefined): Derived | Refusal {
  if (!(definition instanceof Map)) return refusal(ROOT, "Input should be a JSON object", "dict_type");
  const problems = new Problems();
  checkInfo(definition, problems);
  checkVersion(definition, problems);
  if (!definition.has("paths")) problems.add([...ROOT, "paths"], "`paths` is missing", "missing");
  const server = serverOf(definition, problems);
  const methods = operationsOf(definition, problems);
  return problems.list.length > 0 || server === undefined ? { problems: problems.list } : { server, methods };
}

function checkInfo(definition: JsonMap, problems: Problems): void {
  const info = definition.get("info");
  if (info === undefined) {
    problems.add([...ROOT, "info"], "`info` is missing; it needs a title and a description", "missing");
    return;
  }
  for (const key of ["title", "description"]) {
    if (!mentions(info, key)) problems.add([...ROOT, "info", key], `\`info\` needs a \`${key}\``, "missing");
  }
}

/** Deployed servers only ask whether the word is in there, so a list or a text that holds it passes too. */
function mentions(value: Json, word: string): boolean {
  if (value instanceof Map) return value.has(word);
  return (Array.isArray(value) || typeof value === "string") && value.includes(word);
}

function checkVersion(definition: JsonMap, problems: Problems): void {
  const version = definition.get("openapi");
  const at = [...ROOT, "openapi"];
  if (version === undefined) {
    problems.add(at, '`openapi` is missing; it names the version of OpenAPI, such as "3.1.0"', "missing");
  } else if (typeof version !== "string") {
    problems.add(at, 'The version of OpenAPI should be a text such as "3.1.0"', "string_type");
  } else if (!version.startsWith("3.")) {
    problems.add(at, `OpenAPI version '${brief(version)}' is not supported; only 3.x is`);
  }
}

/** The one URL of `servers`; entries without one do not count. */
function serverOf(definition: JsonMap, problems: Problems): string | undefined {
  const servers = definition.get("servers") ?? (definition.has("servers") ? null : []);
  const at = [...ROOT, "servers"];
  if (!Array.isArray(servers)) return problems.add(at, "`servers` should be a list of objects", "list_type");
  const broken = servers.findIndex((server) => !(server instanceof Map));
  if (broken !== -1) return problems.add([...at, broken], "A server should be an object with a `url`", "dict_type");
  const urls = servers.map((server) => (server instanceof Map ? server.get("url") : undefined)).filter(truthy);
  const [url] = urls;
  if (urls.length !== 1 || url === undefined) {
    return problems.add(at, `Exactly one server with a URL is needed; this definition has ${urls.length}`);
  }
  return typeof url === "string" ? url : writeJson(url);
}

function operationsOf(definition: JsonMap, problems: Problems): Operation[] {
  const paths = definition.get("paths");
  if (paths === undefined) return [];
  const at = [...ROOT, "paths"];
  if (!(paths instanceof Map)) {
    problems.add(at, "`paths` should be an object", "dict_type");
    return [];
  }
  const operations: Operation[] = [];
  const names = new Map<string, string>();
  for (const [path, item] of paths) {
    if (problems.full) break;
    if (!(item instanceof Map)) {
      problems.add([...at, path], "A path should be an object with one entry per method", "dict_type");
      continue;
    }
    for (const [method, spec] of item) {
      const place = [...at, path, method];
      const operation = operationOf(place, path, method, spec, problems);
      if (operation === undefined) continue;
      checkName(operation, names, [...place, "operationId"], problems);
      checkCall(operation, place, problems);
      operations.push(operation);
    }
  }
  const empty = [...paths.values()].every((item) => item instanceof Map && item.size === 0);
  if (empty) problems.add(at, "No methods were found: `paths` holds no operation");
  return operations;
}

function checkName(operation: Operation, names: Map<string, string>, at: JsonPath, problems: Problems): void {
  const { name, raw_name: id } = operation;
  const other = names.get(name);
  if (other === undefined) names.set(name, id);
  else if (other === id) problems.add(at, `The operationId '${brief(id)}' is used twice; each must be unique`);
  else {
    const both = `The operationIds '${brief(other)}' and '${brief(id)}'`;
    problems.add(at, `${both} both become '${brief(name)}'; rename one so that a model can tell them apart`);
  }
}
