import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reply } from "@threadlore/testkit";
import { beforeAll, describe, expect, it } from "vitest";
import { violationsIn } from "../panel/in-browser/axe.harness.ts";
import {
  type ScriptedAnswer,
  type ScriptedService,
  startScriptedService,
} from "../panel/in-browser/scripted-service.harness.ts";
import { type Beside, choose, has, type OwnPage, settingsFor, shows } from "../testing/beside.ts";
import { article, type TestPages } from "../testing/pages.ts";
import { until } from "../testing/until.ts";
import { beginScene, BROWSERS } from "./browsers.harness.ts";

/** A folder to put pictures of every view in, to be looked at. */
const PICTURES = process.env["THREADLORE_LOOK"];

const LINK = "https://wiki.example.com/travel";
const ANSWER: ScriptedAnswer = {
  text: [
    "## Travel costs",
    `They are paid back within **ten days** [[1]](${LINK}), or after the *second* reminder[^1].`,
    "- trains first\n- then planes\n  1. within the continent\n  2. elsewhere",
    "| what | limit | since |\n| --- | ---: | --- |\n| hotel | 160 | 2024-10-01 |\n| train | none | 2026-01-01 |",
    "```ts\nconst limit = 160; // a line that is longer than any narrow panel is wide, so that it has to be scrolled\n```",
    "The sum is $\\sum_{i=1}^{n} x_i \\le 160$, with `limit` as above.",
    "> As it was said.",
    "公開は三月十二日です。",
    "تدفع نفقات السفر خلال عشرة أيام من تسليم الإيصالات.",
    "[^1]: The reminder goes out by itself.",
  ].join("\n\n"),
  piece: 200,
  documents: [{ id: "travel", title: "Travel", link: LINK, passage: "Travel costs are paid back within ten days." }],
};

/** Widths of a panel, in points: a panel of 360 at 200 %, as narrow as it is dragged, and as wide as browsers make it. */
const WIDTHS = [180, 240, 380];
const LOOKS = ["light", "dark"] as const;

describe.each(BROWSERS)("every view of the extension in $name", { timeout: 400_000 }, ({ name, isThere, launch }) => {
  let beside: Beside;
  let service: ScriptedService;
  let pages: TestPages;
  let next: ScriptedAnswer | Reply = ANSWER;

  beforeAll(async () => {
    if (!isThere) return;
    const scene = await beginScene(launch, {
      service: () => startScriptedService(() => next),
      pages: (path) =>
        article("Minutes", "The board met on Tuesday.", path === "/secret" ? '<input type="password">' : ""),
      isSetUp: false,
      allowedSites: ["http://pages.example/*"],
    });
    ({ beside, service, pages } = scene);
    await beside.open(`${pages.url}/minutes`);
    return () => scene.end();
  }, 240_000);

  const send = async (question: string, answer: ScriptedAnswer | Reply) => {
    next = answer;
    await beside.send(question);
    await has(beside, ".turn h2", question);
  };

  /** Each view by how a person gets there from the one before it. */
  const VIEWS: Record<string, () => Promise<Beside | OwnPage>> = {
    "the panel without a service": async () => {
      await shows(beside, "Set up Threadlore");
      return beside;
    },
    "the empty panel": async () => {
      await beside.setStored(settingsFor(service.url));
      await shows(beside, "What would you like to know?");
      return beside;
    },
    "what is asked of the page": async () => {
      await beside.click(".page-chip .page");
      await has(beside, ".popover", "Always allow");
      return beside;
    },
    "an answer while it is written, and a question that waits": async () => {
      await beside.keys("Escape");
      await send("How long does it take?", { text: "Word by word. ".repeat(4_000), piece: 20, everyMs: 50 });
      await has(beside, ".turn .answer", "Word by word.");
      await beside.send("And then?");
      await has(beside, ".queue-text", "And then?");
      return beside;
    },
    "an answer": async () => {
      await beside.press("Do not ask: And then?");
      await beside.press("Stop the answer");
      await beside.answered();
      await beside.press("New conversation");
      await send("What is paid back?", ANSWER);
      await beside.answered();
      return beside;
    },
    "a source": async () => {
      await beside.press("Source 1: Travel");
      await until("its card is open", () =>
        beside.inPanel((document) => document.querySelector(".card:popover-open") !== null),
      );
      return beside;
    },
    "a question that is put otherwise": async () => {
      await beside.keys("Escape");
      await beside.press("Edit this question");
      await has(beside, ".question-editor");
      return beside;
    },
    "a failure": async () => {
      await beside.press("Leave it as it was");
      await send("And now?", { status: 500, json: { detail: "boom" } });
      await beside.answered();
      return beside;
    },
    "title and tags of a page that is kept": async () => {
      await beside.press("Keep this page");
      await beside.press("Note, tags…");
      await beside.write("drinks,", ".tag-box input");
      await has(beside, ".tag-box .tag", "drinks");
      return beside;
    },
    "the time to take a page back": async () => {
      await beside.press("Done");
      await shows(beside, /Keeping in \d+ seconds?/);
      return beside;
    },
    "the kept pages": async () => {
      await beside.press("Earlier conversations");
      await choose(beside, "Kept pages");
      await has(beside, ".kept-row", "drinks");
      return beside;
    },
    "the earlier conversations": async () => {
      await choose(beside, "Conversations");
      await has(beside, ".past-entry", "What is paid back?");
      return beside;
    },
    "the tabs to keep": async () => {
      await beside.press("Back to the conversation");
      // The service takes no pages.
      await beside.press("Discard");
      await beside.click(".page-chip .page");
      await beside.press("Keep all tabs of this window");
      await until("all are read", () =>
        beside.inPanel((document) => document.querySelector(".keep-tabs .primary:enabled") !== null),
      );
      return beside;
    },
    "the question before a page is kept": async () => {
      await beside.press("Cancel");
      await beside.openTab(`${pages.url}/secret`);
      await has(beside, ".tab-name", "Minutes");
      await beside.press("Keep this page");
      await has(beside, ".consent", "A password can be typed into the page.");
      return beside;
    },
    "the settings": async () => {
      const options = await beside.ownPage("options.html");
      await until("the settings are there", () =>
        options.inPanel((document) => document.body.innerText.includes("Threadlore settings")),
      );
      return options;
    },
    "the first run": async () => {
      const welcome = await beside.ownPage("welcome.html");
      await until("the first run is there", () =>
        welcome.inPanel((document) => document.body.innerText.includes("Connect a service")),
      );
      return welcome;
    },
  };

  it.runIf(isThere).each(Object.entries(VIEWS))(
    "has nothing that axe finds, light and dark, however wide: %s",
    async (title, open) => {
      const view = await open();
      const found: string[] = [];
      for (const look of LOOKS) {
        await view.colorScheme(look);
        for (const width of WIDTHS) {
          await view.resize({ width, height: 596 });
          await settle(view);
          const wide = await view.inPanel((document) => document.documentElement.scrollWidth);
          if (wide > width) found.push(`${width}: scrolls sideways, ${wide}`);
          for (const field of await cutOff(view)) found.push(`${width}: hides a part of “${field}”`);
          // Dark is other colours for the same page: whatever else axe looks for, it has seen.
          const sought = look === "light" ? "everything" : "colours";
          for (const fault of await violationsIn(view, sought)) found.push(`${width} ${look}: ${fault}`);
          if (PICTURES === undefined) continue;
          mkdirSync(PICTURES, { recursive: true });
          const picture = `${title} ${width} ${look} ${name}.png`.replaceAll(/[ ,]+/g, "-");
          writeFileSync(join(PICTURES, picture), await view.picture());
        }
      }
      await view.colorScheme("light");
      await view.resize({ width: 380, height: 596 });
      if (view !== beside) await view.close();
      expect(found).toEqual([]);
    },
  );

  it.runIf(isThere)("leaves the answer its room: the foot takes less than a fifth of 596 points", async () => {
    await beside.press("Do not keep it");
    for (const width of [240, 380]) {
      await beside.resize({ width, height: 596 });
      const foot = () =>
        beside.inPanel((document) => (document.querySelector(".foot")?.getBoundingClientRect().height ?? 596) / 596);
      await until("what asked is gone", async () => (await foot()) <= 0.18, 20_000).catch(() => {});
      expect(await foot()).toBeLessThanOrEqual(0.18);
    }
  });
});

it("every view is dark by other colours alone", () => {
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const sources = globSync("{src,entrypoints}/**/*.{css,html,ts,tsx}", { cwd }).filter(
    (file) => !/\.(?:test|long|harness)\.|[\\/]testing[\\/]/.test(file),
  );
  expect(sources.length).toBeGreaterThan(100);
  // Each of these could show something else in the dark; `light-dark()` takes nothing but colours.
  const asking = /prefers-color-scheme|matchMedia/;
  expect(sources.filter((file) => asking.test(readFileSync(join(cwd, file), "utf8")))).toEqual([]);
});

/** Until what slides in has arrived: axe would measure colours half way. What moves for ever is left to. */
async function settle(view: Pick<Beside, "inPanel">): Promise<void> {
  await view.inPanel(async (document) => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.all(ending.map((one) => one.finished.catch(() => {})));
  });
}

/**
 * What is written in fields that grow with it, and do not show all of it though they could. They grow a moment after they
 * have become narrower, later where the browser is busy.
 */
function cutOff(view: Pick<Beside, "inPanel">): Promise<string[]> {
  return view.inPanel(async (document) => {
    const cut = () =>
      Array.from(document.querySelectorAll<HTMLTextAreaElement>(".composer textarea, .question-editor textarea"))
        .filter(({ value, scrollHeight, clientHeight }) => value !== "" && scrollHeight > clientHeight + 1)
        .filter(({ clientHeight }) => clientHeight < 200)
        .map(({ value }) => value);
    const late = Date.now() + 2_000;
    while (cut().length > 0 && Date.now() < late) await new Promise((resolve) => setTimeout(resolve, 50));
    return cut();
  });
}
