import { beforeAll, describe, expect, it } from "vitest";
import { type Beside, has, shows } from "../testing/beside.ts";
import { article, type TestPages } from "../testing/pages.ts";
import { startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { beginScene, BROWSERS } from "./browsers.harness.ts";

const QUESTION = "How many people have to be aboard the Gannet?";
const ANSWER = "Two people have to be aboard the Gannet inside the harbour.";
/** Which says otherwise in other words: no rule tells. */
const SAYS = "Nobody takes the Gannet out without three colleagues any more.";
const BOOKMARK = '.bar [aria-haspopup="dialog"]';

describe.each(BROWSERS)(
  "a page that is kept and may change what was answered, in $name",
  { timeout: 240_000 },
  ({ isThere, launch }) => {
    let beside: Beside;
    let service: TestService;
    let pages: TestPages;

    beforeAll(async () => {
      if (!isThere) return;
      const scene = await beginScene(launch, {
        service: startService,
        pages: (path) =>
          path === "/menu"
            ? article("Menu", "There is soup on Mondays.")
            : article("Crews of our boats", `Lifejackets are worn on deck. ${SAYS}`),
        allowedSites: ["http://pages.example/*"],
      });
      ({ beside, service, pages } = scene);
      await service.keepAnswer(QUESTION, ANSWER);
      await beside.open(`${pages.url}/crews`);
      await beside.openTab(`${pages.url}/menu`);
      return () => scene.end();
    }, 240_000);

    /** How often the service has told of kept answers. */
    const told = () =>
      beside.inPanel(
        ({ defaultView: view }) =>
          view?.performance
            .getEntriesByType("resource")
            .filter(({ name, duration }) => name.includes("/kept-answers/near") && duration > 0).length ?? 0,
      );
    const keep = async () => {
      await beside.press("Keep this page");
      await beside.letTimePass();
      await has(beside, ".keep-line.kept", "Kept since");
    };
    const isGone = (selector: string) =>
      until(`${selector} is gone`, () =>
        beside.inPanel((document, one) => document.querySelector(one) === null, selector),
      );

    it.runIf(isThere)("shows nothing of a page that is of something else", async () => {
      await keep();
      await until("the service has told", async () => (await told()) > 0);
      expect(await beside.inPanel((document) => document.querySelectorAll(".near").length)).toBe(0);
    });

    it.runIf(isThere)("shows the question and the sentences of both once it is kept, and not before", async () => {
      await beside.goTo(`${pages.url}/crews`);
      await shows(beside, "Crews of our boats");
      expect(await beside.text()).not.toContain(SAYS);
      await keep();
      const shown = await has(beside, ".foot .near", QUESTION);
      expect(shown).toContain("What this page may change");
      expect(shown).toContain(ANSWER);
      expect(shown).toContain(SAYS);
      expect(await service.doubts()).toEqual([]);
    });

    it.runIf(isThere)("shows it in its menu as well, whoever has closed it", async () => {
      await beside.press("Close and do not show this again");
      await isGone(".foot .near");
      await beside.click(BOOKMARK);
      expect(await has(beside, ".popover .near", ANSWER)).toContain(SAYS);
    });

    it.runIf(isThere)("has the owner asked by a press, and shows it no more", async () => {
      await beside.press(`It changes this ${QUESTION}`);
      await has(beside, ".near", "Its owner is asked whether it still holds.");
      expect(await service.doubts()).toEqual([`${QUESTION} < Crews of our boats`]);
      await beside.keys("Escape");
      await isGone(".popover");
      const before = await told();
      await beside.click(BOOKMARK);
      await has(beside, ".popover", "Kept since");
      await until("the service has told again", async () => (await told()) > before);
      expect(await beside.inPanel((document) => document.querySelectorAll(".near").length)).toBe(0);
    });
  },
);
