import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ownTime, sharedFolder } from "@threadlore/testkit";
import { HTTPValidationError, ToolMethod, ToolValidationResponse } from "@threadlore/client/models";
import { describe, expect, it } from "vitest";
import { methodsOf, validateToolBody } from "./definition.ts";

/** A definition that passes, with `change` written over it; undefined takes a key away. */
function definition(change: Record<string, unknown> = {}): Record<string, unknown> {
  const whole = {
    openapi: "3.1.0",
    info: { title: "Tickets", description: "The help desk" },
    servers: [{ url: "https://desk.example" }],
    paths: { "/tickets": { get: { operationId: "listTickets", summary: "Every open ticket" } } },
    ...change,
  };
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined));
}

const withOperation = (operation: unknown, path = "/x", method = "post") =>
  definition({ paths: { [path]: { [method]: operation } } });
const operation = { operationId: "a", summary: "s" };

function problemsOf(value: unknown) {
  const outcome = methodsOf(value);
  if (!("problems" in outcome)) return [];
  expect(HTTPValidationError.parse({ detail: outcome.problems }).detail.length).toBeGreaterThan(0);
  return outcome.problems;
}

/** Where the first problem is, below the definition. */
const firstPlace = (value: unknown) => problemsOf(value)[0]?.loc.slice(2).join(" ");

describe("a definition that passes", () => {
  it("gives the server and one method per operation", () => {
    const spec = { operationId: "tickets.show one", description: "One ticket", parameters: [parameter("id")] };
    const paths = { "/tickets/{id}": { get: spec }, "/tickets": { post: operation } };
    const outcome = methodsOf(definition({ paths }));
    expect(outcome).toEqual({
      server: "https://desk.example",
      methods: [
        {
          name: "tickets_show_one",
          raw_name: "tickets.show one",
          summary: "One ticket",
          path: "/tickets/{id}",
          method: "get",
          spec,
        },
        { name: "a", raw_name: "a", summary: "s", path: "/tickets", method: "post", spec: operation },
      ],
    });
    expect("methods" in outcome && outcome.methods.map((method) => ToolMethod.parse(method))).toHaveLength(2);
  });

  it("names methods with letters, digits, _ and - only, one mark for each other character", () => {
    const outcome = methodsOf(withOperation({ ...operation, operationId: "süß-1_2 \u{1f600}\n" }));
    expect("methods" in outcome && outcome.methods[0]?.name).toBe("s__-1_2___");
  });

  const passing: Record<string, unknown> = {
    "a title and description of null": definition({ info: { title: null, description: null } }),
    "further servers without a URL": definition({ servers: [{ url: "/api" }, { url: "" }, { description: "spare" }] }),
    "a method in capitals": withOperation(operation, "/x", "PATCH"),
    "an empty summary with a description": withOperation({ operationId: "a", summary: "", description: "d" }),
    "operationIds that differ in case": definition({
      paths: { "/x": { get: operation, put: { ...operation, operationId: "A" } } },
    }),
    "a JSON body beside a form": withOperation({
      ...operation,
      requestBody: { content: { "text/plain": {}, "application/json": {} } },
    }),
    "a body by reference": withOperation({ ...operation, requestBody: { $ref: "#/components/requestBodies/a" } }),
    "no content in the body": withOperation({ ...operation, requestBody: { content: {} } }),
    "references that lead nowhere or in a circle": withOperation({
      ...operation,
      responses: { 200: { $ref: "#/paths" } },
    }),
    "a parameter by reference in a path without fields": withOperation({ ...operation, parameters: [{ $ref: "#/x" }] }),
    "a pattern that would hang a regular expression": withOperation({
      ...operation,
      parameters: [{ name: "q", in: "query", schema: { type: "string", pattern: "^(a+)+$" } }],
    }),
  };
  it.each(Object.entries(passing))("may have %s", (_, value) => {
    expect(problemsOf(value)).toEqual([]);
  });
});

describe("a definition that does not pass", () => {
  const refused: [string, unknown, string][] = [
    ["is no object", "x", ""],
    ["has no info", definition({ info: undefined }), "info"],
    ["has no title", definition({ info: { description: "d" } }), "info title"],
    ["has no description", definition({ info: { title: "t" } }), "info description"],
    ["is Swagger 2.0", definition({ openapi: undefined, swagger: "2.0" }), "openapi"],
    ["is of another version", definition({ openapi: "4.0.0" }), "openapi"],
    ["says its version as a number", definition({ openapi: 3.1 }), "openapi"],
    ["has no paths", definition({ paths: undefined }), "paths"],
    ["has a list for paths", definition({ paths: [] }), "paths"],
    ["has no operation", definition({ paths: { "/x": {} } }), "paths"],
    ["has no server", definition({ servers: undefined }), "servers"],
    ["has two servers", definition({ servers: [{ url: "https://a" }, { url: "https://b" }] }), "servers"],
    ["has a server that is a text", definition({ servers: ["https://a"] }), "servers 0"],
    ["has a list for a path", definition({ paths: { "/x": [] } }), "paths /x"],
    [
      "has parameters for a whole path",
      definition({ paths: { "/x": { parameters: [], get: operation } } }),
      "paths /x parameters",
    ],
    ["has an operation without an id", withOperation({ summary: "s" }), "paths /x post operationId"],
    [
      "has an operation with a number for an id",
      withOperation({ operationId: 7, summary: "s" }),
      "paths /x post operationId",
    ],
    ["has an operation nobody described", withOperation({ operationId: "a" }), "paths /x post summary"],
    ["has a list for a summary", withOperation({ operationId: "a", summary: ["s"] }), "paths /x post summary"],
    [
      "uses an id twice",
      definition({ paths: { "/x": { get: operation, put: operation } } }),
      "paths /x put operationId",
    ],
    ["has a path parameter nobody described", withOperation(operation, "/x/{id}"), "paths /x/{id} post parameters"],
    [
      "has a path parameter without a schema",
      withOperation({ ...operation, parameters: [{ name: "id", in: "path" }] }, "/{id}"),
      "paths /{id} post parameters",
    ],
    ["has a path that is broken", withOperation(operation, "/x/{"), "paths /x/{ post"],
    [
      "has a parameter without a name",
      withOperation({ ...operation, parameters: [{ in: "query", schema: {} }] }),
      "paths /x post parameters 0 name",
    ],
    ["has null for parameters", withOperation({ ...operation, parameters: null }), "paths /x post parameters"],
    ["has null for a parameter", withOperation({ ...operation, parameters: [null] }), "paths /x post parameters 0"],
    [
      "takes a form",
      withOperation({ ...operation, requestBody: { content: { "multipart/form-data": {} } } }),
      "paths /x post requestBody content",
    ],
    ["has null for a body", withOperation({ ...operation, requestBody: null }), "paths /x post requestBody"],
    [
      "has null for a media type",
      withOperation({ ...operation, requestBody: { content: { "application/json": null } } }),
      "paths /x post requestBody content application/json",
    ],
    ["uses another method", withOperation(operation, "/x", "head"), "paths /x head"],
    ["holds half a surrogate pair", withOperation({ ...operation, summary: "\ud800" }), "paths /x post"],
  ];
  it.each(refused)("%s", (_, value, place) => {
    expect(firstPlace(value)).toBe(place);
  });

  it("gets all its problems told at once, in plain words", () => {
    const broken = {
      info: { title: "t" },
      openapi: "2.0",
      paths: { "/x/{id}": { get: { summary: "s" }, trace: operation } },
    };
    expect(problemsOf(broken).map((problem) => problem.msg)).toEqual([
      "`info` needs a `description`",
      "OpenAPI version '2.0' is not supported; only 3.x is",
      "Exactly one server with a URL is needed; this definition has 0",
      "GET /x/{id} has no operationId",
      "The path parameter 'id' is not described: describe it in this operation's own `parameters`, with `in: path` and a `schema`; a `$ref` is not followed",
      "The method 'trace' is not supported; only get, post, put, delete and patch are",
    ]);
  });

  it("is told which two ids would become one name", () => {
    const paths = {
      "/x": { get: { ...operation, operationId: "a.b" } },
      "/y": { get: { ...operation, operationId: "a b" } },
    };
    const [problem] = problemsOf(definition({ paths }));
    expect(problem?.msg).toBe(
      "The operationIds 'a.b' and 'a b' both become 'a_b'; rename one so that a model can tell them apart",
    );
    expect(problem?.loc).toEqual(["body", "definition", "paths", "/y", "get", "operationId"]);
  });

  it("is told at most twenty problems", () => {
    const paths = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`/${index}`, { get: {}, head: {} }]));
    expect(problemsOf(definition({ paths }))).toHaveLength(20);
  });
});

describe("the request's body to the reply's", () => {
  const body = (paths: string) =>
    `{"definition":{"openapi":"3.0.0","info":{"title":"T","description":"D"},"servers":[{"url":"https://a.example"}],"paths":${paths}}}`;
  const reply = (paths: string) => {
    const outcome = validateToolBody(body(paths));
    if ("problems" in outcome) throw new Error(outcome.problems[0]?.msg);
    expect(ToolValidationResponse.safeParse(JSON.parse(outcome.body)).success).toBe(true);
    return outcome.body;
  };

  it("keeps paths, statuses and every word of an operation in the order they were written", () => {
    const spec =
      '{"summary":"s","operationId":"b","responses":{"default":{},"404":{},"200":{"max":12345678901234567890}}}';
    const second = '{"operationId":"a","summary":"s"}';
    expect(reply(`{"/b":{"get":${spec}},"2":{"get":${second}}}`)).toBe(
      `{"methods":[{"name":"b","raw_name":"b","summary":"s","path":"/b","method":"get","spec":${spec}},` +
        `{"name":"a","raw_name":"a","summary":"s","path":"2","method":"get","spec":${second}}]}`,
    );
  });

  it("gives NaN back as null", () => {
    expect(reply('{"/x":{"get":{"operationId":"a","summary":"s","x-n":NaN}}}')).toContain('"x-n":null');
  });

  it("treats __proto__ as a path like any other", () => {
    const text = reply('{"__proto__":{"get":{"operationId":"a","summary":"s","__proto__":{"polluted":1}}}}');
    expect(text).toContain('"path":"__proto__"');
    expect(text).toContain('"__proto__":{"polluted":1}');
    expect("polluted" in {}).toBe(false);
  });

  it.each([
    ["{}", ["body", "definition"], "missing"],
    ['{"definition":null}', ["body", "definition"], "dict_type"],
    ['{"definition":[]}', ["body", "definition"], "dict_type"],
    ['{"definition":"x"}', ["body", "definition"], "dict_type"],
    ["[]", ["body"], "dict_type"],
    ['{"definition":', ["body"], "json_invalid"],
    ["", ["body"], "json_invalid"],
  ])("refuses the body %j", (text, loc, type) => {
    expect(validateToolBody(text)).toMatchObject({ problems: [{ loc, type }] });
  });
});

describe("hostile definitions", () => {
  /** Within a second of its own; on a slow machine, in proportion to what JSON alone takes there. */
  const timed = (text: string) => {
    let outcome!: ReturnType<typeof validateToolBody>;
    const taken = ownTime(() => (outcome = validateToolBody(text)));
    if (taken > 1_000) expect(taken).toBeLessThan(12 * ownTime(() => JSON.stringify(JSON.parse(text))));
    expect("polluted" in {}).toBe(false);
    return outcome;
  };
  const many = (count: number, one: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => one(index)).join(",");
  const head = '"openapi":"3.0.0","info":{"title":"T","description":"D"},"servers":[{"url":"https://a.example"}]';

  it("takes 100,000 paths, and 50,000 methods of one path", () => {
    const paths = many(100_000, (index) => `"/${index}":{"get":{"operationId":"o${index}","summary":"s"}}`);
    const outcome = timed(`{"definition":{${head},"paths":{${paths}}}}`);
    expect("body" in outcome && JSON.parse(outcome.body).methods).toHaveLength(100_000);
    const methods = many(50_000, (index) => `"m${index}":{"operationId":"o${index}","summary":"s"}`);
    expect(timed(`{"definition":{${head},"paths":{"/x":{${methods}}}}}`)).toHaveProperty("problems.length", 20);
  });

  it("takes an operationId of a megabyte, and says little about it when it is wrong", () => {
    const id = "é".repeat(1_000_000);
    const one = `{"operationId":"${id}","summary":"s"}`;
    expect(timed(`{"definition":{${head},"paths":{"/x":{"get":${one}}}}}`)).toHaveProperty("body");
    const twice = timed(`{"definition":{${head},"paths":{"/x":{"get":${one},"put":${one}}}}}`);
    expect("problems" in twice && twice.problems[0]?.msg.length).toBeLessThan(200);
  });

  it("refuses what nests without end", () => {
    const deep = `${'{"allOf":['.repeat(10_000)}${"]}".repeat(10_000)}`;
    expect(timed(`{"definition":{${head},"paths":{},"components":${deep}}}`)).toHaveProperty("problems");
    let nested: Record<string, unknown> = {};
    for (let depth = 0; depth < 10_000; depth++) nested = { nested };
    expect(problemsOf(definition({ nested }))[0]?.msg).toBe("The JSON nests deeper than 64 levels");
  });

  const folder = sharedFolder("vectors");
  it.runIf(folder)("judges every published vector within a second", () => {
    const vectors = JSON.parse(readFileSync(join(folder ?? "", "hostile-definitions.json"), "utf8"));
    for (const vector of vectors.definitions)
      expect(timed(JSON.stringify({ definition: vector.definition }))).toBeDefined();
    for (const raw of vectors.raw_json) expect(timed(`{"definition":${raw}}`)).toHaveProperty("problems");
  });

  it.runIf(folder)("judges every published OpenAPI document", () => {
    const judged = ["readme-oas-examples-json.tar.gz", "oai-v3.0-pass.tar.gz"].flatMap((name) =>
      filesOf(gunzipSync(readFileSync(join(folder ?? "", name)))).filter((file) => file.name.endsWith(".json")),
    );
    expect(judged.length).toBeGreaterThanOrEqual(66);
    for (const file of judged) {
      expect(JSON.parse(file.text), file.name).toBeTypeOf("object");
      expect(timed(`{"definition":${file.text}}`), file.name).toBeDefined();
    }
  });
});

describe("the recorded verdicts of a deployed server", () => {
  /**
   * Cases in which we judge otherwise on purpose, each with its reason. None is needed for the cases at hand: where a
   * deployed server's refusal is the text of an exception, the definition is wrong all the same.
   */
  const accidents: Readonly<Record<string, string>> = {};

  const folder = sharedFolder("wire/dev/validator");
  it.runIf(folder)("are ours, case by case, with the same methods in the same order", () => {
    const lines = readFileSync(join(folder ?? "", "cases.jsonl"), "utf8")
      .trim()
      .split("\n");
    const different = lines
      .map((line): Recorded => JSON.parse(line))
      .filter((recorded) => !judgedAlike(recorded, folder ?? ""));
    expect(different.map((recorded) => recorded.id)).toEqual(Object.keys(accidents));
    expect(lines).toHaveLength(274);
  });
});

interface Recorded {
  readonly id: string;
  readonly status: number;
  readonly definition?: unknown;
  readonly definitionText?: string;
  readonly definitionFile?: string;
  readonly bodySent?: unknown;
  readonly body?: unknown;
  readonly bodyFile?: string;
}

function judgedAlike(recorded: Recorded, folder: string): boolean {
  const file = (name: string) => readFileSync(join(folder, name.startsWith("docs/") ? name : `docs/${name}`), "utf8");
  const text = recorded.definitionText ?? (recorded.definitionFile && file(recorded.definitionFile));
  const sent = recorded.bodySent ?? `{"definition":${text ?? JSON.stringify(recorded.definition)}}`;
  const outcome = validateToolBody(typeof sent === "string" ? sent : JSON.stringify(sent));
  if (!("body" in outcome) || recorded.status !== 200) return "problems" in outcome && recorded.status >= 400;
  const reply = recorded.bodyFile ? file(recorded.bodyFile) : JSON.stringify(recorded.body);
  return JSON.stringify(JSON.parse(outcome.body)) === JSON.stringify(JSON.parse(reply));
}

function parameter(name: string) {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

/** The files of a tar archive: 512-byte headers with a name and an octal size, each followed by its bytes. */
function filesOf(archive: Uint8Array): { name: string; text: string }[] {
  const decoder = new TextDecoder();
  const field = (at: number, length: number) =>
    decoder.decode(archive.subarray(at, at + length)).split("\0", 1)[0] ?? "";
  const files: { name: string; text: string }[] = [];
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0;) {
    const size = Number.parseInt(field(at + 124, 12), 8);
    files.push({ name: field(at, 100), text: decoder.decode(archive.subarray(at + 512, at + 512 + size)) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
