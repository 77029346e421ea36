import { beforeAll, describe, expect, it } from "vitest";
import {
  type ScriptedAnswer,
  type ScriptedService,
  startScriptedService,
} from "../panel/in-browser/scripted-service.harness.ts";
import { type Beside, choose, has, shows, textsOf } from "../testing/beside.ts";
import { article, type TestPages } from "../testing/pages.ts";
import { until } from "../testing/until.ts";
import { beginScene, BROWSERS } from "./browsers.harness.ts";

const MARCH = "The release is planned for the twelfth of March.";
const GATE = "Visitors park their bicycles behind the blue gate.";
const LONG = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} speaks of nothing in particular.`);
const FACTS = {
  alpha: "The alpha plan costs forty euros a month.",
  beta: "ベータプランは月額六千円です。",
  gamma: "خطة غاما تكلف خمسين يورو في الشهر.",
};
const CODE = "const limit = 160;\nconst days = 10;";

/** In a page: selects what the selector finds, or nothing. */
function select(selector: string): void {
  getSelection()?.removeAllRanges();
  const wanted = document.querySelector(selector);
  if (wanted !== null) getSelection()?.selectAllChildren(wanted);
}

describe.each(BROWSERS)("asking in the panel of $name", { timeout: 240_000 }, ({ isThere, launch }) => {
  let beside: Beside;
  let service: ScriptedService;
  let pages: TestPages;
  let next: ScriptedAnswer = { text: "It says so." };

  beforeAll(async () => {
    if (!isThere) return;
    const scene = await beginScene(launch, {
      service: () => startScriptedService(() => next),
      pages: (path) => {
        const name = path.slice(1) as keyof typeof FACTS;
        if (path === "/plan") return article("Plan", `<b id="march">${MARCH}</b>`, `<b id="gate">${GATE}</b>`);
        return article(`Offer ${name}`, ...LONG, FACTS[name] ?? "Nothing.", ...LONG);
      },
      allowedSites: ["http://pages.example/*"],
    });
    ({ beside, service, pages } = scene);
    return () => scene.end();
  }, 240_000);

  const send = async (question: string, said: ScriptedAnswer = { text: `Answer to “${question}”.` }) => {
    next = said;
    await beside.send(question);
  };
  const ask = async (question: string, said?: ScriptedAnswer) => {
    await send(question, said);
    await has(beside, ".turn:last-of-type h2", question);
    return beside.answered();
  };
  const context = () => String(service.questions.at(-1)?.["additional_context"]);
  const questions = () => textsOf(beside, ".question h2");
  const fresh = async () => {
    await beside.press("New conversation");
    await until("a new conversation has begun", async () => (await questions()).length === 0);
  };
  const is = (what: string, selector: string) =>
    until(what, () => beside.inPanel((document, wanted) => document.querySelector(wanted) !== null, selector));

  it.runIf(isThere)("asks about what is selected from the page's menu, ready to write", async () => {
    await beside.open(`${pages.url}/plan`);
    await beside.inPage(select, "#march");
    await beside.chooseFromMenu("ask-selection", "#march");
    await has(beside, ".tab-note", "selection");
    await until("the question can be written", () =>
      beside.inPanel((document) => document.activeElement?.id === "question"),
    );
    expect(await ask("What does it mean?")).toContain("selection of “Plan” + Company knowledge");
    expect(context()).toContain(MARCH);
    expect(context()).not.toContain(GATE);
  });

  it.runIf(isThere)("asks about what is selected by the shortcut, and opens the panel for it", async () => {
    await beside.inPage(select, "nothing");
    await beside.clickIcon();
    await until("the panel is closed", async () => !(await beside.isOpen()));
    await beside.inPage(select, "#gate");
    await beside.pressShortcut("ask-selection");
    await beside.reopen();
    await has(beside, ".tab-note", "selection");
    await ask("Where is it?");
    expect(context()).toContain(GATE);
    expect(context()).not.toContain(MARCH);
    await beside.inPage(select, "nothing");
  });

  it.runIf(isThere)("closes by the icon, stays closed, and opens by it", async () => {
    await beside.clickIcon();
    await until("the panel is closed", async () => !(await beside.isOpen()));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await beside.isOpen()).toBe(false);
    await beside.reopen();
    expect(await beside.isOpen()).toBe(true);
    // Before what was there is back: it stays away.
    await fresh();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await questions()).toEqual([]);
  });

  it.runIf(isThere)("shows in each window its own conversation and draft again", async () => {
    await fresh();
    await ask("What is here?");
    await beside.write("Not sent here");
    const other = await beside.inAnotherWindow(`${pages.url}/alpha`);
    expect(await textsOf(other, ".question h2")).toEqual([]);
    await other.send("What is there?");
    await has(other, ".turn", "What is there?");
    await other.answered();
    await other.write("Not sent there");
    const drafts = (words: string) =>
      until(`“${words}” is held`, () =>
        beside.inPanel(async (document, draft) => {
          const { browser, chrome } = document.defaultView as unknown as Record<
            "browser" | "chrome",
            { storage: { session: { get(all: null): Promise<object> } } } | undefined
          >;
          return JSON.stringify(await (browser ?? chrome)?.storage.session.get(null)).includes(draft);
        }, words),
      );
    await drafts("Not sent there");
    for (const [one, question, draft] of [
      [beside, "What is here?", "Not sent here"],
      [other, "What is there?", "Not sent there"],
    ] as const) {
      await one.reopen();
      await has(one, ".question h2", question);
      expect(await textsOf(one, ".question h2")).toEqual([question]);
      await shows(one, draft);
    }
    await other.close();
    await beside.write("");
  });

  it.runIf(isThere)("asks a question otherwise in its place, and brings back what stood there", async () => {
    await fresh();
    for (const question of ["One?", "Two?"]) await ask(question);
    next = { text: "Otherwise." };
    await beside.click(".turn:first-of-type [aria-label='Edit this question']");
    await beside.write("One, otherwise?", ".question-editor textarea");
    await beside.keys("Enter");
    await has(beside, ".question h2", "One, otherwise?");
    await beside.answered();
    expect(await questions()).toEqual(["One, otherwise?"]);
    expect(service.questions.at(-1)).toMatchObject({ message: "One, otherwise?" });
    await beside.press("Show what stood here before");
    await has(beside, ".question h2", "Two?");
    expect(await questions()).toEqual(["One?", "Two?"]);
  });

  it.runIf(isThere)("has questions wait that are asked while an answer comes, and asks them in order", async () => {
    await fresh();
    const before = service.questions.length;
    const { promise: heldBy, resolve: goOn } = Promise.withResolvers<void>();
    await send("First?", { text: "It takes a while. And then it ends.", piece: 18, heldBy });
    await has(beside, ".turn .answer", "It takes a while.");
    for (const question of ["Second?", "Third?", "Fourth?"]) {
      await send(question, { text: "Answer." });
      await has(beside, ".queue-text", question);
    }
    await expect.poll(() => textsOf(beside, ".queue-text")).toEqual(["Second?", "Third?", "Fourth?"]);
    await beside.press("Do not ask: Third?");
    await until("it waits no more", async () => (await textsOf(beside, ".queue-text")).length === 2);
    expect(await questions()).toEqual(["First?"]);
    goOn();
    await until("all were asked", async () => (await questions()).length === 3);
    await beside.answered();
    expect(service.questions.slice(before).map(({ message }) => message)).toEqual(["First?", "Second?", "Fourth?"]);
  });

  it.runIf(isThere)("copies the code of an answer, and says so", async () => {
    await fresh();
    await ask("How is it written?", { text: `Like this:\n\n\`\`\`ts\n${CODE}\n\`\`\`\n\nThat is all.` });
    await beside.press("Copy the code (ts)");
    await has(beside, ".code-said", "Copied");
    expect((await beside.clipboard()).trim()).toBe(CODE);
  });

  it.runIf(isThere)(
    "keeps the end of an answer of 8,000 characters a second in view, until its reader leaves",
    async () => {
      await fresh();
      const text = "Word after word comes in, line after line.\n\n".repeat(1_000);
      await send("How long?", { text, piece: 80, everyMs: 10 });
      await has(beside, ".turn .answer", "Word after word");
      const seen = await beside.inPanel(async (document) => {
        const box = document.querySelector(".conversation");
        const view = document.defaultView;
        const away: number[] = [];
        let buttons = 0;
        const end = performance.now() + 2_500;
        if (box === null || view === null) return undefined;
        while (performance.now() < end) {
          await new Promise((resolve) => view.requestAnimationFrame(() => view.setTimeout(resolve)));
          away.push(box.scrollHeight - box.scrollTop - box.clientHeight);
          buttons += document.querySelectorAll(".to-end").length;
        }
        return { frames: away.length, furthest: Math.max(...away), buttons, height: box.scrollHeight };
      });
      expect(seen?.buttons).toBe(0);
      expect(seen?.frames).toBeGreaterThan(10);
      expect(seen?.furthest).toBeLessThan(60);
      expect(seen?.height).toBeGreaterThan(2_000);
      await beside.inPanel((document) => document.querySelector<HTMLElement>(".conversation")?.focus());
      await beside.keys("PageUp");
      await is("there is a way back", ".to-end");
      const top = () => beside.inPanel((document) => document.querySelector(".conversation")?.scrollTop ?? 0);
      const left = await until("it has arrived there", async () => {
        const before = await top();
        await new Promise((resolve) => setTimeout(resolve, 300));
        return (await top()) === before && before;
      });
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(await top()).toBe(left);
      await beside.press("To the end");
      await until("the end is in view again", async () => (await top()) > Number(left) + 300);
      await beside.press("Stop the answer");
      await beside.answered();
    },
  );

  it.runIf(isThere)("finds earlier conversations by their day and by what was said, in any script", async () => {
    await fresh();
    await ask("What is paid back?", { text: "Überweisungen dauern zwei Tage: 振込は二日かかります。" });
    await fresh();
    await beside.press("Earlier conversations");
    await has(beside, ".days h3", "Today");
    expect((await textsOf(beside, ".past-entry")).length).toBeGreaterThan(4);
    for (const [words, mark] of [
      ["uberweisungen tage", "Überweisungen"],
      ["振込", "振込"],
    ] as const) {
      await beside.write(words, "input[type=search]");
      await has(beside, ".past-line mark", mark);
      expect(await textsOf(beside, ".past-title")).toEqual(["What is paid back?"]);
    }
    await beside.click(".past-entry");
    await has(beside, ".question h2", "What is paid back?");
  });

  it.runIf(isThere)(
    "leaves the page out by its cross, takes it along again, and by its name does neither",
    async () => {
      await beside.openTab(`${pages.url}/plan`);
      await fresh();
      await has(beside, ".tab-name", "Plan");
      await beside.click(".page-chip .tab-name");
      await has(beside, ".popover", "Always allow");
      await beside.keys("Escape");
      await ask("What of the page?");
      expect(context()).toContain(MARCH);
      await beside.press("Leave this page out");
      await is("the way back has the focus", '.page-chip :focus[aria-label="Ask this page too"]');
      await ask("What of the company?");
      expect(service.questions.at(-1)).not.toHaveProperty("additional_context");
      await beside.press("Ask this page too");
      await ask("And of the page again?");
      expect(context()).toContain(MARCH);
    },
  );

  it.runIf(isThere)("asks several tabs at once, each a source that opens in its own tab at the passage", async () => {
    for (const name of ["beta", "gamma", "alpha"]) await beside.openTab(`${pages.url}/${name}`);
    await fresh();
    await has(beside, ".tab-name", "Offer alpha");
    await beside.click(".page-chip .page");
    await choose(beside, "Offer beta");
    await has(beside, ".tab-note", "+1");
    await beside.keys("Escape");
    const answered = await ask("Which plan costs less?", { text: `${FACTS.alpha} ${FACTS.beta}` });
    expect(context()).toContain(FACTS.alpha);
    expect(context()).toContain(FACTS.beta);
    expect(context()).not.toContain(FACTS.gamma);
    expect(await textsOf(beside, ".turn:last-of-type .sources a")).toEqual(["Offer alpha", "Offer beta"]);
    expect(answered).toContain("Offer beta");
    await beside.click(".turn:last-of-type .sources a[href*='/beta']");
    await until("its tab is in front", () => beside.isInFront(`${pages.url}/beta`));
    await beside.goTo(`${pages.url}/beta`);
    await until("the passage is in sight", () =>
      beside.inPage((fact) => {
        const element = Array.from(document.querySelectorAll("p")).find(({ textContent }) => textContent === fact);
        const { top = -1 } = element?.getBoundingClientRect() ?? {};
        return top > 0 && top < innerHeight;
      }, FACTS.beta),
    );
  });
});
