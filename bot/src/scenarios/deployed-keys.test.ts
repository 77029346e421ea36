import { startDeployedServer } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { ADMINS, type DeployedTown, forgetful, LEAVE, startDeployedTown } from "../testing/deployed-town.ts";

const LONG = { timeout: 60_000 };

/** What administrators were told in their channel. */
function alerts({ workspace }: DeployedTown): string[] {
  return workspace.calls
    .filter(({ method, args }) => method === "chat.postMessage" && args["channel"] === ADMINS)
    .map(({ args }) => String(args["text"]));
}

/** What whoever asked read. */
async function answerTo(town: DeployedTown): Promise<string> {
  const ts = await town.ada.mention(town.general.id, LEAVE);
  return (await town.answered(town.general.id, ts)).shown;
}

/** Words only whoever runs the bot should read. */
const ADMINISTRATORS =
  /127\.0\.0\.1|localhost|https?:\/\/(?!handbook)|\bkey\b|base URL|THREADLORE_|[Cc]heck (?!what matters)/;

describe("the address of a deployed server", LONG, () => {
  it("is found without /api, and health shows that all is well", async () => {
    const town = await startDeployedTown();
    expect(await answerTo(town)).toContain("thirty days of annual leave");
    await expect.poll(() => town.health()).toMatchObject({ ok: true, problems: [], server: { ok: true } });
    const { server } = await town.health();
    expect(server.findings[0]?.evidence).toContain(town.server.url);
    expect(town.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("that leads to no service does not stop the bot: log, health and administrators say so, askers one sentence", async () => {
    const town = await startDeployedTown({ env: ({ origin }) => ({ THREADLORE_URL: `${origin}/wiki` }) });
    const shown = await answerTo(town);
    expect(shown).toContain("Something in the setup needs the attention of whoever runs this.");
    expect(shown).not.toMatch(ADMINISTRATORS);
    await expect.poll(() => town.health()).toMatchObject({ server: { ok: false } });
    await expect.poll(() => alerts(town).join()).toContain("Set THREADLORE_URL to the address");
    expect(town.lines).toContainEqual(
      expect.objectContaining({ event: "the server needs attention", reason: "knowledge server" }),
    );
  });

  it("of a server that is away at the start is found once it is there", async () => {
    const server = await startDeployedServer();
    await server.down();
    const town = await startDeployedTown({ server });
    await expect.poll(() => town.health()).toMatchObject({ server: { ok: false } });
    await server.up();
    await expect.poll(() => town.health()).toMatchObject({ problems: [], server: { ok: true } });
    expect(town.lines).toContainEqual(
      expect.objectContaining({ event: "the server is well again", reason: "knowledge server" }),
    );
    expect(await answerTo(town)).toContain("thirty days of annual leave");
  });
});

describe("a key that is not what it was", LONG, () => {
  it("is noticed though nobody asks: revoked, of another account, without permission", async () => {
    const town = await startDeployedTown();
    const { server } = town;
    await expect.poll(() => town.health()).toMatchObject({ server: { ok: true } });
    const account = server.account(server.keys.member);
    const { id, permissions } = account;
    const problems = async (): Promise<string> => (await town.health()).problems.join();
    account.id = "somebody-else";
    await expect.poll(problems).toContain("another account");
    account.id = id;
    await expect.poll(problems).toBe("");
    account.permissions = [];
    await expect.poll(problems).toContain("may not ask");
    account.permissions = permissions;
    await expect.poll(problems).toBe("");
    server.revoke(server.keys.member);
    await expect.poll(problems).toContain("does not accept it");
    await expect.poll(() => alerts(town).join("\n")).toContain("Have a new key made");
    const admin = town.workspace.addUser({ name: "root", kind: "admin" });
    await admin.openHome();
    await town.workspace.until(() => admin.home());
    expect(JSON.stringify(admin.home())).toContain("Have a new key made");
    await town.bo.openHome();
    await town.workspace.until(() => town.bo.home());
    expect(JSON.stringify(town.bo.home())).not.toMatch(/new key|does not accept/);
  });

  it("asks nothing as a caller without a key where the server lets everybody in", async () => {
    const town = await startDeployedTown({ settings: { allowAnonymous: true } });
    const { server } = town;
    expect(await answerTo(town)).toContain("thirty days of annual leave");
    server.revoke(server.keys.member);
    const shown = await answerTo(town);
    expect(shown).toContain("The knowledge server does not let me ask at the moment.");
    expect(shown).not.toMatch(ADMINISTRATORS);
    expect(server.questions.map(({ account }) => account)).toEqual(["member"]);
    const files = [{ name: "notes.pdf", mimetype: "application/pdf", content: "%PDF-1.4 for colleagues only" }];
    const ts = await town.ada.mention(town.general.id, LEAVE, { files });
    expect((await town.answered(town.general.id, ts)).shown).toContain("does not let me ask");
    expect(server.log.filter(({ path }) => path.includes("upload"))).toEqual([]);
    await expect.poll(() => alerts(town).join()).toContain("caller without a key");
    const { status } = await fetch(`${town.bot.operationsUrl}/health`);
    expect(status).toBe(200);
  });

  it("that was wrong from the start on such a server asks nothing either", async () => {
    const wrong = { THREADLORE_KEY: "on_WRONG0000000000000" };
    const town = await startDeployedTown({ settings: { allowAnonymous: true }, env: () => wrong });
    expect(await answerTo(town)).toContain("does not let me ask");
    expect(town.server.questions).toEqual([]);
  });

  it("of narrow scope is good for asking, and nothing is wrong with it", async () => {
    const town = await startDeployedTown({ env: ({ keys }) => ({ THREADLORE_KEY: keys.scoped }) });
    expect(await answerTo(town)).toContain("thirty days of annual leave");
    await expect.poll(() => town.health()).toMatchObject({ server: { ok: true } });
  });
});

describe("an account that remembers", LONG, () => {
  it("is found at the start, changed by nobody unasked, and switched off by one command", async () => {
    const town = await startDeployedTown();
    const { server } = town;
    const { personalization } = server.account(server.keys.service);
    personalization.use_memories = true;
    personalization.enable_memory_tool = true;
    const other = await startDeployedTown({ server, env: ({ keys }) => ({ THREADLORE_KEY: keys.service }) });
    personalization.use_memories = true;
    await expect.poll(async () => (await other.health()).problems.join()).toContain("memory is on");
    await expect.poll(() => alerts(other).join()).toContain("threadlore-bot doctor --fix-memory");
    expect(personalization.use_memories).toBe(true);

    const { code, out } = await command(["doctor", "--fix-memory"], {
      ...environment(other),
      THREADLORE_URL: server.origin,
      THREADLORE_KEY: server.keys.service,
      THREADLORE_DM_KEY: forgetful(server, server.keys.member),
      THREADLORE_INGEST_KEY: "on_WRONG0000000000000",
    });
    expect(out.split("\n").slice(0, 3)).toEqual([
      "ok   channel key: switching its memory off: It is off now. What is remembered already stays there, unused.",
      "ok   key for direct messages: switching its memory off: It was off already.",
      expect.stringMatching(/^fix {2}ingest key: switching its memory off: .* does not accept this key/),
    ]);
    expect(out).toContain("ok   channel key: memory: Its account remembers nothing of what is asked.");
    expect(code).toBe(11);
    expect(personalization).toMatchObject({ use_memories: false, enable_memory_tool: false });
    await expect.poll(() => other.health()).toMatchObject({ problems: [], server: { ok: true } });
  });

  it("is a finding of the doctor, who also finds the address", async () => {
    const town = await startDeployedTown();
    const { server } = town;
    server.account(server.keys.service).personalization.use_memories = true;
    const { code, out } = await command(["doctor"], {
      ...environment(town),
      THREADLORE_URL: server.origin,
      THREADLORE_KEY: server.keys.service,
    });
    expect(code).toBe(11);
    expect(out).toMatch(/fix {2}channel key: memory: It is a service account, and its memory is on/);
    expect(out).toContain("Switch it off with `threadlore-bot doctor --fix-memory`.");
    expect(out).toMatch(new RegExp(`ok {3}base URL: The service answers at ${server.url}`));
  });
});

function environment({ workspace }: DeployedTown): Record<string, string> {
  return {
    SLACK_BOT_TOKEN: workspace.credentials.botToken,
    SLACK_APP_TOKEN: workspace.credentials.appToken,
    SLACK_API_URL: workspace.slackApiUrl,
    THREADLORE_PAIR: "none",
    DATABASE_URL: "sqlite::memory:",
  };
}

async function command(args: readonly string[], env: Record<string, string>): Promise<{ code: number; out: string }> {
  let out = "";
  const write = (text: string): void => void (out += text);
  const surroundings = { env, folder: ".", out: write, err: write, interrupted: new AbortController().signal };
  const code = await run(args, surroundings, () => Promise.reject(new Error("this command runs no bot")));
  return { code, out };
}
