import { html, type KindPage } from "../kind-page.ts";

/** Articles: news, a blog, a magazine, a notice. */
export const ARTICLES: readonly KindPage[] = [
  {
    at: "harbour-times/2026/10/12/ferry-terminal",
    language: "en",
    what: "local newspaper with a cookie bar, teasers and comments",
    title: "New ferry terminal opens in the old fish market",
    question: "How many passengers can the new ferry terminal handle a day?",
    passage: "The terminal can handle 4,200 passengers a day, about twice as many as the wooden pier it replaces.",
    answer: "4,200 passengers a day",
    facts: ["Construction cost 31 million pounds", "the last ship leaves at 22:40"],
    furniture: [
      "Lighthouse keeper finds message in a bottle after 60 years",
      "We and our 214 partners store information on your device",
      "Finally! My gran waited thirty years for this, said nobody ever",
    ],
    unseen: ["Ad slot 4 loading", "reader@mail.example"],
    body: html(
      "en",
      "New ferry terminal opens in the old fish market | Harbour Times",
      `<div id="cookies" style="position:fixed;bottom:0;left:0;right:0;background:#fff;padding:1em"><p>We value your privacy. We and our 214 partners store information on your device.</p><button>Accept all</button><button>Manage choices</button></div>
<header><a href="/">Harbour Times</a><nav><ul><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li><li><a href="/tides">Tides</a></li><li><a href="/jobs">Jobs</a></li></ul></nav><form><input name="mail" value="reader@mail.example"><button>Newsletter</button></form></header>
<main><article><p class="kicker">Transport</p><h1>New ferry terminal opens in the old fish market</h1><p class="byline">By <a rel="author" href="/a/mo">Moira Kent</a>, <time datetime="2026-10-12T07:30:00+01:00">12 October 2026</time></p>
<figure><img src="/hall.jpg" alt="The glass hall of the terminal at dawn" width="600" height="300"><figcaption>The hall at dawn on Monday.</figcaption></figure>
<p>After four years of work the port authority has opened its new ferry terminal in the former fish market on Quay Street.</p>
<p>The terminal can handle 4,200 passengers a day, about twice as many as the wooden pier it replaces. Construction cost 31 million pounds, of which the county paid a third.</p>
<div class="ad" style="display:none">Ad slot 4 loading</div>
<h2>Later ships on Fridays</h2><p>Ferries to the islands leave every half hour. On Fridays the last ship leaves at 22:40, an hour later than in the old timetable.</p>
<blockquote><p>“People will no longer have to stand in the rain,” said harbour master Duncan Rae.</p></blockquote></article>
<aside class="related"><h3>Most read</h3><ul><li><a href="/b">Lighthouse keeper finds message in a bottle after 60 years</a></li><li><a href="/c">Chip shop wins national prize for the third time</a></li></ul></aside>
<section id="comments"><h3>Comments (2)</h3><div class="comment"><b>saltydog</b><p>Finally! My gran waited thirty years for this, said nobody ever.</p></div><div class="comment"><b>Tess</b><p>Where do I leave my bicycle then?</p></div></section></main>
<footer><p>© 2026 Harbour Times Ltd. <a href="/imprint">Contact</a></p></footer>`,
      `<meta property="og:site_name" content="Harbour Times">`,
    ),
  },
  {
    at: "tinker-notes/posts/why-we-left-microservices",
    language: "en",
    what: "blog of an engineer, class names without meaning",
    title: "Why we went back to one service",
    question: "How long did a deployment take with the eleven services?",
    passage: "With eleven services a deployment took 47 minutes on a good day, and nobody could say why.",
    answer: "47 minutes",
    facts: ["make release", "p99 latency fell from 900 ms to 210 ms"],
    furniture: ["Subscribe to get one mail a month, no spam", "I rewrote my dotfiles in Prolog"],
    unseen: ["skip to the content of this page, please"],
    body: html(
      "en",
      "Why we went back to one service · Tinker Notes",
      `<style>.a1{max-width:40em;margin:auto}.sr{position:absolute;left:-9999px}.x9{display:flex;gap:1em}</style><a class="sr" href="#m">skip to the content of this page, please</a>
<div class="x9"><a href="/">Tinker Notes</a><a href="/about">About</a><a href="/rss">RSS</a></div>
<div class="a1" id="m"><div class="t3">Why we went back to one service</div><h1>Why we went back to one service</h1><div class="d">August 3, 2026 · 6 min read</div>
<div class="p">Two years ago we cut our shop into eleven services because everybody did. Last month we put it back together, and this is what we found.</div>
<div class="p">With eleven services a deployment took 47 minutes on a good day, and nobody could say why. With one it takes four, most of which is the test suite.</div>
<pre><code>$ make release
build 1m12s  test 2m05s  ship 0m41s</code></pre>
<div class="p">The other surprise was speed: p99 latency fell from 900 ms to 210 ms, since a function call is not a request.</div>
<ul><li>Keep the boundaries, drop the network.</li><li>One database, one schema, many modules.</li></ul></div>
<div class="x9 b"><div>Subscribe to get one mail a month, no spam.</div><input type="email"><a href="/older">I rewrote my dotfiles in Prolog</a></div>`,
    ),
  },
  {
    at: "longwave/magazine/the-last-telegraphist",
    language: "en",
    what: "magazine story rendered by a script after loading, with pull quotes",
    title: "The last telegraphist",
    question: "In which year did Elsa Brandvold send her last telegram?",
    passage: "Elsa Brandvold sent her last telegram in 1993, to a lighthouse that had already been automated.",
    answer: "1993",
    facts: ["the station at Fruholmen"],
    furniture: ["You have read 2 of 3 free stories", "More from the archive: The men who painted bridges"],
    body: html(
      "en",
      "The last telegraphist — Longwave",
      `<div id="app"><p>Loading…</p></div><script>
const paragraphs = ["Elsa Brandvold is ninety-one and still taps her spoon against the saucer in Morse when the coffee is too hot.",
"She learned the code at seventeen, in the station at Fruholmen, from a man who had learned it from Marconi's own engineers.",
"Elsa Brandvold sent her last telegram in 1993, to a lighthouse that had already been automated. Nobody was there to read it.",
"“It was the politest thing to do,” she says. “One does not leave a line without saying good night.”"];
setTimeout(() => { const el = (n, t, c) => { const e = document.createElement(n); e.textContent = t; if (c) e.className = c; return e; };
const app = document.getElementById("app"); app.replaceChildren();
const top = el("div", "", "topbar"); top.append(el("span", "Longwave"), el("span", "You have read 2 of 3 free stories")); app.append(top);
const story = el("div", "", "story__body"); story.append(el("h1", "The last telegraphist")); for (const p of paragraphs) story.append(el("p", p));
app.append(story); const more = el("div", "", "recirc"); const a = el("a", "More from the archive: The men who painted bridges"); a.href = "/bridges"; more.append(a); app.append(more); }, 150);
</script>`,
    ),
  },
  {
    at: "citybulletin/services/notices/street-works-2026-17",
    language: "en",
    what: "notice of a city council, table layout of old days",
    title: "Street works: Mill Lane",
    question: "When will Mill Lane be closed to traffic?",
    passage: "Mill Lane will be closed to all traffic from 9 November to 4 December 2026.",
    answer: "9 November to 4 December 2026",
    facts: ["Bus 14 stops at the library instead"],
    furniture: ["Report a missed bin collection", "Council tax bands explained"],
    body: html(
      "en",
      "City Bulletin",
      `<table width="100%"><tr><td colspan="2" bgcolor="#003366"><font color="#ffffff">City Council</font></td></tr><tr><td width="180" valign="top"><a href="/1">Home</a><br><a href="/2">Report a missed bin collection</a><br><a href="/3">Council tax bands explained</a><br><a href="/4">Councillors</a></td>
<td valign="top"><h2>Street works: Mill Lane</h2><p>Mill Lane will be closed to all traffic from 9 November to 4 December 2026. The water company replaces a main of 1911.</p><p>Bus 14 stops at the library instead. Residents reach their houses on foot at all times.</p><p>Questions: highways desk, extension 334.</p></td></tr><tr><td colspan="2"><small>© City Council. Accessibility. Freedom of information.</small></td></tr></table>`,
    ),
  },
  {
    at: "newsletters/p/tidepool-88",
    language: "en",
    what: "newsletter issue behind a dialog that asks to subscribe",
    title: "Tidepool #88: what kelp remembers",
    question: "How fast can giant kelp grow in a day?",
    passage: "Giant kelp can grow 60 centimetres in a single day when the water stays below 15 degrees.",
    answer: "60 centimetres",
    furniture: ["Type your email to subscribe", "Launched 3 years ago"],
    unseen: ["Draft note to editor: check the kelp figure"],
    body: html(
      "en",
      "Tidepool #88: what kelp remembers",
      `<dialog open style="z-index:5"><h3>Discover more from Tidepool</h3><p>Launched 3 years ago</p><input placeholder="Type your email to subscribe"><button>Subscribe</button><button>Continue reading</button></dialog>
<div class="post"><h1>Tidepool #88: what kelp remembers</h1><h3>On forests that breathe with the moon</h3><div class="meta">Ines Okafor · Sep 20, 2026 · ♡ 41 · 💬 7</div>
<p>Last week I swam into a forest. It was green and gold, and it hummed, or perhaps that was my own blood.</p>
<p>Giant kelp can grow 60 centimetres in a single day when the water stays below 15 degrees. Above that, it starves.</p>
<p>What the divers here have begun to map are the places it comes back to, year after year, as if it remembered.</p>
<p hidden>Draft note to editor: check the kelp figure</p>
<p>Write to me if you have a forest of your own.</p></div>`,
    ),
  },
  {
    at: "tagblatt-nord/wirtschaft/2026/werft-uebernahme",
    language: "de",
    what: "deutsche Zeitung mit Bezahlkasten, Infokasten und Leserbriefen",
    title: "Belegschaft übernimmt die Werft in Wismar",
    question: "Wie viele Mitarbeiter halten Anteile an der Werft?",
    passage: "Insgesamt 612 Mitarbeiter halten nun Anteile an der Werft, jeder mindestens für 500 Euro.",
    answer: "612 Mitarbeiter",
    facts: ["Das Land bürgt für 18 Millionen Euro"],
    furniture: [
      "Jetzt Plus-Abo testen: vier Wochen für einen Euro",
      "Wetter an der Küste: Am Wochenende wird es stürmisch",
    ],
    unseen: ["anzeige-platzhalter-3"],
    body: html(
      "de",
      "Belegschaft übernimmt die Werft in Wismar - Tagblatt Nord",
      `<header><div class="logo">Tagblatt Nord</div><nav><a href="/politik">Politik</a> <a href="/wirtschaft">Wirtschaft</a> <a href="/kultur">Kultur</a></nav></header>
<div class="breadcrumb"><a href="/">Start</a> › <a href="/wirtschaft">Wirtschaft</a></div>
<article><header><h1>Belegschaft übernimmt die Werft in Wismar</h1><p class="teaser">Nach Monaten der Ungewissheit gehört der Betrieb denen, die dort arbeiten.</p><span>Von Jörg Petersen</span></header>
<p>Mit einem Festakt im Trockendock ist am Freitag die Genossenschaft gegründet worden, die den Betrieb fortführt.</p>
<p>Insgesamt 612 Mitarbeiter halten nun Anteile an der Werft, jeder mindestens für 500 Euro. Das Land bürgt für 18 Millionen Euro.</p>
<div class="paybox"><strong>Jetzt Plus-Abo testen: vier Wochen für einen Euro</strong><a href="/abo">Zum Angebot</a></div>
<p>Gebaut werden sollen vor allem Arbeitsschiffe für Windparks, das erste bereits im kommenden Frühjahr.</p><div style="visibility:hidden">anzeige-platzhalter-3</div></article>
<aside><h4>Mehr zum Thema</h4><a href="/w">Wetter an der Küste: Am Wochenende wird es stürmisch</a></aside><footer>Impressum · Datenschutz · AGB</footer>`,
    ),
  },
  {
    at: "kobe-minato-shimbun/kiji/20260914",
    language: "ja",
    what: "日本の地方紙の記事、ランキングと関連記事つき",
    title: "神戸港に新しい防潮堤が完成",
    question: "新しい防潮堤の高さは何メートルですか",
    passage: "新しい防潮堤の高さは七・五メートルで、総延長は二キロに及ぶ。",
    answer: "七・五メートル",
    facts: ["総事業費は百八十億円"],
    furniture: ["アクセスランキング", "人気のパン屋が三宮に移転"],
    body: html(
      "ja",
      "神戸港に新しい防潮堤が完成｜みなと新聞",
      `<header><a href="/">みなと新聞</a><nav><ul><li><a href="/1">社会</a></li><li><a href="/2">経済</a></li><li><a href="/3">スポーツ</a></li></ul></nav></header>
<main><article><h1>神戸港に新しい防潮堤が完成</h1><time datetime="2026-09-14">2026年9月14日</time>
<p>神戸市が五年前から整備を進めてきた神戸港の防潮堤が十四日、完成した。</p><p>新しい防潮堤の高さは七・五メートルで、総延長は二キロに及ぶ。総事業費は百八十億円で、国が半分を負担した。</p><p>式典には地元の小学生も参加し、壁に描いた魚の絵を披露した。</p></article>
<aside><h2>アクセスランキング</h2><ol><li><a href="/r1">人気のパン屋が三宮に移転</a></li><li><a href="/r2">六甲の紅葉、見ごろは来月</a></li></ol></aside></main><footer>無断転載を禁じます</footer>`,
    ),
  },
  {
    at: "alsahel-news/akhbar/mahattat-tahliya",
    language: "ar",
    what: "خبر من موقع صحيفة مع أخبار ذات صلة وشريط عاجل",
    title: "افتتاح محطة تحلية المياه في الساحل الشرقي",
    question: "كم مترا مكعبا تنتج محطة التحلية يوميا؟",
    passage: "تنتج محطة التحلية الجديدة 85 ألف متر مكعب من مياه الشرب يوميا، وهو ما يكفي نصف سكان المدينة.",
    answer: "85 ألف متر مكعب",
    facts: ["ثلاث سنوات"],
    furniture: ["عاجل: انطلاق معرض الكتاب الأسبوع المقبل", "اشترك في نشرتنا البريدية"],
    body: html(
      "ar",
      "افتتاح محطة تحلية المياه في الساحل الشرقي - أخبار الساحل",
      `<div class="ticker">عاجل: انطلاق معرض الكتاب الأسبوع المقبل</div><header><nav><a href="/">الرئيسية</a> <a href="/eq">اقتصاد</a> <a href="/sp">رياضة</a></nav></header>
<article><h1>افتتاح محطة تحلية المياه في الساحل الشرقي</h1><p class="by">كتبت: ليلى المنصور</p><p>افتتح وزير المياه صباح اليوم محطة جديدة لتحلية مياه البحر في الساحل الشرقي بعد أعمال استمرت ثلاث سنوات.</p>
<p>تنتج محطة التحلية الجديدة 85 ألف متر مكعب من مياه الشرب يوميا، وهو ما يكفي نصف سكان المدينة.</p><p>وتعمل المحطة بالطاقة الشمسية نهارا وبالكهرباء ليلا.</p></article>
<div class="newsletter"><h4>اشترك في نشرتنا البريدية</h4><input type="email"></div>`,
    ),
  },
  {
    at: "haaretz-hazafon/katava/gesher-holchei-regel",
    language: "he",
    what: "כתבה באתר חדשות עם תגובות והמלצות",
    title: "גשר הולכי הרגל מעל הנחל נפתח מחדש",
    question: "כמה עלה שיפוץ הגשר?",
    passage: "שיפוץ הגשר עלה שבעה מיליון שקלים ונמשך ארבעה חודשים.",
    answer: "שבעה מיליון שקלים",
    furniture: ["אולי יעניין אתכם: עשרה טיולים לשבת", "מתי יתקנו כבר את התאורה ברחוב שלי"],
    body: html(
      "he",
      "גשר הולכי הרגל מעל הנחל נפתח מחדש",
      `<nav><a href="/">ראשי</a> | <a href="/n">חדשות</a> | <a href="/o">דעות</a></nav><main><h1>גשר הולכי הרגל מעל הנחל נפתח מחדש</h1><p>תושבי השכונה המזרחית יכולים שוב לחצות את הנחל ברגל, אחרי שהעירייה סיימה את העבודות.</p><p>שיפוץ הגשר עלה שבעה מיליון שקלים ונמשך ארבעה חודשים. המעקה הוחלף והותקנה תאורה חסכונית.</p><p>ראש העיר אמרה כי בשלב הבא ייסלל שביל אופניים עד תחנת הרכבת.</p></main>
<section class="recommend"><h3>אולי יעניין אתכם: עשרה טיולים לשבת</h3></section><section class="talkbacks"><h3>תגובות</h3><div>מתי יתקנו כבר את התאורה ברחוב שלי</div></section>`,
    ),
  },
  {
    at: "vesti-priboi/2026/mayak-muzey",
    language: "ru",
    what: "статья городского портала с погодой и блоком «Читайте также»",
    title: "Маяк на мысе станет музеем",
    question: "Сколько ступеней ведёт на вершину маяка?",
    passage: "На вершину маяка ведут 168 ступеней, и каждую из них пришлось укреплять вручную.",
    answer: "168 ступеней",
    facts: ["откроется пятнадцатого мая"],
    furniture: ["Погода: +7, ветер северный", "Читайте также: кот вернулся домой через два года"],
    body: html(
      "ru",
      "Маяк на мысе станет музеем :: Вести Прибоя",
      `<div class="top"><span>Погода: +7, ветер северный</span> <span>USD 91,20</span></div><nav><a href="/g">Город</a> <a href="/m">Море</a> <a href="/l">Люди</a></nav>
<div class="article-text"><h1>Маяк на мысе станет музеем</h1><p>Старый маяк, который двадцать лет стоял закрытым, откроется пятнадцатого мая как музей морской связи.</p><p>На вершину маяка ведут 168 ступеней, и каждую из них пришлось укреплять вручную. Смотровая площадка вместит не больше двенадцати человек.</p><p>Вход для школьников будет бесплатным.</p></div>
<div class="also"><a href="/cat">Читайте также: кот вернулся домой через два года</a></div>`,
    ),
  },
];
