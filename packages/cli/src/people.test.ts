import { existsSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { temporaryFolder } from "@threadlore/testkit";
import { describe, expect, it } from "vitest";
import { InterruptedError } from "./exit-codes.ts";
import { runHere } from "./testing/in-process.ts";
import { serve } from "./testing/replaced-server.ts";

/** A service with somebody who signs in, and a terminal of theirs. */
async function company() {
  const data = temporaryFolder();
  const serving = await serve(data);
  const home = temporaryFolder();
  const administer = (...args: string[]) => runHere([...args, "--data", data], { home: data });
  const administerHere = (answer: string, ...args: string[]) =>
    runHere([...args, "--data", data], { home: data, answer, isTerminal: true });
  const person = await administer("person", "add", "anna", "--email", "anna@example.com", "--group", "Team Süd");
  expect(person).toMatchObject({ code: 0, stderr: expect.stringContaining("anna can sign in") });
  const config = () => readFileSync(join(home, ".config/threadlore/config.json"), "utf8");
  return {
    url: serving.url,
    ownerKey: serving.apiKey ?? "",
    home,
    administer,
    administerHere,
    password: person.stdout.trim(),
    config,
  };
}

/** Signs in with a browser, and agrees to what the terminal shows. */
async function agree(url: string, password: string, notes: string): Promise<void> {
  const code = /shows the code ([A-Z]{4}-[A-Z]{4})/.exec(notes)?.[1] ?? "";
  const send = (path: string, fields: Record<string, string>, cookie = "") =>
    fetch(`${url}${path}`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: url, cookie },
      body: new URLSearchParams(fields),
    });
  const signedIn = await send("/sign-in", { user: "anna", password });
  const [cookie = ""] = signedIn.headers.getSetCookie();
  const answered = await send("/sign-in/device/answer", { user_code: code, answer: "agree" }, cookie.split(";")[0]);
  expect(answered.status).toBe(200);
}

/** Logs in as a person who sits at a terminal. */
function logIn(url: string, home: string, password: string, ...flags: string[]) {
  let isShown = false;
  return runHere(["login", url, ...flags], {
    home,
    answer: "tl_TESTtyped",
    onNotes: (notes) => {
      if (isShown || !notes.includes("shows the code")) return;
      isShown = true;
      void agree(url, password, notes);
    },
  });
}

describe("people in the terminal", () => {
  it("sign in with a browser, see what their groups see, and log out of a key that is then ended", async () => {
    const { url, home, administer, password, config, ownerKey } = await company();
    const login = await logIn(url, home, password);
    expect(login).toMatchObject({ code: 0, stderr: expect.stringContaining(`${url}/sign-in/device?user_code=`) });
    expect(login.stderr).toContain(`Logged in to ${url}`);
    const key = (JSON.parse(config()) as { servers: Record<string, { apiKey: string }> }).servers[url]?.apiKey ?? "";
    expect(key).toMatch(/^tl_/);
    expect(`${login.stdout}${login.stderr}`).not.toContain(key);
    const me = async () => {
      const reply = await fetch(`${url}/me`, { headers: { authorization: `Bearer ${key}` } });
      return reply.status === 200 ? ((await reply.json()) as unknown) : reply.status;
    };
    expect(await me()).toMatchObject({ id: "anna", email: "anna@example.com", role: "ordinary" });
    expect(await administer("group", "give", "Team Süd", "--role", "editor", "--pair", "1")).toMatchObject({
      code: 0,
      stderr: "Team Süd: editor, sees pair 1.\n",
    });
    expect(await me()).toMatchObject({ role: "editor" });
    expect((await administer("key", "list")).stdout).toMatch(/terminal on \S+ +\(by groups\) +anna +\(by groups\)/);
    expect((await administer("person", "list")).stdout).toMatch(/anna +anna@example\.com +local +Team Süd/);
    // Keys that were made here are the administrator's to end.
    const other = temporaryFolder();
    await runHere(["login", url], { home: other, env: { THREADLORE_API_KEY: ownerKey } });
    expect((await runHere(["logout"], { home: other })).stderr).toContain("so it stays good");
    const logout = await runHere(["logout"], { home });
    expect(logout).toMatchObject({ code: 0, stderr: `Logged out of ${url}. The key is ended at the server.\n` });
    expect(await me()).toBe(401);
    expect(JSON.parse(config())).toEqual({ servers: {} });
    expect(await runHere(["logout"], { home })).toMatchObject({ code: 2 });
  }, 60_000);

  it("are asked for a key where they say so, or nobody can sign in", async () => {
    const { url, home } = await company();
    const typed = await runHere(["login", url, "--with-key"], { home, answer: "tl_TESTtyped" });
    expect(typed).toMatchObject({ code: 4, stderr: expect.stringContaining("Key (not shown)") });
    const data = temporaryFolder();
    const alone = await serve(data);
    const asked = await runHere(["login", alone.url], { home, answer: alone.apiKey ?? "" });
    expect(asked).toMatchObject({ code: 0, stderr: expect.stringContaining("Key (not shown)") });
    expect(existsSync(join(home, ".config/threadlore/config.json"))).toBe(true);
  }, 60_000);

  it("stop waiting with Ctrl-C, and nothing is kept", async () => {
    const { url, home } = await company();
    const interrupt = new AbortController();
    const stopped = await runHere(["login", url], {
      home,
      answer: "",
      interrupted: interrupt.signal,
      onNotes: (notes) => notes.includes("Ctrl-C stops") && interrupt.abort(new InterruptedError("Stopped.")),
    });
    expect(stopped.code).toBe(130);
    expect(existsSync(join(home, ".config"))).toBe(false);
  }, 60_000);

  it("leave no key behind that was made and is of no use, for a year", async () => {
    const { url, home, administer, password } = await company();
    await administer("group", "give", "Team Süd", "--role", "editor", "--all");
    const login = await logIn(url, home, password, "--pair", "4711");
    expect(login).toMatchObject({ code: 2, stderr: expect.stringContaining("Not logged in; nothing was kept") });
    expect((await administer("key", "list")).stdout).toMatch(/terminal on \S+ .*revoked 2\d{3}-/);
  }, 60_000);

  it("are changed on the machine itself, and who did it there is noted, without names", async () => {
    const { administer } = await company();
    await administer("group", "give", "Team Süd", "--role", "editor");
    await administer("key", "add", "bot-canary");
    // What could not be done did not happen.
    await administer("person", "add", "anna");
    const told = await administer("audit", "--json", "--user", "command line", "--since", "2026-01-01");
    const { entries } = JSON.parse(told.stdout) as { entries: Record<string, unknown>[] };
    expect(entries.map(({ kind, origin, status }) => [kind, origin, status])).toEqual(
      ["change keys", "change rules", "change people"].map((kind) => [kind, userInfo().username, 200]),
    );
    expect(told.stdout).not.toMatch(/anna|Süd|canary/);
    expect(await administer("audit", "--since", "yesterday")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--since must be a date such as 2026-11-27"),
    });
  }, 60_000);

  it("get what the page for administrators says, by its own commands", async () => {
    const { administer, home, url } = await company();
    await administer("connector", "add", "web", "Site");
    await administer("credential", "add", "web", "Reader");
    await administer("pair", "add", "Site", "--connector", "2", "--credential", "2");
    await administer("person", "disable", "anna");
    const page = readFileSync(join(import.meta.dirname, "../../../docs/people.md"), "utf8");
    const commands = (/```sh\n([\s\S]*?)```/.exec(page)?.[1] ?? "").trim().split("\n");
    expect(commands.length).toBeGreaterThan(4);
    for (const line of commands) {
      // Anna is there already; on the page she is new.
      const [, ...args] = line.replaceAll(/\banna\b/g, "anne").split(" ");
      expect([line, await administer(...args)]).toEqual([line, expect.objectContaining({ code: 0 })]);
    }
    expect((await administer("group", "list")).stdout).toMatch(/staff +local +sees Handbook/);
    expect((await administer("person", "list")).stdout).toMatch(/anne +anne@example.com +local +editors, staff/);
    expect(existsSync(join(home, ".config"))).toBe(false);
    expect((await fetch(`${url}/account`, { redirect: "manual" })).status).toBe(303);
  }, 60_000);

  it("are removed with all that is theirs once they are disabled, shown first and asked for", async () => {
    const { url, home, administer, administerHere, password } = await company();
    await logIn(url, home, password);
    expect((await runHere(["ask", "Where do we moor?"], { home })).code).toBe(0);
    expect(await administer("person", "remove", "anna", "--yes")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("`person disable anna` ends that at once and can be undone"),
    });
    await administer("person", "disable", "anna");
    const unasked = await administer("person", "remove", "anna");
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining("Say --yes where it is meant.") });
    const refused = await administerHere("no", "person", "remove", "anna");
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      "With anna (local) go for good: the account, 1 group membership, 1 key, 1 conversation, 2 messages, 1 unanswered question.",
    );
    expect(refused.stderr).toContain("Documents they sent stay");
    expect(refused.stderr).toContain("Nothing was removed.");
    expect((await administer("person", "list")).stdout).toContain("anna");
    const changes = async () => (await administer("audit")).stdout.match(/change people/g)?.length ?? 0;
    const before = await changes();
    const removed = await administerHere("yes", "person", "remove", "anna");
    expect(await changes()).toBe(before + 1);
    expect(removed).toMatchObject({ code: 0, stderr: expect.stringContaining("anna is removed.") });
    for (const list of ["person", "key"]) expect((await administer(list, "list")).stdout).not.toContain("anna");
    expect((await runHere(["ask", "Where do we moor?"], { home })).code).toBe(4);
    expect((await administer("person", "add", "anna")).stderr).toContain("There is a person anna already, or was.");
    await administer("person", "add", "bo");
    await administer("person", "disable", "bo");
    const json = await administer("person", "remove", "bo", "--yes", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, user: "bo", removed: { keys: 0, conversations: 0 } });
  }, 60_000);

  it("are looked after by the administrator, who is told in plain words what cannot be", async () => {
    const { administer } = await company();
    const refused = async (...args: string[]) => {
      const { code, stderr } = await administer(...args);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused("person", "add", "anna")).toContain("There is a person anna already");
    expect(await refused("person", "add", "owner")).toContain("Keys have the user owner");
    expect(await refused("key", "add", "bot", "--user", "anna")).toContain("anna is a person who signs in");
    expect(await refused("person", "disable", "nobody")).toContain("There is no person nobody");
    expect(await refused("group", "give", "Team Süd")).toContain("Say what the group is given");
    expect(await refused("group", "give", "Team Süd", "--document-set", "No")).toContain("There is no document set No");
    expect(await refused("group", "give", "--role", "admin")).toContain("Name a group, or say --everybody");
    expect(await refused("group", "give", "x", "--issuer", "nonsense", "--all")).toContain("is no address");
    expect(await refused("person", "change", "anna", "--email", "no address")).toContain("is no e-mail address");
    expect((await administer("person", "change", "anna", "--email", "a@example.com", "--name", "Anna")).code).toBe(0);
    expect((await administer("person", "list")).stdout).toMatch(/anna +Anna +a@example\.com/);
    expect((await administer("person", "disable", "anna")).stderr).toBe("anna is disabled; keys revoked: 0.\n");
    expect((await administer("person", "enable", "anna")).stderr).toBe("anna can sign in again.\n");
    expect((await administer("person", "password", "anna")).stdout).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}\n$/);
    expect((await administer("group", "give", "--everybody", "--all")).stderr).toContain("(everybody who signed in)");
    expect((await administer("group", "list")).stdout).toContain("sees everything");
    expect((await administer("group", "take", "--everybody")).code).toBe(0);
    expect((await administer("group", "join", "Nord", "anna")).stderr).toContain("is in Nord from now on");
    expect((await administer("group", "leave", "Nord", "anna")).code).toBe(0);
  }, 60_000);
});
