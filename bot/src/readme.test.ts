import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "./operations/metrics.ts";
import { ALL_FEATURES } from "./settings/manifest.ts";
import { botUnit, USUAL_PLACES } from "./setup/places.ts";
import { type Variable, VARIABLES } from "./settings/variables.ts";

const here = (path: string) => new URL(`../${path}`, import.meta.url);
const readme = readFileSync(here("README.md"), "utf8");
const operations = readFileSync(here("docs/operations.md"), "utf8");

/** The cells of every row of a table whose first column is called so. */
function rows(text: string, heading: string): string[][] {
  const table = text.split("\n\n").find((part) => new RegExp(`^\\| ${heading} +\\|`).test(part)) ?? "";
  return table
    .split("\n")
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe("the README", () => {
  it("lists every setting with its default and meaning, and no other", () => {
    const expected = Object.entries<Variable>(VARIABLES).map(([name, { secret, standard, words }]) => [
      secret === true ? `${name} †` : name,
      standard === undefined ? "" : `\`${standard}\``,
      words,
    ]);
    expect(rows(readme, "variable")).toEqual(expected);
  });

  it("lists every rule of the example, which shows every rule", () => {
    const example = parse(readFileSync(here("rules.example.yaml"), "utf8")) as {
      defaults: Record<string, unknown>;
      channels: Record<string, Record<string, unknown>>;
    };
    const shown = new Set(
      [example.defaults, ...Object.values(example.channels)].flatMap((place) => Object.keys(place)),
    );
    shown.delete("note");
    const listed = rows(readme, "rule").map(([name]) => name?.replaceAll("`", ""));
    expect([...shown, "key"].toSorted()).toEqual(listed.toSorted());
    for (const [name, standard] of rows(readme, "rule")) {
      const value = example.defaults[name?.replaceAll("`", "") ?? ""];
      if (value === undefined) continue;
      expect(`\`${typeof value === "string" ? value : JSON.stringify(value)}\``, name).toBe(standard);
    }
  });

  it("names every metric", async () => {
    const metrics = createMetrics({ backlog: () => Promise.resolve({ waiting: 0, running: 0 }), sockets: () => 2 });
    const names = [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name ?? "");
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !readme.includes(name))).toEqual([]);
  });
});

describe("the installation", () => {
  const ignored = (file: string) =>
    readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.replace(/^\*\*\//, "").replace(/\/$/, ""));

  it("takes into an image nothing that git leaves out, no history and no secret", () => {
    const left = new Set(ignored(".dockerignore"));
    expect(ignored(".gitignore").filter((pattern) => !left.has(pattern))).toEqual([]);
    for (const pattern of [".git", "key", "*.key", "*.db", "*.db-wal", ".env", "environment", "secrets"]) {
      expect(left.has(pattern), pattern).toBe(true);
    }
  });

  it("gives the container every secret the environment file names", () => {
    const named = [...operations.matchAll(/_FILE=\/etc\/threadlore-bot\/secrets\/([\w-]+)/g)].map(([, name]) => name);
    const environment = named.slice(0, 4);
    expect(environment).toEqual(["slack-bot", "slack-app", "key", "ingest-key"]);
    const mounted = [...operations.matchAll(/--secret ([\w-]+),uid=1000,mode=0400/g)].map(([, name]) => name);
    expect(mounted.toSorted()).toEqual(environment.toSorted());
  });

  it("means one database by hand, by the doctor and by the unit, which are set up alike", () => {
    const program = { node: "/usr/bin/node", start: "/opt/threadlore/bot/start.cjs" };
    const unit = readFileSync(here("../deploy/threadlore-bot.service"), "utf8");
    expect(botUnit(USUAL_PLACES, program)).toBe(unit);
    const state = /^STATE_FOLDER=(\S+)$/m.exec(operations)?.[1];
    expect(state).toBe(`/var/lib/${/^StateDirectory=(\S+)$/m.exec(unit)?.[1]}`);
    expect(state).toBe(USUAL_PLACES.state);
  });

  it("takes five steps", () => {
    const steps = operations.slice(operations.indexOf("## 1. Five steps"), operations.indexOf("## 2. "));
    expect([...steps.matchAll(/^\*\*(\d)\. /gm)].map(([, number]) => number)).toEqual(["1", "2", "3", "4", "5"]);
  });

  it("says which Node is needed as the package and its start do", () => {
    const { engines, bin } = JSON.parse(readFileSync(here("package.json"), "utf8")) as {
      engines: { node: string };
      bin: Record<string, string>;
    };
    const [, least] = /^\^(\d+\.\d+)\.0 /.exec(engines.node) ?? [];
    expect(operations).toContain(`Node ${least} or newer`);
    const start = readFileSync(here(bin["threadlore-bot"] ?? ""), "utf8");
    expect(start).toContain(`needs Node ${least} or newer`);
  });
});

describe("both documents", () => {
  it("name only settings and options there are", () => {
    const known = new Set<string>(Object.keys(VARIABLES).flatMap((name) => [name, `${name}_FILE`]));
    const named = [
      ...`${readme}\n${operations}`.matchAll(
        /\b(?:SLACK|THREADLORE|DATABASE|RULES|RETENTION|STREAM|TASK|OPERATIONS|LOG|STATE|AT|APPEND)\w*_[A-Z_]+\b/g,
      ),
    ].map(([name]) => name);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !known.has(name) && name !== "STATE_DIRECTORY")).toEqual([]);
    const features = [...operations.matchAll(/--without (\w+)/g)].map(([, feature]) => feature);
    expect(features.filter((feature) => !ALL_FEATURES.some((one) => one === feature))).toEqual([]);
  });

  it("link to files and headings there are", () => {
    const headings = (text: string) =>
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, words = ""]) =>
        words
          .toLowerCase()
          .replaceAll(/[^\w -]/g, "")
          .replaceAll(" ", "-"),
      );
    const broken = [["README.md", readme] as const, ["docs/operations.md", operations] as const].flatMap(
      ([file, text]) =>
        [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
          .filter(([, path = "", anchor]) => {
            const target = path === "" ? here(file) : new URL(path, here(file));
            return (
              !existsSync(target) || (anchor !== undefined && !headings(readFileSync(target, "utf8")).includes(anchor))
            );
          })
          .map(([link]) => `${file}: ${link}`),
    );
    expect(broken).toEqual([]);
  });
});
