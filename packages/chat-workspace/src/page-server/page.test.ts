import { App } from "@slack/bolt";
import { startBrowser, type TestBrowser } from "@threadlore/testkit/browser";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { startWorkspace, type Channel, type Person, type Workspace } from "../index.ts";

type Page = Awaited<ReturnType<TestBrowser["context"]["newPage"]>>;

const browser = await startBrowser();
afterAll(() => browser?.close());

let workspace: Workspace;
let ada: Person;
let general: Channel;
let app: App;
let page: Page;
const problems: string[] = [];

/** Waits until something shows. */
const shows = async (what: ReturnType<Page["locator"]>): Promise<boolean> => {
  await what.waitFor();
  return what.isVisible();
};

const TEA = {
  external_ref: { id: "tea" },
  title: "Tea <b>at four</b>",
  description: "Milk stands in the fridge.",
  link: "https://tea.example.com/four",
  date_updated: "2026-03-02",
};

const TEA_CARD = {
  entity_type: "slack#/entities/content_item",
  external_ref: TEA.external_ref,
  entity_payload: {
    attributes: { title: { text: TEA.title } },
    fields: { description: { value: TEA.description }, date_updated: { value: 1_772_445_600 } },
  },
};

/** A small app that is nobody's in particular: it answers a mention in the thread with a button. */
function smallApp(): App {
  const made = new App({
    token: workspace.credentials.botToken,
    appToken: workspace.credentials.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: workspace.slackApiUrl },
  });
  made.event("app_mention", async ({ event, say }) => {
    await say({
      text: "Tea is at four.",
      thread_ts: event.ts,
      blocks: [
        { type: "section", text: { type: "mrkdwn", text: "*Tea* is at `four`, <https://tea.example|says the list>." } },
        { type: "markdown", text: "1. Kettle\n2. Cups\n\n| What | Where |\n| --- | --- |\n| Milk | Fridge |" },
        {
          type: "actions",
          elements: [
            { type: "button", action_id: "more", value: "7", text: { type: "plain_text", text: "Tell me more" } },
          ],
        },
      ],
    });
  });
  made.action("more", async ({ ack, body, client }) => {
    await ack();
    if (!("trigger_id" in body)) return;
    await client.views.open({
      trigger_id: body.trigger_id,
      view: {
        type: "modal",
        callback_id: "why",
        title: { type: "plain_text", text: "More about tea" },
        submit: { type: "plain_text", text: "Ask" },
        blocks: [
          {
            type: "input",
            block_id: "question",
            label: { type: "plain_text", text: "What about it?" },
            element: { type: "plain_text_input", action_id: "words", multiline: true },
          },
        ],
      },
    });
  });
  made.view("why", async ({ ack, view, client }) => {
    await ack();
    const words = view.state.values["question"]?.["words"]?.value ?? "";
    await client.chat.postMessage({ channel: general.id, text: `Somebody wonders: ${words}` });
  });
  made.function("search", async ({ inputs, complete, fail }) => {
    if (inputs["query"] === "coffee") await fail({ error: "There is no coffee." });
    else await complete({ outputs: { search_results: [TEA] } });
  });
  made.event("link_shared", async ({ event, client }) => {
    const entities = event.links.map(({ url }) => ({ ...TEA_CARD, url, app_unfurl_url: url }));
    await client.chat.unfurl({ channel: event.channel, ts: event.message_ts, metadata: { entities } });
  });
  made.command("/tea", async ({ ack, command }) => ack(`You said: ${command.text}`));
  made.event("app_home_opened", async ({ event, client }) => {
    const blocks = [{ type: "header" as const, text: { type: "plain_text" as const, text: "Tea house" } }];
    await client.views.publish({ user_id: event.user, view: { type: "home", blocks } });
  });
  return made;
}

describe.runIf(browser !== undefined)("the page to talk in", () => {
  beforeEach(async () => {
    workspace = await startWorkspace({
      app: {
        name: "Kettle",
        commands: ["/tea"],
        search: { callbackId: "search" },
        unfurlDomains: ["tea.example.com"],
      },
    });
    ada = workspace.addUser({ name: "ada", realName: "Ada Byron" });
    workspace.addUser({ name: "ben", realName: "Ben Ray" });
    general = workspace.addChannel({ name: "general", members: [ada.user.id], withApp: true });
    app = smallApp();
    await app.start();
    await workspace.until(() => workspace.sockets() > 0);
    if (browser === undefined) throw new Error("no browser");
    page = await browser.context.newPage();
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (line) => {
      if (line.type() === "error") problems.push(line.text());
    });
    await page.goto(workspace.url);
  });
  afterEach(async () => {
    await page.close();
    await app.stop();
    await workspace.close();
    if (problems.length > 0) throw new Error(`The page's console says: ${problems.splice(0).join("; ")}`);
  });

  const composer = () => page.getByRole("textbox", { name: "Message # general" });

  it("shows the empty channel and says what to do in it", async () => {
    expect(await shows(page.getByText("Mention @Kettle with a question"))).toBe(true);
    expect(await shows(page.getByText("Kettle is connected"))).toBe(true);
  });

  it("mentions the app; its reply stands in the thread with blocks drawn and links where they lead", async () => {
    await composer().fill("@Kettle when is tea?");
    await composer().press("Enter");
    await page.getByRole("button", { name: "1 reply" }).click();
    const thread = page.getByRole("complementary", { name: "Thread" });
    await thread.getByText("Milk").waitFor();
    expect(await thread.locator("li").allTextContents()).toEqual(["Kettle", "Cups"]);
    const link = thread.getByRole("link", { name: "says the list" });
    expect(await link.getAttribute("href")).toBe("https://tea.example");
    expect(await thread.locator(".mention").textContent()).toBe("@Kettle");
    expect(workspace.messages(general.id)[0]?.text).toBe(`<@${workspace.app.botUserId}> when is tea?`);
  });

  it("presses a button, fills in the dialog and sends it, by keyboard alone", async () => {
    await ada.mention(general.id, "tea?");
    await page.getByRole("button", { name: "1 reply" }).press("Enter");
    await page.getByRole("button", { name: "Tell me more" }).press("Enter");
    const box = page.getByRole("dialog").getByRole("textbox");
    await box.fill("Is there cake?");
    await box.press("Tab");
    await page.getByRole("button", { name: "Ask", exact: true }).press("Enter");
    expect(await shows(page.getByText("Somebody wonders: Is there cake?"))).toBe(true);
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("pins and unpins a message", async () => {
    const ts = await ada.say(general.id, "The key is under the mat.");
    await page.getByText("under the mat").hover();
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await page.getByText("⚑ pinned").waitFor();
    expect(workspace.message(general.id, ts)?.pinned).toBe(true);
    await page.getByText("under the mat").hover();
    await page.getByRole("button", { name: "Unpin" }).click();
    await page.getByText("⚑ pinned").waitFor({ state: "detached" });
  });

  it("runs a slash command and shows the answer to the one who asked alone", async () => {
    await composer().fill("/tea with milk");
    await composer().press("Enter");
    await page.getByText("You said: with milk").waitFor();
    await page.getByText("Only visible to you").waitFor();
    await page.getByLabel("You are").selectOption({ label: "Ben Ray" });
    await page.getByRole("button", { name: "Join # general" }).waitFor();
    expect(await page.getByText("You said: with milk").count()).toBe(0);
  });

  it("searches: what the app found, or what it says instead", async () => {
    const box = page.getByRole("searchbox", { name: "Search" });
    await box.fill("tea");
    await box.press("Enter");
    const results = page.getByRole("region", { name: "Search results" });
    const link = results.getByRole("link", { name: TEA.title });
    expect(await link.getAttribute("href")).toBe(TEA.link);
    expect(await results.textContent()).toContain("Milk stands in the fridge.");
    expect(await results.textContent()).toContain("1 result of Kettle");
    await box.fill("coffee");
    await box.press("Enter");
    expect(await shows(results.getByText("There is no coffee."))).toBe(true);
    await page.getByRole("button", { name: "Close the search" }).click();
    expect(await shows(composer())).toBe(true);
  });

  it("shows below a message what the app tells of its links", async () => {
    await ada.say(general.id, "See https://tea.example.com/four");
    const preview = page.getByRole("complementary", { name: `Preview of ${TEA.title}` });
    expect(await shows(preview)).toBe(true);
    expect(await preview.textContent()).toBe(`${TEA.title}Milk stands in the fridge.tea.example.com · Mar 2, 2026`);
  });

  it("shows the Home", async () => {
    await page.getByRole("button", { name: "Kettle home" }).click();
    expect(await shows(page.getByRole("heading", { name: "Tea house" }))).toBe(true);
  });

  it("leads from a permalink to the message's thread", async () => {
    const ts = await ada.say(general.id, "The tide table is on the door.");
    const { permalink } = await app.client.chat.getPermalink({ channel: general.id, message_ts: ts });
    await page.goto(permalink ?? "");
    expect(await shows(page.getByRole("complementary").getByText("The tide table"))).toBe(true);
  });

  it("fits a telephone: what is said has the whole width, and everything of the box to write in can be reached", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await ada.mention(general.id, "tea?");
    await page.getByRole("button", { name: "1 reply" }).waitFor();
    for (const opened of [false, true]) {
      if (opened) await page.getByRole("button", { name: "1 reply" }).click();
      const place = opened ? page.getByRole("complementary", { name: "Thread" }) : page.getByRole("main");
      expect((await place.boundingBox())?.width).toBe(390);
      await place.locator('input[type="file"]').setInputFiles({
        name: `tide-tables-of-the-whole-harbour-and-all-of-its-basins.txt`,
        mimeType: "text/plain",
        buffer: Buffer.from("06:40"),
      });
      for (const name of ["Attach", "Send"]) {
        const reached = name === "Send" ? place.getByRole("button", { name }) : place.locator(".attach");
        const { x = -1, y = 0, width = 0, height = 0 } = (await reached.boundingBox()) ?? {};
        expect([x >= 0, x + width <= 390, y + height <= 844]).toEqual([true, true, true]);
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it("keeps what could not be sent, and says why", async () => {
    await page.getByText("Mention @Kettle").waitFor();
    workspace.archive(general.id);
    await composer().fill("hello?");
    await composer().press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await composer().inputValue()).toBe("hello?");
    // The browser notes the refusal in its console too.
    await workspace.until(() => problems.length > 0);
    expect(problems.splice(0)).toEqual([expect.stringContaining("400")]);
  });

  it("draws hostile words as words", async () => {
    const words = '<img src=x onerror="document.title=1"> [x](javascript:document.title=2) <javascript:alert(1)|y>';
    const escaped = words.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    await ada.say(general.id, escaped);
    await app.client.chat.postMessage({ channel: general.id, text: "x", blocks: [{ type: "markdown", text: words }] });
    await page.getByText("onerror").nth(1).waitFor();
    expect(await page.locator(".messages a, .messages img").count()).toBe(0);
    expect(await page.title()).toBe("Workspace");
  });

  it("shows what was streamed in its order: a table where it came, not below all the words", async () => {
    const ts = await ada.say(general.id, "go");
    const cell = (text: string) => ({ type: "raw_text" as const, text });
    const recipient = { recipient_user_id: ada.user.id, recipient_team_id: workspace.team.id };
    const begun = await app.client.chat.startStream({ channel: general.id, thread_ts: ts, ...recipient });
    const table = { type: "table" as const, rows: [[cell("Milk"), cell("Fridge")]] };
    const last = { type: "section" as const, text: { type: "mrkdwn" as const, text: "Below." } };
    const say = (text: string) => ({ type: "markdown_text" as const, text });
    await app.client.chat.stopStream({
      channel: general.id,
      ts: begun.ts ?? "",
      chunks: [say("Before"), say(" it."), { type: "blocks", blocks: [table] }, say("After it.")],
      blocks: [last],
    });
    await page.getByRole("button", { name: "1 reply" }).click();
    const content = page.locator(".thread .message").nth(1).locator(".content");
    await content.getByText("Below.").waitFor();
    expect((await content.textContent())?.replaceAll(/\s+/g, " ")).toMatch(
      /Before it\..*Milk.*Fridge.*After it\..*Below\./,
    );
  });

  it("shows a streamed message while it grows", async () => {
    const ts = await ada.say(general.id, "go");
    const recipient = { recipient_user_id: ada.user.id, recipient_team_id: workspace.team.id };
    const begun = await app.client.chat.startStream({ channel: general.id, thread_ts: ts, ...recipient });
    await page.getByRole("button", { name: "1 reply" }).click();
    const streamed = { channel: general.id, ts: begun.ts ?? "" };
    await app.client.chat.appendStream({ ...streamed, markdown_text: "**One**" });
    await page.locator(".thread strong", { hasText: "One" }).waitFor();
    await page.getByRole("status", { name: "The answer is being written" }).waitFor();
    await app.client.chat.appendStream({ ...streamed, markdown_text: " and two" });
    expect(await shows(page.getByText("and two"))).toBe(true);
    await app.client.chat.stopStream(streamed);
    await page.getByRole("status", { name: "The answer is being written" }).waitFor({ state: "detached" });
  });

  it("folds steps and what may be folded, and presses what is chosen in a menu", async () => {
    const ts = await ada.say(general.id, "go");
    await page.setViewportSize({ width: 390, height: 800 });
    const stream = await app.client.chat.startStream({
      channel: general.id,
      thread_ts: ts,
      recipient_user_id: ada.user.id,
      recipient_team_id: workspace.team.id,
      task_display_mode: "plan",
      chunks: [
        { type: "plan_update", title: "Searched 3 documents" },
        { type: "task_update", id: "1", title: "Searched for tea", status: "complete" },
      ],
    });
    const chosen = Promise.withResolvers<unknown>();
    app.action("rare", async ({ ack, action }) => {
      await ack();
      chosen.resolve(action);
    });
    const text = (words: string) => ({ type: "plain_text" as const, text: words });
    await app.client.chat.stopStream({
      channel: general.id,
      ts: stream.ts ?? "",
      chunks: [{ type: "markdown_text", text: "At four." }],
      blocks: [
        {
          type: "container",
          title: text("8 more sources"),
          is_collapsible: true,
          default_collapsed: true,
          child_blocks: [{ type: "context", elements: [text("The kettle's manual")] }],
        },
        {
          type: "actions",
          elements: [{ type: "overflow", action_id: "rare", options: [{ text: text("How so?"), value: "how:1" }] }],
        },
      ],
    });
    await page.getByRole("button", { name: "1 reply" }).click();
    for (const [fold, inside] of [
      ["Searched 3 documents", "Searched for tea"],
      ["8 more sources", "The kettle's manual"],
    ] as const) {
      await page.getByText(fold).waitFor();
      expect(await page.getByText(inside).isVisible()).toBe(false);
      await page.getByText(fold).click();
      expect(await shows(page.getByText(inside))).toBe(true);
    }
    await page.getByLabel("More actions").click();
    const entry = page.getByRole("button", { name: "How so?" });
    await entry.waitFor();
    const box = await entry.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    await entry.click();
    expect(await chosen.promise).toMatchObject({ selected_option: { value: "how:1" } });
  });
});

describe("the page's own doors", () => {
  it("refuse acts that are no JSON, odd, or by nobody", async () => {
    const own = await startWorkspace();
    try {
      const post = async (body: string, type = "application/json"): Promise<[number, string]> => {
        const reply = await fetch(new URL("page/act", own.url), {
          method: "POST",
          headers: { "content-type": type },
          body,
        });
        return [reply.status, await reply.text()];
      };
      expect((await post("x", "text/plain"))[0]).toBe(415);
      expect(await post("{}")).toEqual([400, expect.stringContaining("odd")]);
      expect(await post(JSON.stringify({ as: "U0", kind: "shout" }))).toEqual([400, expect.stringContaining("odd")]);
      expect((await post(JSON.stringify({ as: "U0", kind: "openHome" })))[0]).toBe(400);
      expect((await fetch(new URL("page/..%2fstart.ts", own.url))).status).toBe(404);
    } finally {
      await own.close();
    }
  });
});
