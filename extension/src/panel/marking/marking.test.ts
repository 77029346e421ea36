import { beforeAll, describe, expect, it } from "vitest";
import type { LedgerRecord } from "../../outbox/ledger.ts";
import type { OutboxEntry } from "../../outbox/outbox-entry.ts";
import { beginScene, BROWSERS } from "../../in-both/browsers.harness.ts";
import { type Beside, shows } from "../../testing/beside.ts";
import { article, type TestPages } from "../../testing/pages.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

const RELEASE = "The release is planned for the twelfth of March.";
const GATE = "Visitors park their bicycles behind the blue gate.";
const JAPANESE = "出張費は十日以内に払い戻されます。領収書を必ず添えてください。";
const ARABIC = "تُفتح المكتبة كل يوم اثنين من الساعة العاشرة صباحًا حتى الخامسة مساءً.";

describe.each(BROWSERS)("a highlight and a note of a page in $name", { timeout: 240_000 }, ({ isThere, launch }) => {
  let beside: Beside;
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    if (!isThere) return;
    const scene = await beginScene(launch, {
      service: startService,
      pages: (path) => {
        if (path === "/scripts") return article("Scripts", JAPANESE, ARABIC);
        if (path === "/other") return article("Canteen", "The canteen serves soup.");
        if (path === "/typed") return article("Typed", RELEASE, "<textarea>The word is swordfish.</textarea>");
        return article(`Plan ${path.slice(1)}`, GATE, RELEASE);
      },
    });
    ({ beside, service, pages } = scene);
    return () => scene.end();
  }, 240_000);

  const highlight = (selector = "p") => beside.chooseFromMenu("highlight", selector);
  const isHighlighted = (text: string) =>
    until(`“${text}” is highlighted`, async () =>
      (await beside.text()).replaceAll(/\s+/g, " ").includes(`Highlighted: ${text}`),
    );
  const outbox = () => beside.store("outbox") as Promise<OutboxEntry[]>;
  /** Lets the ten seconds pass in which it can be taken back, once no form holds it any longer. */
  const letTenSecondsPass = async () => {
    await until("ten seconds hold it, and nothing else", async () =>
      (await outbox()).some(({ sendAfter }) => sendAfter - Date.now() <= 10_000),
    );
    await beside.letTimePass();
  };
  const isSent = async () => {
    await until("nothing waits", async () => (await outbox()).length === 0);
    await service.drain();
  };
  const recordOf = async (title: string) =>
    ((await beside.store("ledger")) as LedgerRecord[]).find((one) => one.title === title);
  const addedTo = async (title: string) => (await recordOf(title))?.additions;
  const ask = async (question: string) => {
    await beside.open(`${pages.url}/other`);
    await beside.press("New conversation");
    await beside.send(question);
    await shows(beside, question);
    return beside.answered();
  };

  it.runIf(isThere)(
    "keeps a page that was not kept, with ten seconds to take either back, and takes a note",
    async () => {
      await beside.open(`${pages.url}/one`);
      await beside.inPage(selectFirst);
      await highlight();
      await isHighlighted(GATE);
      await shows(beside, /Keeping in \d+ seconds?/);
      expect(await outbox()).toMatchObject([{ title: "Plan one", additions: { highlights: [{ text: GATE }] } }]);
      await beside.press("Note, tags…");
      await beside.fill("Note", "Mia says the code of the gate is 4711.");
      await beside.press("Done");
      await letTenSecondsPass();
      await isSent();
      expect(await addedTo("Plan one")).toEqual({
        tags: [],
        note: "Mia says the code of the gate is 4711.",
        highlights: [{ text: GATE, link: `${pages.url}/one#:~:text=${GATE.replaceAll(" ", "%20")}` }],
      });
    },
  );

  it.runIf(isThere)("answers from the note alone, and cites the highlight where it stands", async () => {
    const noted = await ask("What is the code of the gate?");
    expect(noted).toContain("4711");
    expect(noted).toContain("Plan one");
    expect(await beside.links()).toContainEqual(expect.stringContaining(`${pages.url}/one`));
    expect(await ask("Where do visitors park their bicycles?")).toContain("behind the blue gate");
    expect(await beside.links()).toContainEqual(expect.stringMatching(/\/one#:~:text=Visitors%20park/));
  });

  it.runIf(isThere)(
    "is added to a page that is kept, once, beside all that was added before, and taken back alone",
    async () => {
      const before = await addedTo("Plan one");
      await beside.open(`${pages.url}/one`);
      await beside.inPage(selectSecond);
      await highlight("p:nth-of-type(2)");
      await isHighlighted(RELEASE);
      expect((await outbox())[0]?.additions?.highlights).toHaveLength(2);
      await beside.press("Undo");
      await until("it is taken back", async () => (await outbox()).length === 0);
      expect(await addedTo("Plan one")).toEqual(before);

      await highlight("p:nth-of-type(2)");
      await isHighlighted(RELEASE);
      await highlight("p:nth-of-type(2)");
      await shows(beside, "This text is highlighted already.");
      // Here, as everywhere for a person, the seconds pass by themselves.
      await isSent();
      const { highlights = [], note } = (await addedTo("Plan one")) ?? {};
      expect(highlights.map(({ text }) => text)).toEqual([GATE, RELEASE]);
      expect(note).toBe(before?.note);
      expect((await service.documents()).map(({ semantic_id }) => semantic_id)).toEqual(["Plan one"]);
    },
  );

  it.runIf(isThere)("is removed from the list of kept pages, and the note stays", async () => {
    await beside.press("Earlier conversations");
    await beside.press("Kept pages");
    await beside.press("Title, tags and note of “Plan one”");
    await beside.press(`Remove the highlight “${GATE}”`);
    await beside.press("Done");
    await letTenSecondsPass();
    await until("it is sent without it", async () => (await addedTo("Plan one"))?.highlights.length === 1);
    const { highlights = [], note } = (await addedTo("Plan one")) ?? {};
    expect(highlights.map(({ text }) => text)).toEqual([RELEASE]);
    expect(note).toContain("4711");
    await beside.press("Back to the conversation");
  });

  it.runIf(isThere)("takes what is written in other scripts, and finds it again", async () => {
    await beside.open(`${pages.url}/scripts`);
    await beside.inPage(selectFirst);
    await highlight();
    await isHighlighted(JAPANESE);
    await beside.inPage(selectSecond);
    await highlight("p:nth-of-type(2)");
    await isHighlighted(ARABIC);
    await letTenSecondsPass();
    await isSent();
    const { highlights = [] } = (await addedTo("Scripts")) ?? {};
    expect(highlights.map(({ text }) => text)).toEqual([JAPANESE, ARABIC]);
    expect(highlights.map(({ link = "" }) => decodeURIComponent(link.split("=")[1] ?? ""))).toEqual([
      expect.stringMatching(/^出張.*,.*ください。$/),
      expect.stringMatching(/^تُفتح المكتبة.*,.*مساءً\.$/),
    ]);
  });

  it.runIf(isThere)("never takes what is typed", async () => {
    await beside.open(`${pages.url}/typed`);
    await beside.inPage(() => {
      const field = document.querySelector("textarea");
      field?.focus();
      field?.select();
    });
    await highlight("textarea");
    await shows(beside, "Nothing is selected on the page.");
    expect(await outbox()).toEqual([]);
    expect(await addedTo("Typed")).toBeUndefined();
  });
});

/** In the page. */
function selectFirst(): void {
  getSelection()?.selectAllChildren(document.querySelectorAll("p")[0] ?? document.body);
}

/** In the page. */
function selectSecond(): void {
  getSelection()?.selectAllChildren(document.querySelectorAll("p")[1] ?? document.body);
}
