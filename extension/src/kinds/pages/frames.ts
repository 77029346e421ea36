import { html, type KindPage } from "../kind-page.ts";

/** Pages within pages. Those of the same site can be read; what others put in cannot, which has to be said. */
const OTHER = "https://elsewhere.example";

const inner = (title: string, body: string, direction = "ltr"): string =>
  `<!doctype html><html dir="${direction}"><meta charset="utf-8"><title>${title}</title><body>${body}</body></html>`;

export const FRAMES: readonly KindPage[] = [
  {
    at: "lighthouse-society/index.html",
    language: "en",
    what: "frameset of 1999 with a menu and a page",
    title: "Lighthouse Society",
    question: "What is the membership fee of the Lighthouse Society?",
    passage: "The membership fee is 18 pounds a year, payable in March.",
    answer: "18 pounds",
    body: `<html><head><title>Lighthouse Society</title></head><frameset cols="160,*"><frame src="/menu.html" name="menu"><frame src="/main.html" name="main"><noframes>Your browser has no frames.</noframes></frameset></html>`,
    beside: {
      "/menu.html": inner("Menu", `<a href="/a">Home</a><br><a href="/b">Lamps</a><br><a href="/c">Guest book</a>`),
      "/main.html": inner(
        "Main",
        "<h1>Welcome</h1><p>We look after eleven lights on the coast.</p><p>The membership fee is 18 pounds a year, payable in March.</p>",
      ),
    },
    furniture: ["Your browser has no frames."],
  },
  {
    at: "campus-events/talks/deep-sea",
    language: "en",
    what: "event with a video and a map of other sites",
    title: "Talk: life in the deep sea",
    question: "In which room is the talk about the deep sea?",
    passage: "The talk takes place in room B 112, doors open at half past six.",
    answer: "room B 112",
    says: ["frames"],
    unseen: ["Play video 48:11"],
    body: html(
      "en",
      "Talk: life in the deep sea – Campus events",
      `<main><h1>Talk: life in the deep sea</h1><p>Professor Aino Salmi shows what the submersible brought up in May.</p><p>The talk takes place in room B 112, doors open at half past six.</p><iframe src="${OTHER}/embed/video1" width="560" height="315"></iframe><iframe src="${OTHER}/embed/map1" width="560" height="300"></iframe></main>`,
    ),
    beside: {
      "/embed/video1": inner("Video", "<p>Play video 48:11</p>"),
      "/embed/map1": inner("Map", "<p>Map data</p>"),
    },
  },
  {
    at: "reports-brassworks/view/q3",
    language: "en",
    what: "report in a frame of the same site",
    title: "Quarterly report",
    question: "By how much did scrap fall in the foundry?",
    passage: "Scrap in the foundry fell by 19 per cent after the new moulds came.",
    answer: "19 per cent",
    furniture: ["Download as spreadsheet"],
    body: html(
      "en",
      "Quarterly report - Reports",
      `<header><a href="/">Reports</a> <a href="/x">Download as spreadsheet</a></header><h1>Quarterly report</h1><iframe src="/frame/q3" width="800" height="500"></iframe>`,
    ),
    beside: {
      "/frame/q3": inner(
        "q3",
        "<h2>Foundry</h2><p>Scrap in the foundry fell by 19 per cent after the new moulds came.</p><h2>Office</h2><p>Nothing of note, says the office.</p>",
      ),
    },
  },
  {
    at: "webmail-oak/inbox/889",
    language: "en",
    what: "mail whose text is a srcdoc frame",
    title: "Keys for the boathouse",
    question: "Where are the keys for the boathouse?",
    passage: "The keys hang behind the third oar, where they have always been.",
    answer: "behind the third oar",
    furniture: ["Compose", "Spam (14)"],
    unseen: ["draft: thanks, I will"],
    body: html(
      "en",
      "Keys for the boathouse - Oak Mail",
      `<nav><button>Compose</button><a href="/in">Inbox (2)</a><a href="/spam">Spam (14)</a></nav><main><h1>Keys for the boathouse</h1><p>From Henrik, yesterday</p><iframe width="700" height="300" srcdoc="<p>Hello,</p><p>The keys hang behind the third oar, where they have always been.</p><p>Henrik</p>"></iframe><textarea>draft: thanks, I will</textarea></main>`,
    ),
  },
  {
    at: "school-portal/class/4b",
    language: "en",
    what: "frames two deep, and a counter of another site nobody sees",
    title: "Class 4b",
    question: "What should class 4b bring on Thursday?",
    passage: "On Thursday class 4b brings rubber boots and a jam jar with a lid.",
    answer: "rubber boots and a jam jar",
    body: html(
      "en",
      "Class 4b",
      `<h1>Class 4b</h1><iframe src="/outer" width="700" height="400"></iframe><iframe src="${OTHER}/count1" width="0" height="0" style="display:none"></iframe>`,
    ),
    beside: {
      "/outer": inner("Outer", `<h2>This week</h2><iframe src="/deep" width="600" height="300"></iframe>`),
      "/deep": inner(
        "Deep",
        "<p>On Thursday class 4b brings rubber boots and a jam jar with a lid.</p><p>Friday is free.</p>",
      ),
      "/count1": inner("Count", "<p>1</p>"),
    },
  },
  {
    at: "portal-stadtwerke/konto",
    language: "de",
    what: "Portal mit der Anwendung eines anderen Anbieters in der Mitte",
    title: "Ihr Konto",
    question: "Bis wann muss der Zählerstand gemeldet werden?",
    passage: "Bitte melden Sie den Zählerstand bis zum 5. Januar.",
    answer: "5. Januar",
    says: ["frames"],
    unseen: ["Abschlag 84 Euro"],
    body: html(
      "de",
      "Ihr Konto – Stadtwerke",
      `<header>Stadtwerke</header><h1>Ihr Konto</h1><p>Bitte melden Sie den Zählerstand bis zum 5. Januar. Danach wird er geschätzt.</p><iframe src="${OTHER}/embed/konto" width="900" height="500"></iframe>`,
    ),
    beside: { "/embed/konto": inner("Konto", "<p>Abschlag 84 Euro</p>") },
  },
  {
    at: "mairie-annonces/avis/12",
    language: "fr",
    what: "avis dans un cadre fermé (sandbox)",
    title: "Avis de la mairie",
    question: "Quand le marché déménage-t-il ?",
    passage: "Le marché déménage sur la place du port à partir du 3 mars.",
    answer: "3 mars",
    says: ["frames"],
    unseen: ["Formulaire du prestataire"],
    body: html(
      "fr",
      "Avis de la mairie",
      `<h1>Avis de la mairie</h1><p>Le marché déménage sur la place du port à partir du 3 mars. Les commerçants sont prévenus.</p><iframe sandbox src="/formulaire" width="600" height="300"></iframe>`,
    ),
    beside: { "/formulaire": inner("Formulaire", "<p>Formulaire du prestataire</p>") },
  },
  {
    at: "bangong-xitong/gonggao",
    language: "zh",
    what: "办公系统，正文在同站框架里",
    title: "办公系统公告",
    question: "年会在哪里举行？",
    passage: "年会将于一月十八日在滨江饭店三楼举行。",
    answer: "滨江饭店三楼",
    body: html("zh", "办公系统公告", `<h1>办公系统公告</h1><iframe src="/zhengwen" width="800" height="400"></iframe>`),
    beside: {
      "/zhengwen": inner("正文", "<p>各位同事：</p><p>年会将于一月十八日在滨江饭店三楼举行。</p><p>请准时参加。</p>"),
    },
  },
  {
    at: "bawabat-jamia/jadwal",
    language: "ar",
    what: "بوابة جامعية تعرض الجدول في إطار من الموقع نفسه",
    title: "جدول الامتحانات",
    question: "متى امتحان الرياضيات؟",
    passage: "امتحان الرياضيات يوم الاثنين الساعة التاسعة في القاعة 4.",
    answer: "يوم الاثنين",
    body: html(
      "ar",
      "جدول الامتحانات - البوابة",
      `<h1>جدول الامتحانات</h1><iframe src="/jadwal-dakhili" width="700" height="300"></iframe>`,
    ),
    beside: {
      "/jadwal-dakhili": inner(
        "جدول",
        "<p>امتحان الرياضيات يوم الاثنين الساعة التاسعة في القاعة 4.</p><p>امتحان الفيزياء يوم الأربعاء.</p>",
        "rtl",
      ),
    },
  },
  {
    at: "itonut-mekomit/katava/91",
    language: "he",
    what: "כתבה עם מסגרות פרסומת מאתר אחר",
    title: "שוק האיכרים חוזר",
    question: "באיזו שעה נפתח שוק האיכרים?",
    passage: "שוק האיכרים נפתח בכל יום שישי בשעה שבע בבוקר ברחבת העירייה.",
    answer: "שבע בבוקר",
    says: ["frames"],
    unseen: ["פרסומת: מזגנים במבצע"],
    body: html(
      "he",
      "שוק האיכרים חוזר - עיתונות מקומית",
      `<article><h1>שוק האיכרים חוזר</h1><p>אחרי הפסקה של שנתיים חוזרים האיכרים למרכז העיר.</p><p>שוק האיכרים נפתח בכל יום שישי בשעה שבע בבוקר ברחבת העירייה.</p></article><iframe src="${OTHER}/embed/ad9" width="300" height="250"></iframe>`,
    ),
    beside: { "/embed/ad9": inner("ad", "<p>פרסומת: מזגנים במבצע</p>", "rtl") },
  },
];
