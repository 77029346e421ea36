import { beforeAll, describe, expect, it } from "vitest";
import { type Beside, shows, textsOf } from "../testing/beside.ts";
import { article, type TestPages } from "../testing/pages.ts";
import { startService, type TestService } from "../testing/service.ts";
import { until } from "../testing/until.ts";
import { beginScene, BROWSERS } from "./browsers.harness.ts";

const RELEASE = "The release is planned for the twelfth of March.";
const GATE = "Visitors park their bicycles behind the blue gate.";

/** By the name of its script: a page's title and paragraph, a question, and what of the paragraph answers it. */
const SCRIPTS = {
  Japanese: [
    "計画",
    "公開は三月十二日に予定されています。駐輪場は青い門の裏にあります。",
    "公開はいつですか？",
    "三月十二日",
  ],
  Chinese: ["计划", "发布定于三月十二日。自行车停在蓝色大门后面。", "发布定于什么时候？", "三月十二日"],
  Korean: [
    "계획",
    "출시는 3월 12일로 예정되어 있습니다. 자전거는 파란 문 뒤에 세웁니다.",
    "출시는 언제입니까?",
    "3월 12일",
  ],
  Arabic: [
    "الخطة",
    "الإصدار مقرر في الثاني عشر من مارس. توقف الدراجات خلف البوابة الزرقاء.",
    "متى الإصدار مقرر؟",
    "الثاني عشر من مارس",
  ],
  Hebrew: [
    "התוכנית",
    "השחרור מתוכנן לשנים עשר במרץ. האופניים חונים מאחורי השער הכחול.",
    "מתי השחרור מתוכנן?",
    "לשנים עשר במרץ",
  ],
  Devanagari: ["योजना", "रिलीज़ बारह मार्च को होगी। साइकिलें नीले फाटक के पीछे खड़ी होती हैं।", "रिलीज़ कब होगी?", "बारह मार्च"],
  Cyrillic: [
    "План",
    "Выпуск намечен на двенадцатое марта. Велосипеды стоят за синими воротами.",
    "Когда намечен выпуск?",
    "двенадцатое марта",
  ],
  Thai: ["แผน", "การเปิดตัวกำหนดไว้วันที่สิบสองมีนาคม จักรยานจอดอยู่หลังประตูสีน้ำเงิน", "การเปิดตัวกำหนดไว้วันไหน", "สิบสองมีนาคม"],
} as const;

describe.each(BROWSERS)("the panel beside a page in $name", { timeout: 240_000 }, ({ isThere, launch }) => {
  let beside: Beside;
  let service: TestService;
  let pages: TestPages;

  beforeAll(async () => {
    if (!isThere) return;
    const scene = await beginScene(launch, {
      service: startService,
      pages: (path) => {
        const [title, text] = SCRIPTS[path.slice(1) as keyof typeof SCRIPTS] ?? [];
        if (title !== undefined) return article(title, text ?? "");
        const secret = path === "/secret" ? '<input type="password">' : "";
        return article(`Plan ${path.slice(1)}`, RELEASE, GATE, secret);
      },
    });
    ({ beside, service, pages } = scene);
    return () => scene.end();
  }, 240_000);

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
    await beside.chooseFromMenu("keep-page");
    await shows(beside, /Keeping in \d+ seconds?/);
    await beside.press("Undo");
    await until("it is taken back", async () => !/Keeping in \d+/.test(await beside.text()));
    await beside.open(`${pages.url}/three`);
    await beside.pressShortcut("keep-page");
    await shows(beside, /Keeping in \d+ seconds?/);
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
    await shows(beside, /Keeping in \d+ seconds?/);
    expect(await titles()).not.toContain("Plan secret");
    await beside.letTimePass();
    await until("it has arrived", async () => (await titles()).includes("Plan secret"));
  });

  it.runIf(isThere).each(Object.entries(SCRIPTS))(
    "reads %s, from the question to the citation",
    async (script, [title, , question, answer]) => {
      await beside.open(`${pages.url}/${script}`);
      await beside.press("New conversation");
      const answered = await ask(question);
      expect(answered).toContain(answer);
      expect(await textsOf(beside, ".turn .answer .chip")).toContain("1");
      expect(await textsOf(beside, ".turn .sources a")).toEqual([title]);
    },
  );

  it.runIf(isThere)("is held up by no page that hangs: it stops, and asks without it", async () => {
    await beside.open(`${pages.url}/hangs`);
    await beside.hang(25_000);
    await beside.send("Is it read?");
    await shows(beside, "Reading the page…");
    await beside.press("Stop the answer");
    await shows(beside, "Stopped. What had arrived stays.");
    await beside.send("And without it?");
    await beside.press("Ask without the page");
    expect(await beside.answered()).toContain("The page does not answer.");
  });

  it.runIf(isThere)("fits where it is narrow", async () => {
    for (const width of [180, 240, 380]) {
      await beside.resize({ width });
      const wide = await beside.inPanel((document) => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(width);
    }
  });
});
