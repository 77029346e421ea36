import { beforeAll, describe, expect, it } from "vitest";
import type { LedgerRecord } from "../outbox/ledger.ts";
import { type Beside, has, shows } from "../testing/beside.ts";
import { article } from "../testing/pages.ts";
import { startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { beginScene, BROWSERS } from "./browsers.harness.ts";

describe.each(BROWSERS)(
  "the bookmark of a page that is kept, in $name",
  { timeout: 240_000 },
  ({ isThere, launch }) => {
    let beside: Beside;
    let service: TestService;

    beforeAll(async () => {
      if (!isThere) return;
      const scene = await beginScene(launch, {
        service: startService,
        pages: (path) => article(`Plan ${path.slice(1)}`, "The shed is opened with the code on the board."),
        allowedSites: ["http://pages.example/*"],
      });
      ({ beside, service } = scene);
      await beside.open(`${scene.pages.url}/one`);
      await beside.press("Keep this page");
      await beside.letTimePass();
      await has(beside, BOOKMARK);
      return () => scene.end();
    }, 240_000);

    const BOOKMARK = '.bar [aria-haspopup="dialog"]';
    const open = async () => {
      await beside.click(BOOKMARK);
      await has(beside, ".popover", "Kept since");
    };
    /** What has the focus, as it is called. */
    const focused = () =>
      beside.inPanel(({ activeElement: at }) => at?.getAttribute("aria-label") ?? at?.textContent?.trim() ?? "");
    const waiting = () => beside.store("outbox");
    const kept = async () => (await service.documents()).map(({ semantic_id }) => semantic_id);

    it.runIf(isThere)("says by a press what can be done, and does none of it", async () => {
      await open();
      expect(await beside.inPanel((document) => document.querySelector(".popover")?.getAttribute("aria-label"))).toBe(
        "What can be done with this page",
      );
      expect(await has(beside, ".popover")).toMatch(/Plan one\s+Kept since .+\s+Note, tags…\s+Update\s+Remove/);
      expect(await waiting()).toEqual([]);
      await beside.keys("Escape");
      await until("it is closed", () => beside.inPanel((document) => document.querySelector(".popover") === null));
      expect(await focused()).toMatch(/^Kept since/);
      expect(await kept()).toEqual(["Plan one"]);
    });

    it.runIf(isThere)("takes a note by the keyboard alone, and sends the page with it", async () => {
      await beside.keys("Enter");
      await until("the menu has the focus", async () => (await focused()) === "What can be done with this page");
      await beside.keys("Tab");
      await until("its first entry has the focus", async () => (await focused()) === "Note, tags…");
      await beside.keys("Enter");
      await has(beside, ".additions");
      await beside.fill("Note", "Rui has the key.");
      await beside.press("Done");
      await shows(beside, /Keeping in \d+ seconds?/);
      await beside.letTimePass();
      await until("it is sent with the note", async () => {
        const [record] = (await beside.store("ledger")) as LedgerRecord[];
        return record?.times === 2 && record.additions?.note === "Rui has the key.";
      });
      expect(await kept()).toEqual(["Plan one"]);
    });

    it.runIf(isThere)("keeps the page as it is now, with its note, and lets that be taken back", async () => {
      await until("it is kept", () =>
        beside.inPanel((document, found) => document.querySelector(found) !== null, BOOKMARK),
      );
      await open();
      await beside.press("Update");
      await shows(beside, /Keeping in \d+ seconds?/);
      expect(await waiting()).toMatchObject([{ additions: { note: "Rui has the key." } }]);
      await beside.press("Undo");
      await has(beside, BOOKMARK);
      expect(await waiting()).toEqual([]);
    });

    it.runIf(isThere)("removes the page once the person says so, and not before", async () => {
      await open();
      await beside.press("Remove");
      await has(beside, ".popover", "Remove this page for everyone?");
      await beside.press("Keep it");
      await has(beside, ".popover", "Update");
      await until("who says no is where they came from", async () => (await focused()) === "Remove");
      expect(await waiting()).toEqual([]);
      await beside.press("Remove");
      await has(beside, ".popover", "Remove this page for everyone?");
      await beside.press("Remove");
      await shows(beside, /Removed in \d+ seconds?/);
      expect(await kept()).toEqual(["Plan one"]);
      await beside.letTimePass();
      await until("it is gone there", async () => (await kept()).length === 0);
      await beside.press("Keep this page");
      await shows(beside, /Keeping in \d+ seconds?/);
    });
  },
);
