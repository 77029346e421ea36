import { handbookPages } from "@threadlore/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { type Beside, choose, has, shows, textsOf } from "../testing/beside.ts";
import { article, type TestPages } from "../testing/pages.ts";
import { startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { beginScene, BROWSERS } from "./browsers.harness.ts";

const SECRET = article("Payroll", "The salaries of the year.", '<form><input type="password"></form>');

describe.each(BROWSERS)("keeping in the panel of $name", { timeout: 240_000 }, ({ isThere, launch }) => {
  let beside: Beside;
  let service: TestService;
  let pages: TestPages;
  /** What stood in the handbook before anything was kept. */
  const handbook = new Set<string>();

  beforeAll(async () => {
    if (!isThere) return;
    const scene = await beginScene(launch, {
      service: async () => {
        const started = await startService();
        for (const page of handbookPages()) {
          await started.add(page);
          handbook.add(page.title);
        }
        await started.drain();
        return started;
      },
      pages: (path) =>
        path === "/payroll"
          ? SECRET
          : path === "/wages"
            ? SECRET.replace("Payroll", "Wages")
            : article(`Plan ${path.slice(1)}`, "The shed is opened with the code on the board."),
      allowedSites: ["http://pages.example/*"],
    });
    ({ beside, service, pages } = scene);
    await beside.open(`${pages.url}/one`);
    return () => scene.end();
  }, 240_000);

  const kept = async () =>
    (await service.documents()).map(({ semantic_id }) => semantic_id).filter((title) => !handbook.has(title));
  const arrives = (title: string) => until(`“${title}” has arrived`, async () => (await kept()).includes(title));
  const rows = () => textsOf(beside, ".kept-row .past-title");
  const openKept = async () => {
    await beside.press("Earlier conversations");
    await choose(beside, "Kept pages");
    await has(beside, ".kept-pages .told");
  };
  const isThereNoMore = (selector: string) =>
    until(`${selector} is gone`, () =>
      beside.inPanel((document, wanted) => document.querySelector(wanted) === null, selector),
    );

  it.runIf(isThere)("takes a title and tags within the ten seconds, and sends the page with them", async () => {
    await beside.press("Keep this page");
    await beside.press("Note, tags…");
    await beside.fill("Title", "Café der Pläne");
    await beside.write("茶,", ".tag-box input");
    await has(beside, ".tag-box .tag", "茶");
    await beside.write("שלום", ".tag-box input");
    expect(await kept()).toEqual([]);
    await beside.press("Done");
    await shows(beside, /Keeping in \d+ seconds?/);
    expect(await kept()).toEqual([]);
    await beside.letTimePass();
    await arrives("Café der Pläne");
  });

  it.runIf(isThere)("takes them before the person agrees to keep a page that looks private", async () => {
    await beside.open(`${pages.url}/payroll`);
    await beside.press("Keep this page");
    await shows(beside, "A password can be typed into the page.");
    await beside.press("Note, tags…");
    await beside.fill("Title", "Salaries");
    await beside.press("Done");
    await has(beside, ".consent dd", "Salaries");
    await beside.press("Keep it");
    await shows(beside, /Keeping in \d+ seconds?/);
    expect(await kept()).not.toContain("Salaries");
    await beside.letTimePass();
    await arrives("Salaries");
  });

  it.runIf(isThere)("finds kept pages by title, site and tag in any script, and opens them", async () => {
    await openKept();
    await until("both are listed", async () => (await rows()).length === 2);
    await has(beside, ".days h3", "Today");
    for (const [query, found] of [
      ["cafe PLANE", ["Café der Pläne"]],
      ["茶", ["Café der Pläne"]],
      ["שלום", ["Café der Pläne"]],
      ["pages.example", ["Salaries", "Café der Pläne"]],
    ] as const) {
      await beside.write(query, "input[type=search]");
      await expect.poll(rows).toEqual(found);
    }
    await beside.write("", "input[type=search]");
    await until("all are listed", async () => (await rows()).length === 2);
    const before = await beside.tabsAt(`${pages.url}/one`);
    await beside.click(".kept-row:last-of-type a[href$='/one']");
    await expect.poll(() => beside.tabsAt(`${pages.url}/one`)).toBe(before + 1);
    await beside.press("Back to the conversation");
  });

  it.runIf(isThere)("retitles and tags a kept page under the same id", async () => {
    await beside.open(`${pages.url}/two`);
    await openKept();
    const ids = async () => (await service.documents()).map(({ document_id }) => document_id).toSorted();
    const before = await ids();
    await beside.press("Title, tags and note of “Café der Pläne”");
    await beside.fill("Title", "第二計画");
    await beside.write("drinks", ".tag-box input");
    await beside.press("Done");
    await has(beside, ".kept-row", "第二計画");
    await beside.letTimePass();
    await arrives("第二計画");
    expect(await ids()).toEqual(before);
    await has(beside, ".kept-row .past-tags", "drinks");
  });

  it.runIf(isThere)("removes a kept page once the person says so, and brings it back for ten seconds", async () => {
    const remove = async () => {
      await beside.press("Remove “第二計画”");
      await beside.press("Remove");
      await shows(beside, /Removed in \d+ seconds?/);
    };
    await remove();
    await beside.press("Undo");
    await until("it is brought back", async () => !/Removed in/.test(await beside.text()));
    expect(await kept()).toContain("第二計画");
    await remove();
    await beside.letTimePass();
    await until("it is gone there", async () => !(await kept()).includes("第二計画"));
    await until("it is listed no more", async () => !(await rows()).includes("第二計画"));
    await beside.press("Back to the conversation");
  });

  it.runIf(isThere)("keeps all tabs of a window: one list, each judged, the private one not chosen", async () => {
    await beside.openTab(`${pages.url}/wages`);
    await beside.openTab(`${pages.url}/three`);
    await beside.openTab(`${pages.url}/four`);
    await beside.click(".page-chip .page");
    await beside.press("Keep all tabs of this window");
    await has(beside, ".keep-tabs h2", "Keep the tabs of this window");
    await until("all are read", () =>
      beside.inPanel((document) => document.querySelector<HTMLButtonElement>(".keep-tabs .primary:enabled") !== null),
    );
    const chosen = () =>
      beside.inPanel((document) =>
        Array.from(document.querySelectorAll<HTMLLabelElement>(".keep-tabs li label"), (label) => [
          label.querySelector("span > span")?.textContent,
          label.querySelector("input")?.checked,
        ]),
      );
    const list = Object.fromEntries(await chosen());
    expect(list).toMatchObject({ Wages: false, "Plan three": true, "Plan four": true });
    expect(await beside.text()).toContain("A password can be typed into the page.");
    await choose(beside, "Plan four");
    const count = Object.values(Object.fromEntries(await chosen())).filter(Boolean).length;
    await beside.press(count === 1 ? "Keep 1 page" : `Keep ${count} pages`);
    await isThereNoMore(".keep-tabs");
    await beside.letTimePass();
    await arrives("Plan three");
    expect(await kept()).not.toContain("Plan four");
    expect(await kept()).not.toContain("Wages");
  });

  it.runIf(isThere)("suggests what can be asked next, and asks it by one press", async () => {
    await beside.press("New conversation");
    await beside.send("How many days of holiday do I get?");
    await has(beside, ".turn h2", "How many days of holiday do I get?");
    await beside.answered();
    await has(beside, ".follow-ups .suggestion");
    const suggested = (await textsOf(beside, ".follow-ups .suggestion")).at(-1) ?? "";
    await beside.press(suggested);
    await has(beside, ".turn:last-of-type h2", suggested);
    expect(await beside.answered()).toMatch(/Sources/);
  });
});
