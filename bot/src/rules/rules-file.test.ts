import { mkdtemp, readFile, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { settingsFor } from "./rules.ts";
import { type LiveRules, parseRules, readRulesFile, RulesError, watchRulesFile } from "./rules-file.ts";

const parse = (text: string, dmKey = true) => parseRules(text, { dmKey });

function problemsOf(text: string, dmKey = true): readonly string[] {
  try {
    parse(text, dmKey);
  } catch (error) {
    if (error instanceof RulesError) return error.problems;
    throw error;
  }
  return [];
}

describe("a rules file", () => {
  it("that is empty is the built-in rules", () => {
    const { rules } = parse("# nothing yet\n");
    expect(rules.channels.size).toBe(0);
    expect(rules.otherChannels).toMatchObject({
      enabled: true,
      listen: "quiet",
      pins: { who: "off" },
      guests: "refuse",
    });
  });

  it("gives each channel the defaults, and what it says itself", () => {
    const { rules } = parse(`
defaults:
  follow_ups: off
  document_sets: [Handbook]
channels:
  C0HELP:
    note: "#help"
    persona: 3
    document_sets: [Handbook, IT]
`);
    const own = settingsFor(rules, { id: "C0HELP", kind: "public" });
    expect(own).toMatchObject({ named: true, persona: 3, document_sets: ["Handbook", "IT"], follow_ups: "off" });
    const other = settingsFor(rules, { id: "C0ELSE", kind: "public" });
    expect(other).toMatchObject({ named: false, document_sets: ["Handbook"], follow_ups: "off" });
  });

  it("knows whether a channel itself said that its pins are kept", () => {
    const { rules } = parse("defaults: {pins: members}\nchannels: {C0ONE: {pins: members}, C0TWO: {persona: 1}}");
    expect(rules.channels.get("C0ONE")?.pins).toEqual({ who: "members", explicit: true });
    expect(rules.channels.get("C0TWO")?.pins).toEqual({ who: "members", explicit: false });
  });

  it.each([
    { text: "channels: [", says: ["line 1: is not YAML"] },
    { text: "defaults: {follow_up: off}", says: ["defaults: `follow_up` is not a rule; did you mean `follow_ups`?"] },
    { text: "defaults: {colour: red}", says: ["defaults: `colour` is not a rule"] },
    { text: "chanels: {}", says: ["the file: `chanels` is not a rule"] },
    { text: "channels: {general: {}}", says: ["channels → general: is no channel id (C…)"] },
    { text: "channels: {C0A: {listen: loud}}", says: ["channels → C0A → listen: must be one of: quiet, eager"] },
    { text: "channels: {C0A: {who_may_ask: [anna]}}", says: ["channels → C0A → who_may_ask → 0: is no user id (U…)"] },
    { text: "channels: {C0A: {who_may_ask: []}}", says: ["channels → C0A → who_may_ask: is empty"] },
    { text: "channels: {C0A: {who_may_ask: nobody}}", says: ["must be `everyone`, or a list"] },
    { text: "channels: {C0A: {pins: everyone}}", says: ["channels → C0A → pins: must be `off`, `members`, or a list"] },
    { text: "channels: {C0A: {persona: two}}", says: ["channels → C0A → persona: must be the whole number"] },
    { text: "channels: {C0A: {document_sets: Handbook}}", says: ["channels → C0A → document_sets: must be a list"] },
    { text: "channels: {C0A: {enabled: maybe}}", says: ["channels → C0A → enabled: must be true or false"] },
    { text: "direct_messages: {key: dm}", says: ["direct_messages: `key` is not a rule"] },
    { text: "defaults: {key: dm}", says: ["defaults → key: `dm` would show every channel"] },
    {
      text: "defaults: {listen: loud}\nchannels: {general: {}, C0A: {persona: two}}",
      says: ["channels → general", "defaults → listen", "channels → C0A → persona"],
    },
  ])("that says $text is refused: $says", ({ text, says }) => {
    const problems = problemsOf(text);
    expect(problems).toHaveLength(says.length);
    says.forEach((words, index) => expect(problems[index]).toContain(words));
  });

  it("may give a channel the wider key only where there is one", () => {
    const text = "channels: {C0A: {key: dm}}";
    expect(problemsOf(text, false)).toEqual(["channels → C0A → key: `dm` needs THREADLORE_DM_KEY, which is not set"]);
    expect(parse(text, true).remarks).toEqual([expect.stringContaining("C0A: everyone in this channel")]);
  });

  it("turns the platform's search on by place, and is remarked on where it does", () => {
    const { rules, remarks } = parse(
      "direct_messages: {workspace_search: public}\nchannels: {C0A: {workspace_search: public}}",
    );
    const of = (id: string, kind: "public" | "im") => settingsFor(rules, { id, kind }).workspace_search;
    expect([of("C0A", "public"), of("C0B", "public"), of("D0A", "im")]).toEqual(["public", "off", "public"]);
    expect(remarks).toEqual([
      "direct messages: messages of public channels go to the knowledge server with a question they may answer.",
      "C0A: messages of public channels go to the knowledge server with a question they may answer.",
    ]);
    expect(problemsOf("defaults: {workspace_search: private}")).toEqual([expect.stringContaining("off, public")]);
  });

  it("is remarked on where it widens who sees what, or says something without effect", () => {
    const { remarks } = parse(`
defaults: {guests: allow}
channels:
  C0A: {slack_connect: allow}
  C0B: {pair: 3}
  C0C: {enabled: false, listen: eager}
  C0D: {persona: 2}
`);
    expect(remarks).toEqual([
      "defaults: guests may ask.",
      expect.stringContaining("C0A: people of other companies"),
      expect.stringContaining("C0B: `pair` has no effect"),
      expect.stringContaining("C0C: `listen` has no effect"),
    ]);
  });

  it("is remarked on where Slack's assistant may more than somebody would think", () => {
    const remarksOf = (text: string) => parse(text, true).remarks;
    expect(remarksOf("assistants: {key: dm, guests: allow}\ndirect_messages: {sources: [web]}")).toEqual([
      "assistants: whoever asks through Slack's assistant reads answers made with the wider key.",
      "assistants: guests may ask.",
      expect.stringMatching(/^assistants: `document_sets` and `sources` of `direct_messages` do not hold/),
    ]);
    expect(remarksOf("assistants: {}\ndirect_messages: {document_sets: [HR]}")).toHaveLength(1);
    expect(remarksOf("assistants: {}")).toEqual([]);
    expect(remarksOf("direct_messages: {document_sets: [HR]}")).toEqual([]);
    expect(remarksOf("assistants: {enabled: false, key: dm, guests: allow}")).toEqual([]);
  });

  it("cannot be a bomb of aliases", () => {
    const levels = Array.from({ length: 12 }, (_, n) => `a${n}: &a${n} [${`*a${n - 1},`.repeat(9)}]`).slice(1);
    expect(() => parse(`a0: &a0 [x]\n${levels.join("\n")}`)).toThrow(RulesError);
  });

  it("of the examples can be used", async () => {
    const text = await readFile(new URL("../../rules.example.yaml", import.meta.url), "utf8");
    const { rules } = parse(text);
    expect(rules.channels.size).toBeGreaterThan(3);
  });
});

describe("a rules file that is followed", () => {
  let folder: string;
  let path: string;
  let live: LiveRules | undefined;
  /** Whole at once: a slow machine must not be seen half-way. */
  const replace = async (text: string) => {
    await writeFile(join(folder, "draft"), text);
    await rename(join(folder, "draft"), path);
  };
  const persona = () => live?.current().otherChannels.persona;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "rules-"));
    path = join(folder, "rules.yaml");
    await writeFile(path, "defaults: {persona: 1}");
  });
  afterEach(async () => {
    live?.close();
    await rm(folder, { recursive: true });
  });

  it("is taken over when it changes, and keeps the old rules while it is broken", async () => {
    const heard: string[] = [];
    live = await watchRulesFile(
      path,
      { dmKey: false },
      {
        onChange: ({ rules }) => heard.push(`persona ${rules.otherChannels.persona ?? "none"}`),
        onProblem: ({ problems }) => heard.push(...problems),
      },
      20,
    );
    expect(persona()).toBe(1);
    await replace("defaults: {persona: 22}");
    await expect.poll(() => persona()).toBe(22);

    await replace("defaults: {persona: two}");
    await expect.poll(() => live?.problem()?.message).toContain("must be the whole number");
    expect(persona()).toBe(22);

    await unlink(path);
    await expect.poll(() => live?.problem()?.message).toContain("cannot be read (ENOENT)");
    expect(persona()).toBe(22);

    // The same rules as before the trouble end the complaint.
    await replace("defaults: {persona: 22}");
    await expect.poll(() => live?.problem()).toBeUndefined();
    expect(heard).toEqual([
      "persona 22",
      "defaults → persona: must be the whole number the server gave the persona",
      expect.stringContaining("ENOENT"),
      "persona 22",
    ]);
  });

  it("is followed through a link that is pointed elsewhere", async () => {
    await writeFile(join(folder, "first.yaml"), "defaults: {persona: 5}");
    await writeFile(join(folder, "second.yaml"), "defaults: {persona: 66}");
    const link = join(folder, "link.yaml");
    await symlink("first.yaml", link);
    live = await watchRulesFile(link, { dmKey: false }, {}, 20);
    expect(persona()).toBe(5);
    await symlink("second.yaml", join(folder, "next"));
    await rename(join(folder, "next"), link);
    await expect.poll(() => persona()).toBe(66);
  });

  it("that was emptied is taken for one that is being written", async () => {
    live = await watchRulesFile(path, { dmKey: false }, {}, 20);
    await writeFile(path, "");
    await expect.poll(() => live?.problem()?.message).toContain("is empty");
    expect(persona()).toBe(1);
  });

  it("must be good at the start", async () => {
    await writeFile(path, "defaults: {persona: two}");
    await expect(watchRulesFile(path, { dmKey: false })).rejects.toThrow("must be the whole number");
    await expect(readRulesFile(join(folder, "none"), { dmKey: false })).rejects.toThrow("cannot be read (ENOENT)");
  });
});
