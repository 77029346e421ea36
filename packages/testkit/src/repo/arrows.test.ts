import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ARROWS, forbiddenDependencies, forbiddenImport, importsIn } from "./arrows.ts";
import { workspacePackages } from "./workspace.ts";

const packages = workspacePackages();

describe("arrows between packages", () => {
  it("know every package there is", () => {
    expect(packages.length).toBeGreaterThan(5);
    expect(packages.map((one) => one.name).filter((name) => !(name in ARROWS))).toEqual([]);
  });

  it.each(packages)("$name depends only on what it may", (one) => {
    expect(forbiddenDependencies(one)).toEqual([]);
  });

  it.each(packages)("$name imports only what it may, types included", (one) => {
    const found = importsIn(one).map((written) => forbiddenImport(one.name, written));
    expect(found.filter((reason) => reason !== undefined)).toEqual([]);
  });
});

describe("the judgement of an import", () => {
  const judge = (name: string, file: string, specifier: string) => forbiddenImport(name, { file, specifier });

  it("refuses what the plan does not draw", () => {
    expect(judge("ask", "src/ask.ts", "@threadlore/service")).toBe("ask/src/ask.ts may not import @threadlore/service");
    expect(judge("cli", "src/main.ts", "@threadlore/bot")).toBeDefined();
    expect(judge("chat-workspace", "src/index.ts", "@threadlore/client/models")).toBeDefined();
    expect(judge("testkit", "src/index.ts", "@threadlore/client")).toBeDefined();
  });

  it("lets service sources have the models and the fence alone, and service tests the client", () => {
    expect(judge("service", "src/app.ts", "@threadlore/client/models")).toBeUndefined();
    expect(judge("service", "src/app.ts", "@threadlore/client/fence")).toBeUndefined();
    expect(judge("service", "src/app.ts", "@threadlore/client")).toBeDefined();
    expect(judge("service", "src/app.ts", "@threadlore/client/admin")).toBeDefined();
    expect(judge("service", "src/upload.ts", "@threadlore/files/child")).toBeUndefined();
    expect(judge("service", "src/upload.ts", "@threadlore/documents")).toBeDefined();
    expect(judge("service", "src/app.test.ts", "@threadlore/client")).toBeUndefined();
  });

  it("keeps testkit out of sources", () => {
    expect(judge("client", "src/http.test.ts", "@threadlore/testkit")).toBeUndefined();
    expect(judge("client", "src/server.harness.ts", "@threadlore/testkit")).toBeUndefined();
    expect(judge("client", "src/testing/server.ts", "@threadlore/testkit")).toBeUndefined();
    expect(judge("client", "src/http.ts", "@threadlore/testkit")).toBeDefined();
  });

  it("lets the bot's tests have the workspace and the service, and its sources neither", () => {
    expect(judge("bot", "src/bot.test.ts", "@threadlore/chat-workspace")).toBeUndefined();
    expect(judge("bot", "src/bot.ts", "@threadlore/chat-workspace")).toBeDefined();
    expect(judge("bot", "src/bot.ts", "@threadlore/service")).toBeDefined();
  });

  it("lets nothing of the bot that knows Slack reach up, but its tests", () => {
    expect(judge("bot", "src/slack/read/files.ts", "../../operations/log.ts")).toBeDefined();
    expect(judge("bot", "src/slack/read/files.ts", "../render/escape.ts")).toBeUndefined();
    expect(judge("bot", "src/slack/read/files.test.ts", "../../testing/answers.ts")).toBeUndefined();
    expect(judge("inbox", "src/store/open.ts", "./engine.ts")).toBeUndefined();
    expect(judge("inbox", "src/store/open.ts", "../inbox.ts")).toBeDefined();
  });

  it("keeps the inbox from speaking of the platform whose tasks it holds", () => {
    const inbox = packages.find(({ name }) => name === "inbox");
    const sources = inbox?.sources.filter((path) => !path.includes(".test.")) ?? [];
    expect(sources.length).toBeGreaterThan(12);
    const named = sources.filter((path) => /slack/i.test(readFileSync(join(inbox?.folder ?? "", path), "utf8")));
    expect(named).toEqual([]);
  });

  it("refuses a relative path out of the package", () => {
    expect(judge("ask", "src/ask.ts", "../../client/src/index.ts")).toBeDefined();
    expect(judge("ask", "src/deep/ask.ts", "../answer.ts")).toBeUndefined();
  });

  it("refuses a dependency the plan does not draw, and testkit outside devDependencies", () => {
    const manifest = {
      name: "@threadlore/ask",
      dependencies: { "@threadlore/testkit": "workspace:*", "@threadlore/cli": "workspace:*" },
    };
    expect(forbiddenDependencies({ name: "ask", manifest })).toHaveLength(2);
  });
});
