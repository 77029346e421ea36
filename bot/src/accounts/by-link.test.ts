import { createDeployment } from "@threadlore/client/deployment";
import { describe, expect, it } from "vitest";
import { type Town, useTowns } from "../testing/running-bot.ts";
import { addPerson, answerCode, CAN_CONNECT, disconnectAccount, homeWith } from "../testing/own-accounts.ts";

const town = useTowns((one) => one.expectNoRefusals());
const LONG = { timeout: 120_000 };
const CODE = /"text":"([A-Z]{4}-[A-Z]{4})"/;

const EMAIL = "ada@example.com";

/** A town whose knowledge server people sign in to. */
async function signInTown(): Promise<Town> {
  const place = await town({ env: CAN_CONNECT });
  await addPerson(place.knowledge, "ada", EMAIL);
  await addPerson(place.knowledge, "mallory", "mallory@elsewhere.example");
  return Object.assign(place, { ada: place.workspace.addUser({ name: "ada.b", email: "Ada@Example.com" }) });
}

/** Somebody presses Connect; the code their form shows, which the Home shows as well. */
async function press({ workspace }: Town, person: Town["ada"]): Promise<string> {
  await homeWith(workspace, person, "account_connect");
  await person.press({ viewId: String(person.home()?.["id"]) }, "account_connect");
  const shown = await workspace.until(() => CODE.exec(JSON.stringify(person.modals())) ?? undefined, 20_000);
  await homeWith(workspace, person, shown[1] ?? "");
  return shown[1] ?? "";
}

const form = ({ ada }: Town): string => JSON.stringify(ada.modals());

/** Whose the key is that the bot has for Ada; undefined: none. */
async function connectedAs({ bot, ada }: Town): Promise<string | undefined> {
  return (await bot.context.accounts.of(ada.user.id))?.name;
}

describe("connecting by a link", LONG, () => {
  it("gives the bot a key once its person agreed, over a restart, and disconnecting ends that key", async () => {
    const place = await signInTown();
    const { workspace, ada, knowledge } = place;
    const code = await press(place, ada);
    expect(form(place)).toContain("/sign-in/device?user_code=");
    await place.restart();
    expect(await answerCode(knowledge, "ada", code, "agree")).toBeLessThan(400);
    await homeWith(workspace, ada, "Connected as");
    await workspace.until(() => form(place).includes("Connected as"), 20_000);
    expect(await connectedAs(place)).toBe(EMAIL);
    const { accounts, store } = place.bot.context;
    const { apiKey } = await accounts.opened((await accounts.of(ada.user.id))?.key ?? "own:none", ada.user.id);
    // Neither the key nor the code only the bot may know stands anywhere in the clear.
    expect(JSON.stringify(await store.allAccounts())).not.toContain(apiKey);
    const dm = workspace.dmOf(ada.user.id).id;
    await place.answered(dm, await ada.dm("How are train tickets booked?"));
    expect(knowledge.keys.at(-1)).toBe(`Bearer ${apiKey}`);

    await disconnectAccount(workspace, ada);
    const asIt = createDeployment({ baseUrl: "http://127.0.0.1:8412", apiKey, fetch: knowledge.fetch });
    await expect
      .poll(() =>
        asIt.whoami().then(
          () => "good",
          () => "ended",
        ),
      )
      .toBe("ended");
  });

  it("tells refusal plainly, lets one begin anew or cancel, and forgets what was begun before", async () => {
    const place = await signInTown();
    const { workspace, ada, knowledge } = place;
    const first = await press(place, ada);
    await answerCode(knowledge, "ada", first, "refuse");
    await workspace.until(() => form(place).includes("refused"), 20_000);
    const second = await press(place, ada);
    expect(second).not.toBe(first);
    await homeWith(workspace, ada, "account_cancel");
    await ada.press({ viewId: String(ada.home()?.["id"]) }, "account_cancel");
    await workspace.until(() => JSON.stringify(ada.home()).includes("account_connect"), 20_000);
    // An agreement to what was cancelled connects nothing.
    await answerCode(knowledge, "ada", second, "agree");
    await expect.poll(() => place.bot.context.store.backlog(), { timeout: 20_000 }).toEqual({ waiting: 0, running: 0 });
    expect(await connectedAs(place)).toBeUndefined();
  });

  it("connects nobody else's account, who opened a link that was sent to them", async () => {
    const place = await signInTown();
    const { ada, knowledge } = place;
    const code = await press(place, ada);
    expect(await answerCode(knowledge, "mallory", code, "agree")).toBe(403);
    expect(await connectedAs(place)).toBeUndefined();
  });

  it("connects nobody else's either where Slack gave no answer at first, and shows no page that was written in", async () => {
    const place = await signInTown();
    const { workspace, ada, knowledge, bot } = place;
    const { store, people, self } = bot.context;
    const page = "https://evil.example/sign-in";
    const forged = { sealed: "", userCode: "EVIL-CODE", page, expiresAt: Date.now() + 600_000, pauseMs: 3_000 };
    for (const mark of [ada.user.id, `${self.teamId}:${ada.user.id}`])
      await store.remember(`signing in:${mark}`, JSON.stringify(forged));
    expect(await homeWith(workspace, ada, "account_connect")).not.toContain("evil.example");
    people.forget(ada.user.id);
    workspace.faults.fail("users.info", { times: 2 });
    const code = await press(place, ada);
    expect(await answerCode(knowledge, "mallory", code, "agree")).toBe(403);
    expect(await answerCode(knowledge, "ada", code, "agree")).toBeLessThan(400);
    await homeWith(workspace, ada, "Connected as");
  });

  it("is in the place of a token only where the server offers it", async () => {
    const place = await town({ env: CAN_CONNECT });
    const { workspace, ada } = place;
    await homeWith(workspace, ada, "account_connect");
    await ada.press({ viewId: String(ada.home()?.["id"]) }, "account_connect");
    await workspace.until(() => form(place).includes("Your access token"));
    const other = await signInTown();
    await press(other, other.ada);
    await other.ada.press({ viewId: other.ada.modals()[0]?.id ?? "" }, "account_token_instead");
    await expect.poll(() => form(other)).toContain("Your access token");
  });
});
