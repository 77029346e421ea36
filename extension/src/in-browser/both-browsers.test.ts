import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Beside, besideInChromium, besideInFirefox, shows } from "../testing/beside.ts";
import { hasChromium } from "../testing/chromium.ts";
import { hasFirefox } from "../testing/firefox.ts";
import { article, servePages, type TestPages } from "../testing/pages.ts";
import { startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";

const RELEASE = "The release is planned for the twelfth of March.";
const GATE = "Visitors park their bicycles behind the blue gate.";

// Asked here, where no time limit counts: they may install a browser first.
const BROWSERS = [
  { name: "Chromium", isThere: await hasChromium(), launch: besideInChromium },
  { name: "Firefox", isThere: await hasFirefox(), launch: besideInFirefox },
];

describe.each(BROWSERS)("the panel beside a page in $name", { timeout: 240_000 }, ({ isThere, launch }) => {
  let beside: Beside;
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    if (!isThere) return;
    pages = await servePages((path) => {
      if (path === "/japanese")
        return article("計画", "公開は三月十二日に予定されています。駐輪場は青い門の裏にあります。");
      const secret = path === "/secret" ? '<input type="password">' : "";
      return article(`Plan ${path.slice(1)}`, RELEASE, GATE, secret);
    });
    service = await startService();
    beside = await launch(service);
  }, 240_000);
  afterAll(async () => {
    await beside?.close();
    await Promise.all([service?.close(), pages?.close()]);
  }, 60_000);

  const titles = async () => (await service.documents()).map(({ semantic_id }) => semantic_id);
  const ask = async (question: string) => {
    await beside.send(question);
    await shows(beside, question);
    return beside.answered();
  };

  it.runIf(isThere)("answers about the page, with the source it says it from", async () => {
    await beside.open(`${pages.url}/one`);
    const answered = await ask("When is the release planned?");
    expect(answered).toContain("twelfth of March");
    expect(answered).toContain("Plan one");
  });

  it.runIf(isThere)("shows answer and draft again when it was closed, and the conversation in its list", async () => {
    await beside.write("And not sent yet");
    // Nobody closes it in the same moment.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await beside.reopen();
    await shows(beside, "twelfth of March");
    expect(await beside.text()).toContain("And not sent yet");
    await beside.write("");
    await beside.press("New conversation");
    await shows(beside, "What would you like to know?");
    await beside.press("Earlier conversations");
    await shows(beside, "When is the release planned?");
    await beside.press("Back to the conversation");
  });

  it.runIf(isThere)("asks what is selected alone", async () => {
    await beside.inPage(() => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelectorAll("p")[1] ?? document.body);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    });
    // A panel that is opened looks at the page; one that is open does when the mouse or the focus comes to it.
    await beside.reopen();
    await beside.press("Ask about the selection");
    expect(await ask("Where do visitors park?")).toContain("selection of “Plan one”");
    await beside.inPage(() => getSelection()?.removeAllRanges());
  });

  it.runIf(isThere)("takes a page back that was kept from the menu, and sends one kept by the shortcut", async () => {
    await beside.open(`${pages.url}/two`);
    await beside.chooseFromMenu("keep-page", "Keep this page");
    await shows(beside, /Kept in \d+ seconds?/);
    await beside.press("Undo");
    await until("it is taken back", async () => !/Kept in \d+/.test(await beside.text()));
    await beside.open(`${pages.url}/three`);
    await beside.pressKeepShortcut();
    await shows(beside, /Kept in \d+ seconds?/);
    await until("it has arrived", async () => (await titles()).includes("Plan three"));
    expect(await titles()).not.toContain("Plan two");
  });

  it.runIf(isThere)("shows what a page that looks private says, and sends nothing before it is agreed to", async () => {
    await beside.open(`${pages.url}/secret`);
    await beside.press("Keep this page");
    await shows(beside, "A password can be typed into the page.");
    await beside.press("Do not keep it");
    await until("the question is gone", async () => !(await beside.text()).includes("Keep this page?"));
    await beside.press("Keep this page");
    await beside.press("Keep it");
    await shows(beside, /Kept in \d+ seconds?/);
    expect(await titles()).not.toContain("Plan secret");
    await until("it has arrived", async () => (await titles()).includes("Plan secret"));
  });

  it.runIf(isThere)("reads Japanese, from the question to the answer", async () => {
    await beside.open(`${pages.url}/japanese`);
    await beside.press("New conversation");
    expect(await ask("公開はいつですか？")).toContain("三月十二日");
  });

  it.runIf(isThere)("is held up by no page that hangs: it stops, and asks without it", async () => {
    await beside.open(`${pages.url}/hangs`);
    await beside.inPage(() => {
      setTimeout(() => {
        const end = Date.now() + 25_000;
        while (Date.now() < end);
      }, 100);
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await beside.send("Is it read?");
    await shows(beside, "Reading the page…");
    await beside.press("Stop the answer");
    await shows(beside, "Stopped. What had arrived stays.");
    await beside.send("And without it?");
    await beside.press("Ask without the page");
    expect(await beside.answered()).toContain("The page does not answer.");
  });

  it.runIf(isThere)("fits where it is narrow", async () => {
    for (const width of [240, 360]) expect(await beside.overflowAt(width)).toBeLessThanOrEqual(0);
  });
});
