import { array, assert, constantFrom, dictionary, json, oneof, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entry, FileFormat } from "../assistant.ts";
import { ASSISTANTS } from "../known-assistants.ts";
import { BrokenConfigError } from "./config-language.ts";
import { editedText, languageOf } from "./edited-text.ts";

const LANGUAGES = {
  json: await languageOf("json"),
  yaml: await languageOf("yaml"),
  toml: await languageOf("toml"),
};
const UNDER = { json: [["mcpServers"]], yaml: [["extensions"]], toml: [["mcp_servers"]] } as const;
const ENTRY: Entry = { command: "/opt/node", args: ["/opt/main.js", "mcp"] };

const put = (format: FileFormat, text: string, entry: Entry = ENTRY) =>
  editedText(LANGUAGES[format], text, UNDER[format], entry);
const drop = (format: FileFormat, text: string) => editedText(LANGUAGES[format], text, UNDER[format], undefined);

/** Files in which somebody has servers already: other people's habits of writing them, all to be kept. */
const KEPT: readonly (readonly [FileFormat, string, string])[] = [
  ["json", "two spaces", '{\n  "mcpServers": {\n    "a": {\n      "command": "a"\n    }\n  }\n}\n'],
  ["json", "tabs", '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"a": {}\n\t},\n\t"last": [1, 2]\n}\n'],
  ["json", "four spaces and no line break at the end", '{\n    "mcpServers": {\n        "a": {}\n    }\n}'],
  ["json", "line breaks of Windows", '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n'],
  ["json", "a byte order mark", '\uFEFF{\n  "mcpServers": {\n    "a": {}\n  }\n}\n'],
  ["json", "one line", '{"projects":{"p":1},"mcpServers":{"a":{"command":"a"}},"z":2}'],
  ["json", "one line with gaps", '{ "mcpServers": { "a": { } } }'],
  ["json", "commas at the ends", '{\n  "mcpServers": {\n    "a": {},\n  },\n}\n'],
  [
    "json",
    "comments",
    '// mine\n{\n  "mcpServers": {\n    "a": {} // a, "b": {}\n    // "c": {}\n  } /* } */\n}\n// end\n',
  ],
  ["json", "a comment before the comma at the end", '{\n  "mcpServers": {\n    "a": {} /* a */, // b\n  }\n}\n'],
  ["json", "a comma on a line of its own", '{\n  "mcpServers": {\n    "a": {}\n    ,\n  }\n}\n'],
  ["json", "an empty object", '{\n  "mcpServers": {}\n}\n'],
  ["json", "only a comment inside", '{\n  "mcpServers": {\n    // none yet\n  }\n}\n'],
  [
    "json",
    "keys that look like ours",
    '{\n  "threadlore": 1,\n  "mcpServers": {\n    "Threadlore": {},\n    "a": {"threadlore": 2}\n  }\n}\n',
  ],
  ["json", "other scripts", '{\n  "mcpServers": {\n    "知識": { "args": ["/家/ü 🗂"] }\n  }\n}\n'],
  ["json", "a key written with escapes", '{\n  "mcp\\u0053ervers": {\n    "a": {}\n  }\n}\n'],
  [
    "yaml",
    "comments and empty lines",
    "# top\na: 1\nextensions:\n  dev:\n    x: 1 # c\n\n  mem:\n    y: 2\n    # of mem\n\n# tail\nb: 2\n",
  ],
  ["yaml", "four spaces and no line break at the end", 'extensions:\n    dev: {x: 1}\n    t:\n        c: "1"'],
  ["yaml", "a map in one line", "extensions: {a: {b: 1}}\nc: 2\n"],
  ["yaml", "an empty map with a comment", "extensions: {} # none\n"],
  [
    "yaml",
    "texts of several lines",
    "b: |\n  extensions:\n    threadlore: 1\nextensions:\n  a:\n    t: >-\n      x\n\n      y\n",
  ],
  ["yaml", "anchors and aliases", "base: &b {x: 1}\nextensions:\n  a: *b\n  c:\n    <<: *b\n"],
  ["yaml", "line breaks of Windows", "extensions:\r\n  a:\r\n    x: 1\r\nc: 2\r\n"],
  ["yaml", "a mark before it", "---\nextensions:\n  a: {}\n"],
  ["yaml", "a mark behind it", "extensions:\n  a: {}\n...\n"],
  ["yaml", "lists", "extensions:\n  a:\n    args:\n      - 1\n      - b: 2\n# end\n"],
  ["toml", "tables", 'model = "x" # m\n\n[mcp_servers.a]\ncommand = "a"\n'],
  ["toml", "no line break at the end", '[mcp_servers.a]\ncommand = "a"'],
  ["toml", "line breaks of Windows", '[mcp_servers.a]\r\ncommand = "a"\r\n'],
  [
    "toml",
    "texts and lists that look like heads",
    "[mcp_servers.a]\nt = '''\n[mcp_servers.threadlore]\n'''\nl = [\n  [\n 'a' ]\n]\n# end\n",
  ],
  [
    "toml",
    "lists of tables",
    '[[profiles]]\nname = "a"\n[[profiles]]\nname = "b"\n[mcp_servers.a]\nt = 1979-05-27T07:32:00Z\n',
  ],
];

describe("a file with other servers", () => {
  it.each(KEPT)("in %s, with %s, keeps every letter when ours comes and goes", (format, _, text) => {
    const changed = put(format, text);
    expect(changed).not.toBe(text);
    expect(drop(format, changed)).toBe(text);
    for (const [comment] of text.matchAll(/(?:#|\/\/).*/g)) expect(changed).toContain(comment.trimEnd());
    expect(changed.replaceAll("\r\n", "").includes("\n")).toBe(text.replaceAll("\r\n", "").includes("\n"));
  });

  it.each(KEPT)("in %s, with %s, has ours once, however often it is put there", (format, _, text) => {
    const once = put(format, text);
    expect(put(format, once)).toBe(once);
    const moved = put(format, once, { ...ENTRY, args: ["/elsewhere", "mcp"], env: { A: "1" } });
    expect(moved).not.toBe(once);
    expect(put(format, moved)).toBe(once);
  });

  it("gets ours behind the last one, and the comment of that one stays with it", () => {
    expect(put("json", '{\n  "mcpServers": {\n    "a": {} // the first\n  }\n}\n')).toBe(
      '{\n  "mcpServers": {\n    "a": {}, // the first\n    "threadlore": {\n      "command": "/opt/node",\n' +
        '      "args": [\n        "/opt/main.js",\n        "mcp"\n      ]\n    }\n  }\n}\n',
    );
    expect(put("yaml", "extensions:\n  a:\n    x: 1\n    # of a\n\nb: 2\n")).toBe(
      'extensions:\n  a:\n    x: 1\n    # of a\n  threadlore:\n    command: "/opt/node"\n' +
        '    args: ["/opt/main.js", "mcp"]\n\nb: 2\n',
    );
    expect(put("toml", "a = 1\n")).toBe(
      'a = 1\n\n[mcp_servers.threadlore]\ncommand = "/opt/node"\nargs = ["/opt/main.js", "mcp"]\n',
    );
  });

  it("has ours replaced where it stands, with tables of its own below it", () => {
    const before =
      "# mine\n[mcp_servers.threadlore]\ncommand = 'old'\n\n[mcp_servers.threadlore.env]\nA = '1'\n\n# b's\n[mcp_servers.b]\n";
    expect(put("toml", before)).toBe(
      '# mine\n[mcp_servers.threadlore]\ncommand = "/opt/node"\nargs = ["/opt/main.js", "mcp"]\n\n# b\'s\n[mcp_servers.b]\n',
    );
    expect(put("json", '{"mcpServers": {\n "threadlore": 1, // old\n "b": 2}}')).toContain('}, // old\n "b": 2}}');
  });
});

describe("a file without servers", () => {
  it.each([
    ["json", ""],
    ["json", " \n\n"],
    ["json", "// nothing yet\n"],
    ["json", "{}"],
    ["json", "{\n}\n"],
    ["json", '{"a": 1,\n "b": 2}'],
    ["yaml", ""],
    ["yaml", "# nothing yet\n"],
    ["yaml", "extensions:\n"],
    ["yaml", "extensions: ~\nb: 2"],
    ["yaml", "---\n"],
    ["toml", ""],
    ["toml", "# nothing yet"],
    ["toml", "[mcp_servers]\n"],
  ] as const)("in %s, %j, gets ours, and loses nothing but ours again", (format, text) => {
    const changed = put(format, text);
    expect(LANGUAGES[format].read(changed)).toMatchObject({ [UNDER[format][0][0]]: { threadlore: ENTRY } });
    const left = drop(format, changed);
    expect(left).not.toContain("threadlore");
    for (const word of text.match(/[\w#/]+/g) ?? []) expect(left).toContain(word);
    expect(drop(format, left)).toBe(left);
  });
});

describe("a file that is left as it is", () => {
  it.each([
    ["json", '{"mcpServers": {', /^line 1, column 17 is no JSON \(close brace expected\)$/],
    ["json", '{\n  "a": 1\n  "b": 2\n}', /^line 3, column 3 is no JSON \(comma expected\)$/],
    ["json", "[]", /no keys and values/],
    ["json", '"text"', /no keys and values/],
    ["json", '{"mcpServers": []}', /^mcpServers should hold keys and values/],
    ["json", '{"mcpServers": "none"}', /^mcpServers should hold keys and values/],
    ["json", '{"mcpServers": {}, "mcpServers": {}}', /^"mcpServers" stands there 2 times/],
    ["json", '{"mcpServers": {"threadlore": 1, "threadlore": 2}}', /^"threadlore" stands there 2 times/],
    ["json", `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`, /nested too deep/],
    ["json", "{} {}", /is no JSON/],
    ["json", "{\u0000}", /is no JSON/],
    ["yaml", "a: [1\nb: 2", /^line 2 is no YAML/],
    ["yaml", "a: 1\na: 2\n", /is no YAML/],
    ["yaml", "- a\n- b\n", /no keys and values/],
    ["yaml", "extensions: [a]\n", /^extensions should hold keys and values/],
    ["yaml", "a: 1\n---\nb: 2\n", /is no YAML/],
    [
      "yaml",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefgh"].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[at]}`).join(",")}]`).join("\n")}\n`,
      /aliases/,
    ],
    ["yaml", `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}`, /nested too deep|is no YAML/],
    ["toml", "a = ", /^line 1, column \d+ is no TOML/],
    ["toml", "a = 1\na = 2\n", /is no TOML/],
    ["toml", "mcp_servers = 1\n", /^mcp_servers should hold keys and values/],
    ["toml", "mcp_servers = { a = { command = 'a' } }\n", /cannot be changed/],
    ["toml", `a = ${"[".repeat(20_000)}${"]".repeat(20_000)}`, /nested too deep|is no TOML/],
  ] as const)("in %s: %#", (format, text, why) => {
    expect(() => put(format, text)).toThrow(BrokenConfigError);
    expect(() => put(format, text)).toThrow(why);
  });

  it("where nothing is to be done is not even written anew", () => {
    expect(drop("json", '{ "mcpServers" : { } }')).toBe('{ "mcpServers" : { } }');
    expect(put("toml", "mcp_servers.threadlore = { args = ['/opt/main.js', 'mcp'], command = '/opt/node' }")).toContain(
      "'mcp'",
    );
  });
});

describe("of several places for servers", () => {
  const under = [["mcp", "servers"], ["mcp"]];
  const at = (text: string) => JSON.parse(editedText(LANGUAGES.json, text, under, ENTRY)) as unknown;

  it("the newer is taken where somebody uses it, else the one both understand", () => {
    expect(at('{"mcp": {"servers": {}}}')).toEqual({ mcp: { servers: { threadlore: ENTRY } } });
    expect(at('{"mcp": {"a": {}}}')).toEqual({ mcp: { a: {}, threadlore: ENTRY } });
    expect(at("{}")).toEqual({ mcp: { threadlore: ENTRY } });
  });
});

describe("an entry", () => {
  const launch = {
    command: "C:\\Program Files\\nodejs\\node.exe",
    args: ["/家/ü \"q\" 's' #\\n", "${HOME} $(x) `y`", "\u007f\u0085\u2028", "mcp", "--data", "/tmp/a b"],
    env: { XDG_CONFIG_HOME: "/ a: b # c" },
  };

  it.each(ASSISTANTS.map((assistant) => [assistant.id, assistant] as const))(
    "of %s is read as it was meant, whatever is in the paths",
    async (_, { file, under, entry, remote }) => {
      const language = await languageOf(file.format);
      const path = under.at(-1) ?? [];
      for (const one of [entry(launch), entry({ ...launch, env: {} }), remote?.("https://kb.example.com/mcp", "key")]) {
        if (one === undefined) continue;
        const wanted = [...path, "threadlore"].toReversed().reduce<unknown>((inner, key) => ({ [key]: inner }), one);
        expect(language.read(editedText(language, "", under, one))).toEqual(wanted);
        expect(language.read(language.sample([...path, "threadlore"], one))).toEqual(wanted);
      }
      expect(JSON.stringify(entry(launch))).toContain(JSON.stringify(launch.command));
    },
  );

  it("comes wherever comments and blanks stand, and loses none of them", () => {
    const blanks = array(constantFrom(" ", "\n", "\t", "/* } , */", '// "threadlore": {},\n'), { maxLength: 2 });
    const between = blanks.map((parts) => parts.join(""));
    const value = oneof(
      constantFrom("1", "null", '"} \\" /"'),
      between.map((gap) => `[${gap}]`),
    );
    const pair = (key: string) =>
      tuple(between, between, between, value, between).map(([a, b, c, held, d]) => `${a}"${key}"${b}:${c}${held}${d}`);
    const servers = tuple(pair("a"), pair("b"), constantFrom("", ","), between);
    assert(
      property(
        tuple(between, pair("k"), between, servers, between),
        ([start, other, gap, [a, b, comma, end], last]) => {
          const text = `${start}{${other},${gap}"mcpServers":{${a},${b}${comma}${end}}${last}}`;
          const changed = put("json", text);
          const comments = (of: string) => of.match(/\/\*.*?\*\/|\/\/.*/g) ?? [];
          expect(comments(changed)).toEqual(comments(text));
          const without = drop("json", changed);
          expect(without.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
        },
      ),
      { numRuns: 500, seed: 11 },
    );
  });

  it("comes and goes in whatever JSON somebody has, in whatever style", () => {
    const servers = dictionary(
      string(),
      json().map((text) => JSON.parse(text) as unknown),
      { minKeys: 1, maxKeys: 4 },
    );
    const styles = constantFrom<string | number | undefined>(undefined, 1, 2, 4, "\t");
    assert(
      property(tuple(servers, servers, styles, constantFrom("", "\n", "\r\n")), ([others, root, style, end]) => {
        const { threadlore: _, ...kept } = others;
        if (Object.keys(kept).length === 0) return;
        const text = JSON.stringify({ ...root, mcpServers: kept }, undefined, style) + end;
        const changed = put("json", text);
        expect(JSON.parse(changed)).toEqual({ ...root, mcpServers: { ...kept, threadlore: ENTRY } });
        expect(drop("json", changed)).toBe(text);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
