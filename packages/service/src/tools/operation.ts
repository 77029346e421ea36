import { isWellFormed, type Json, type JsonMap } from "./ordered-json.ts";
import { checkPathTemplate, PathTemplateError } from "./path-template.ts";
import type { JsonPath, Problems } from "../http/problem.ts";

/** A method before it is made plain. `raw_name` is the operationId as written; deployed servers send it too. */
export interface Operation {
  readonly name: string;
  readonly raw_name: string;
  readonly summary: string;
  readonly path: string;
  readonly method: string;
  readonly spec: JsonMap;
}

/** The method one entry of a path describes; undefined, with a problem added, when it describes none. */
export function operationOf(at: JsonPath, path: string, method: string, spec: Json, problems: Problems) {
  if (!(spec instanceof Map)) {
    const hint = "every entry of a path should be an operation; move what all of them share into each operation";
    return problems.add(at, `\`${brief(method)}\` is no operation: ${hint}`, "dict_type");
  }
  const where = () => `${brief(method.toUpperCase())} ${brief(path)}`;
  const id = spec.get("operationId");
  const summary = [spec.get("summary"), spec.get("description")].find(truthy);
  if (!truthy(id)) problems.add([...at, "operationId"], `${where()} has no operationId`, "missing");
  else if (typeof id !== "string")
    problems.add([...at, "operationId"], "An operationId should be a text", "string_type");
  if (summary === undefined) {
    problems.add([...at, "summary"], `${where()} has neither a summary nor a description`, "missing");
  } else if (typeof summary !== "string") {
    problems.add([...at, "summary"], "A summary or description should be a text", "string_type");
  }
  if (typeof id !== "string" || id === "" || typeof summary !== "string") return undefined;
  return { name: id.replace(/[^A-Za-z0-9_-]/gu, "_"), raw_name: id, summary, path, method, spec };
}

/** Whether the operation could be called: its URL, its body, its method. */
export function checkCall(operation: Operation, at: JsonPath, problems: Problems): void {
  const names = pathParameters(operation.spec, [...at, "parameters"], problems);
  if (names !== undefined) checkTemplate(operation.path, names, at, problems);
  checkBody(operation.spec, [...at, "requestBody"], problems);
  if (!["GET", "POST", "PUT", "DELETE", "PATCH"].includes(operation.method.toUpperCase())) {
    const method = brief(operation.method);
    problems.add(at, `The method '${method}' is not supported; only get, post, put, delete and patch are`);
  }
  if (!operation.path.isWellFormed() || !isWellFormed(operation.spec)) {
    problems.add(at, "The text holds half of a surrogate pair, which is not Unicode", "string_unicode");
  }
}

/**
 * Names of the parameters usable in the path: `in: path`, with a schema. Undefined: the list itself is broken.
 * What is neither null nor a scalar but no parameter either is passed over, as deployed servers do.
 */
function pathParameters(spec: JsonMap, at: JsonPath, problems: Problems): Set<string> | undefined {
  const parameters = spec.has("parameters") ? spec.get("parameters") : [];
  const names = new Set<string>();
  if (parameters instanceof Map || typeof parameters === "string") return names;
  if (!Array.isArray(parameters)) return problems.add(at, "`parameters` should be a list of objects", "list_type");
  for (const [index, parameter] of parameters.entries()) {
    if (Array.isArray(parameter) || typeof parameter === "string") continue;
    if (parameter instanceof Map) addName(parameter, names, [...at, index, "name"], problems);
    else problems.add([...at, index], "A parameter should be an object", "dict_type");
  }
  return names;
}

function addName(parameter: JsonMap, names: Set<string>, at: JsonPath, problems: Problems): void {
  const place = parameter.get("in");
  if (!parameter.has("schema") || (place !== "path" && place !== "query")) return;
  const name = parameter.get("name");
  if (typeof name === "string") {
    if (place === "path") names.add(name);
    return;
  }
  const scalar = name !== undefined && !(name instanceof Map) && !Array.isArray(name);
  if (place === "path" || !scalar) problems.add(at, "A parameter needs a name, as a text", "string_type");
}

function checkTemplate(path: string, names: ReadonlySet<string>, at: JsonPath, problems: Problems): void {
  try {
    checkPathTemplate(path, names);
  } catch (error) {
    if (!(error instanceof PathTemplateError)) throw error;
    const fix =
      "describe it in this operation's own `parameters`, with `in: path` and a `schema`; a `$ref` is not followed";
    const message =
      error.parameter === undefined ? `The path cannot be filled in: ${error.message}` : `${error.message}: ${fix}`;
    problems.add(error.parameter === undefined ? at : [...at, "parameters"], message);
  }
}

/** A body must be JSON, or none; a reference or an empty one passes, as nothing is known about it. */
function checkBody(spec: JsonMap, at: JsonPath, problems: Problems): void {
  if (!spec.has("requestBody")) return;
  const body = spec.get("requestBody");
  if (!(body instanceof Map)) return problems.add(at, "A request body should be an object", "dict_type");
  const content = body.has("content") ? body.get("content") : new Map<string, Json>();
  if (!(content instanceof Map)) {
    if ((Array.isArray(content) || typeof content === "string") && content.length === 0) return;
    return problems.add([...at, "content"], "`content` should be an object with one entry per media type", "dict_type");
  }
  const json = content.get("application/json");
  if (json !== undefined) {
    if (json instanceof Map) return;
    return problems.add([...at, "content", "application/json"], "A media type should be an object", "dict_type");
  }
  const [other] = content.keys();
  if (other === undefined) return;
  problems.add([...at, "content"], `The body is '${brief(other)}'; only 'application/json' can be sent`);
}

/** What counts as present: everything but null, false, zero and what is empty. */
export function truthy(value: Json | undefined): value is Json {
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Map) return value.size > 0;
  return Number.isNaN(value) || Boolean(value);
}

/** Names out of the definition can be a megabyte long; a message is for reading. */
export function brief(text: string): string {
  return (text.length <= 80 ? text : `${text.slice(0, 80)}…`).toWellFormed();
}
