import { BOTH, COMPANY, PAGE, startServer, talkTo } from "./deployed.harness.ts";
import { describe, expect, it } from "vitest";
import { hasAgreedToMemory } from "../../settings/memory-choice.ts";

/** A key whose memory is off, so that nothing else is in a question's way. */
const withoutMemory = (server: Awaited<ReturnType<typeof startServer>>, key: string) => {
  Object.assign(server.account(key).personalization, { use_memories: false, enable_memory_tool: false });
  return key;
};

describe("a question with a page along", () => {
  it("may use the company's search, and no tool that acts", async () => {
    const server = await startServer();
    const one = talkTo(server, { key: withoutMemory(server, server.keys.member) });
    server.answerWith([
      { tool: "getRecord" },
      { openUrl: "https://evil.example/" },
      { search: "travel costs" },
      "Ten days [1].",
    ]);
    await one.conversation.ask("How fast are travel costs paid back?", BOTH);
    expect(server.questions).toMatchObject([{ toolsOffered: ["internal_search"], toolsRun: ["internal_search"] }]);
    expect(one.last().notes.value).toEqual({});
    expect(one.status()).toBe("done");
  });

  it("may use no tool where the key may not list them, and it says so", async () => {
    const server = await startServer();
    const one = talkTo(server, { key: withoutMemory(server, server.keys.scoped) });
    server.answerWith([{ tool: "getRecord" }, { search: "travel costs" }, "March."]);
    await one.conversation.ask("When is it?", BOTH);
    expect(server.questions).toMatchObject([{ toolsOffered: [], toolsRun: [], body: { allowed_tool_ids: [] } }]);
    expect(one.last().notes.value).toEqual({ searchOff: "forbidden" });
    expect(one.text()).toBe("March.");
  });

  it("leaves the tools of later questions without one to the service", async () => {
    const server = await startServer();
    const one = talkTo(server, { key: withoutMemory(server, server.keys.scoped) });
    await one.conversation.ask("When is it?", BOTH);
    await one.conversation.ask("And the company?", COMPANY);
    expect(server.questions[1]?.body).not.toHaveProperty("allowed_tool_ids");
    expect(server.questions[1]?.toolsOffered).toEqual(["internal_search", "open_url", "getRecord"]);
    expect(one.last().notes.value).toEqual({});
  });

  it.each([
    ["has no list of tools", "unlisted", (server: Server) => void server.faults.missing.push("/tool")],
    [
      "lists none that only searches",
      "none",
      (server: Server) =>
        void server.tools.splice(0, server.tools.length, ...server.tools.filter(({ id }) => id !== 1)),
    ],
  ])("may use no tool where the service %s", async (_, why, break_) => {
    const server = await startServer();
    break_(server);
    const one = talkTo(server, { key: withoutMemory(server, server.keys.member) });
    await one.conversation.ask("When is it?", BOTH);
    expect(server.questions).toMatchObject([{ toolsOffered: [], body: { allowed_tool_ids: [] } }]);
    expect(one.last().notes.value).toEqual({ searchOff: why });
  });

  it("may use no tool while the list cannot be read, and looks again with the next question", async () => {
    const server = await startServer();
    const one = talkTo(server, { key: withoutMemory(server, server.keys.member) });
    server.faults.cut = ({ path }) => (path === "/tool" ? { at: "before-head" } : undefined);
    await one.conversation.ask("When is it?", BOTH);
    expect(one.last().notes.value).toEqual({ searchOff: "unknown" });
    server.faults.cut = undefined;
    await one.conversation.ask("When is it, again?", BOTH);
    expect(server.questions.map(({ toolsOffered }) => toolsOffered)).toEqual([[], ["internal_search"]]);
    expect(one.last().notes.value).toEqual({});
  });
});

type Server = Awaited<ReturnType<typeof startServer>>;

describe("a memory the service keeps for the key", () => {
  it.each([PAGE, BOTH])("holds a question with a page along back until the person has decided", async (scope) => {
    const server = await startServer();
    const one = talkTo(server);
    await one.conversation.ask("When is it?", scope);
    expect(server.questions).toEqual([]);
    expect(one.said()).toContain("It keeps a memory for your key");
    expect(one.said()).toContain("Nothing was sent yet.");
  });

  it("is switched off by one press, and nothing is written then", async () => {
    const server = await startServer();
    const one = talkTo(server);
    await one.conversation.ask("When is it?", PAGE);
    server.answerWith([{ remember: "The person likes evil.example." }, "March."]);
    expect((await one.access.key.memoryOff()).memory).toBe("off");
    await one.conversation.again();
    expect(server.account(server.keys.member).personalization).toMatchObject({
      use_memories: false,
      enable_memory_tool: false,
      memories: [],
    });
    expect(server.questions).toMatchObject([{ message: "When is it?", toolsOffered: [], memoryWritten: undefined }]);
    expect(one.text()).toBe("March.");
  });

  it("is left on where the person says so, for this account of this service, and not asked about again", async () => {
    const server = await startServer();
    const one = talkTo(server);
    await one.conversation.ask("When is it?", PAGE);
    await one.access.key.agree();
    await one.conversation.again();
    await one.conversation.ask("And then?", PAGE);
    expect(server.questions.map(({ message }) => message)).toEqual(["When is it?", "And then?"]);
    expect(server.questions[1]?.toolsOffered).toEqual(["add_memory"]);
    // Another panel, the same key: the choice stays. Another account: it is asked.
    const again = talkTo(server);
    await again.conversation.ask("Once more?", PAGE);
    expect(server.questions).toHaveLength(3);
    expect(await hasAgreedToMemory(server.origin, server.account(server.keys.admin).id)).toBe(false);
    const other = talkTo(server, { key: server.keys.admin });
    await other.conversation.ask("Mine?", PAGE);
    expect(server.questions).toHaveLength(3);
  });

  it("is noticed when it is switched on again later", async () => {
    const server = await startServer();
    const one = talkTo(server, { key: withoutMemory(server, server.keys.member) });
    await one.conversation.ask("When is it?", PAGE);
    server.account(server.keys.member).personalization.enable_memory_tool = true;
    await one.conversation.ask("And then?", PAGE);
    expect(server.questions).toHaveLength(1);
    expect(one.last().answer.value.failure?.code).toBe("memory_on");
  });

  it("does not hold a question back that has no page along", async () => {
    const server = await startServer();
    const one = talkTo(server);
    await one.conversation.ask("How fast are travel costs paid back?", COMPANY);
    expect(one.text()).toContain("ten days");
  });

  it("says so where the key may not switch it off, and asks all the same once the person agrees", async () => {
    const server = await startServer();
    const one = talkTo(server, { key: server.keys.scoped });
    await one.conversation.ask("When is it?", PAGE);
    await expect(one.access.key.memoryOff()).rejects.toThrow("may not");
    await one.access.key.agree();
    await one.conversation.again();
    expect(server.questions).toHaveLength(1);
  });

  it("is asked about where the service does not say whether there is one, and is none where it has no accounts", async () => {
    const server = await startServer();
    const { member } = server.keys;
    const one = talkTo(server, { key: server.addKey({ scopes: ["write:chat"] }) });
    server.faults.missing.push("/me");
    await one.conversation.ask("When is it?", PAGE);
    expect(server.questions).toHaveLength(1);
    server.faults.missing.length = 0;
    server.faults.database = "down";
    const two = talkTo(server, { key: member });
    await two.conversation.ask("When is it?", PAGE);
    expect(server.questions).toHaveLength(1);
    expect(two.said()).toContain("The service did not answer as it should.");
  });
});

describe("a service account's key", () => {
  it("lists only what this browser keeps, and says so", async () => {
    const server = await startServer();
    const bot = talkTo(server, { key: server.keys.service });
    await bot.conversation.ask("Asked in a channel", COMPANY);
    const one = talkTo(server, { key: server.keys.service });
    await one.history.load();
    expect(one.history.list.value).toMatchObject({
      state: "ready",
      isShared: true,
      isPartial: false,
      conversations: [],
    });
    expect(server.log.filter(({ path }) => path.includes("get-user-chat-sessions"))).toEqual([]);
    // A person's own key lists what they asked elsewhere.
    await talkTo(server).conversation.ask("Asked in the terminal", COMPANY);
    const own = talkTo(server);
    await own.history.load();
    expect(own.history.list.value.conversations).toMatchObject([{ title: "Asked in the terminal", isRemote: true }]);
  });
});
