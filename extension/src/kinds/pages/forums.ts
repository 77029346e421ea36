import { html, type KindPage } from "../kind-page.ts";

/** Threads: questions with answers, boards, issue trackers, chats, mailing lists. What others say is the content here. */
export const FORUMS: readonly KindPage[] = [
  {
    at: "askstack/questions/81733/lathe-chatter",
    language: "en",
    what: "questions and answers with votes, an accepted answer and comments",
    title: "How do I stop chatter on a small lathe?",
    question: "Which overhang keeps the boring bar of a small lathe from chattering?",
    passage: "Keep the overhang of the boring bar under four times its diameter, and the chatter is gone.",
    answer: "under four times its diameter",
    facts: ["It sings at 900 rpm whatever I do", "Worked for me on a 1962 Myford"],
    furniture: ["Hot network questions", "Is it rude to reply in Latin?", "Linked: Choosing a lathe for a shed"],
    unseen: ["my half-written answer about tailstocks"],
    body: html(
      "en",
      "machining - How do I stop chatter on a small lathe? - Askstack",
      `<header><a href="/">Askstack</a><input placeholder="Search…"><a href="/login">Log in</a></header><div id="left"><a href="/q">Questions</a><a href="/t">Tags</a></div><div id="mainbar"><h1><a href="#">How do I stop chatter on a small lathe?</a></h1><div class="question"><div class="vote"><button>▲</button><span>14</span><button>▼</button></div><div class="post-text"><p>I bore brass on a small lathe. It sings at 900 rpm whatever I do. What can I try before I buy a bigger one?</p></div><div class="tags"><a href="/t/l">lathe</a></div></div>
<h2>2 Answers</h2><div class="answer accepted"><div class="vote"><span>31</span></div><div class="post-text"><p>Keep the overhang of the boring bar under four times its diameter, and the chatter is gone. Sharp tools help as well.</p></div><ul class="comments"><li>Worked for me on a 1962 Myford – <a href="/u">hank</a></li></ul></div><div class="answer"><div class="vote"><span>3</span></div><div class="post-text"><p>Put sand into the hollow of the bed. It sounds odd and damps a lot.</p></div></div><form><textarea>my half-written answer about tailstocks</textarea><button>Post your answer</button></form></div>
<div id="sidebar"><h4>Linked: Choosing a lathe for a shed</h4><h4>Hot network questions</h4><ul><li><a href="/h">Is it rude to reply in Latin?</a></li></ul></div>`,
    ),
  },
  {
    at: "oldboard/viewtopic.php?t=5521",
    language: "en",
    what: "bulletin board of 2004 with signatures and quotes in tables",
    title: "Carburettor for the '71 Lark",
    question: "Which jet did Mossy fit to the Lark's carburettor?",
    passage: "I fitted a 127.5 main jet to the carburettor and the flat spot was gone.",
    answer: "127.5",
    facts: ["Check the float level before you touch the jets."],
    furniture: ["Users browsing this forum: 4 guests"],
    body: html(
      "en",
      "Lark Owners' Board :: View topic - Carburettor for the '71 Lark",
      `<table width="100%"><tr><td><b>Lark Owners' Board</b></td><td align="right"><a href="/faq">FAQ</a> <a href="/m">Memberlist</a></td></tr></table><h2>Carburettor for the '71 Lark</h2><table border="1" width="100%"><tr><th>Author</th><th>Message</th></tr><tr><td valign="top"><b>Mossy</b><br>Posts: 812</td><td><span class="postdetails">Posted: Tue Mar 09, 2004</span><hr><span class="postbody">Got it! I fitted a 127.5 main jet to the carburettor and the flat spot was gone.</span><br>_________________<br><i>'71 Lark, '68 Lark (parts)</i></td></tr><tr><td valign="top"><b>TedB</b><br>Posts: 40</td><td><hr><table><tr><td class="quote">Mossy wrote: the flat spot was gone</td></tr></table><span class="postbody">Check the float level before you touch the jets. Mine was three millimetres out.</span></td></tr></table><p>Users browsing this forum: 4 guests</p>`,
    ),
  },
  {
    at: "forge/quillstore/quill/issues/2290",
    language: "en",
    what: "issue of a code forge with events between the remarks",
    title: "Restore fails when the bucket name has a dot",
    question: "In which release is the restore of buckets with a dot fixed?",
    passage: "Fixed in 4.2.1, which refuses the dot at creation and restores the old ones.",
    answer: "4.2.1",
    facts: ["ERR_BUCKET_NAME: a.b"],
    furniture: ["Sign up for free to join this conversation"],
    body: html(
      "en",
      "Restore fails when the bucket name has a dot · Issue #2290 · quillstore/quill",
      `<header><a href="/">forge</a> <a href="/q/q">quillstore/quill</a></header><nav><a href="/c">Code</a><a href="/i">Issues 41</a><a href="/p">Pull requests 7</a></nav><main><h1><bdi>Restore fails when the bucket name has a dot</bdi> <span>#2290</span></h1><div class="timeline"><div class="comment"><h3><a href="/u/vera">vera</a> opened 12 days ago</h3><p>Restoring a backup of a bucket named <code>a.b</code> ends with:</p><pre>ERR_BUCKET_NAME: a.b</pre></div><div class="event">quillbot added the label bug</div><div class="comment"><h3><a href="/u/tom">tom</a> commented 3 days ago</h3><p>Fixed in 4.2.1, which refuses the dot at creation and restores the old ones.</p></div><div class="event">tom closed this as completed</div></div><p>Sign up for free to join this conversation.</p></main><aside><h4>Assignees</h4><p>tom</p><h4>Labels</h4><p>bug</p></aside>`,
    ),
  },
  {
    at: "lists-coastline/archives/2026-08/0031.html",
    language: "en",
    what: "mailing list archive with quoted replies",
    title: "Re: survey boat in September",
    question: "Who takes the survey boat in the second week of September?",
    passage: "Ingrid takes the survey boat in the second week of September, and I take it in the third.",
    answer: "Ingrid",
    body: html(
      "en",
      "Re: survey boat in September",
      `<p><a href="0030.html">[prev]</a> <a href="0032.html">[next]</a> <a href="/">[index]</a></p><h1>Re: survey boat in September</h1><address>From: Piet Visser<br>Date: Wed, 26 Aug 2026 09:12:44 +0200</address><hr><pre>Hello all,

Ingrid takes the survey boat in the second week of September, and I take it in the third.
The trailer stays in the shed.

Piet

&gt; On Tue, Karin wrote:
&gt; Who needs the boat, and when?
</pre><hr><p>Archived by hypermailer</p>`,
    ),
  },
  {
    at: "chatter/c/greenhouse/p/9914",
    language: "en",
    what: "message board whose replies a script draws in a virtual list",
    title: "Aphids on the peppers again",
    question: "What did willow spray against the aphids?",
    passage: "Two drops of washing-up liquid in a litre of water, sprayed in the evening, three days running.",
    answer: "washing-up liquid",
    furniture: ["Trending now", "Members online 311"],
    body: html(
      "en",
      "Aphids on the peppers again : greenhouse",
      `<div id="root"></div><script>
const replies = [["willow", "Two drops of washing-up liquid in a litre of water, sprayed in the evening, three days running."], ["ben_j", "Ladybirds. Order them, they arrive by post."], ["may", "Seconded on the ladybirds."]];
const root = document.getElementById("root"); root.innerHTML = '<div class="bar"><a href="/">chatter</a></div><div style="display:flex"><div class="feed"></div><div class="side"><h4>Trending now</h4><p>Members online 311</p></div></div>';
const feed = root.querySelector(".feed"); feed.innerHTML = '<h1>Aphids on the peppers again</h1><p>Every spring the same. They sit under the leaves and laugh. What do you spray?</p><div class="list" style="height:300px;overflow:auto;position:relative"></div>';
const list = feed.querySelector(".list"); replies.forEach(([who, what], at) => { const row = document.createElement("div"); row.style.cssText = "position:absolute;top:" + at * 80 + "px;left:0;right:0;height:80px"; row.innerHTML = "<b></b><p></p>"; row.children[0].textContent = who; row.children[1].textContent = what; list.append(row); });
</script>`,
    ),
  },
  {
    at: "bastelforum/thread/terrarium-beleuchtung.8821",
    language: "de",
    what: "deutsches Forum mit Danksagungen und Signaturen",
    title: "Welche Beleuchtung fürs Terrarium?",
    question: "Wie viele Lumen braucht das Terrarium pro Liter?",
    passage: "Als Faustregel braucht ein Terrarium etwa 40 Lumen pro Liter, Moose kommen mit der Hälfte aus.",
    answer: "40 Lumen pro Liter",
    facts: ["Ich nehme eine Pflanzenleuchte mit 6500 Kelvin"],
    furniture: ["Ähnliche Themen", "Du musst angemeldet sein, um zu antworten"],
    body: html(
      "de",
      "Welche Beleuchtung fürs Terrarium? | Bastelforum",
      `<nav><a href="/">Foren</a> <a href="/n">Neue Beiträge</a></nav><h1>Welche Beleuchtung fürs Terrarium?</h1><article class="message"><h4>farnfreund</h4><div class="bbWrapper">Hallo, mein neues Terrarium steht in einer dunklen Ecke. Was nehmt ihr als Licht?</div></article><article class="message"><h4>Moosbert</h4><div class="bbWrapper">Als Faustregel braucht ein Terrarium etwa 40 Lumen pro Liter, Moose kommen mit der Hälfte aus.</div><div class="reactions">3 Mitgliedern gefällt das</div></article><article class="message"><h4>Ulla</h4><div class="bbWrapper">Ich nehme eine Pflanzenleuchte mit 6500 Kelvin und bin zufrieden.</div></article><p>Du musst angemeldet sein, um zu antworten.</p><div><h3>Ähnliche Themen</h3><a href="/1">Welcher Bodengrund?</a></div>`,
    ),
  },
  {
    at: "keijiban-tozan/thread/2210",
    language: "ja",
    what: "日本の掲示板、番号つきの書き込み",
    title: "槍ヶ岳の山小屋について",
    question: "山小屋の予約は何日前から必要ですか",
    passage: "山小屋の予約は三十日前から電話で受け付けています。",
    answer: "三十日前",
    facts: ["水は一リットル二百円です"],
    furniture: ["広告を非表示にする"],
    body: html(
      "ja",
      "槍ヶ岳の山小屋について - 登山掲示板",
      `<p><a href="/">掲示板に戻る</a> <a href="/all">全部</a> <a href="/l50">最新50</a></p><h1>槍ヶ岳の山小屋について</h1><dl><dt>1 ：名無しの登山者：2026/07/01</dt><dd>来月行く予定です。予約と水について教えてください。</dd><dt>2 ：名無しの登山者：2026/07/01</dt><dd>山小屋の予約は三十日前から電話で受け付けています。</dd><dt>3 ：名無しの登山者：2026/07/02</dt><dd>水は一リットル二百円です。小銭を忘れずに。</dd></dl><div class="ad">広告を非表示にする</div>`,
    ),
  },
  {
    at: "foro-apicultores/tema/varroa-otono",
    language: "es",
    what: "foro en español con respuestas anidadas",
    title: "Tratamiento de la varroa en otoño",
    question: "¿Cuántos gramos de ácido oxálico usa Remedios por litro?",
    passage: "Yo uso 35 gramos de ácido oxálico por litro de jarabe, y solo cuando ya no hay cría.",
    answer: "35 gramos",
    furniture: ["Publicidad: trajes de apicultor desde 49 euros"],
    body: html(
      "es",
      "Tratamiento de la varroa en otoño - Foro de apicultores",
      `<h1>Tratamiento de la varroa en otoño</h1><ul class="thread"><li><strong>Julián</strong><p>¿Qué tratamiento usáis antes del invierno? El año pasado perdí tres colmenas.</p><ul><li><strong>Remedios</strong><p>Yo uso 35 gramos de ácido oxálico por litro de jarabe, y solo cuando ya no hay cría.</p><ul><li><strong>Julián</strong><p>Gracias, lo probaré en noviembre.</p></li></ul></li></ul></li></ul><div class="publi">Publicidad: trajes de apicultor desde 49 euros</div>`,
    ),
  },
  {
    at: "muntada-sayarat/t/77120",
    language: "ar",
    what: "منتدى عربي بمشاركات وتواقيع",
    title: "صوت غريب من المحرك عند التشغيل البارد",
    question: "كم كلف تغيير السير؟",
    passage: "تغيير السير كلفني 220 درهما في الورشة القريبة من المحطة، والصوت اختفى تماما.",
    answer: "220 درهما",
    furniture: ["الأعضاء المتواجدون الآن: 12"],
    body: html(
      "ar",
      "صوت غريب من المحرك عند التشغيل البارد - منتدى السيارات",
      `<div><a href="/">المنتدى</a> » <a href="/m">المحركات</a></div><h1>صوت غريب من المحرك عند التشغيل البارد</h1><div class="post"><b>أبو سالم</b><p>السلام عليكم، أسمع صفيرا من المحرك كل صباح ثم يختفي بعد دقيقتين. ما السبب؟</p></div><div class="post"><b>خالد</b><p>كان عندي نفس العيب. تغيير السير كلفني 220 درهما في الورشة القريبة من المحطة، والصوت اختفى تماما.</p></div><div class="stats">الأعضاء المتواجدون الآن: 12</div>`,
    ),
  },
  {
    at: "forum-gan/topic/hashkaya",
    language: "he",
    what: "פורום בעברית",
    title: "השקיה של עץ לימון בעציץ",
    question: "כל כמה ימים צריך להשקות עץ לימון בקיץ?",
    passage: "בקיץ צריך להשקות עץ לימון בעציץ כל יומיים, ובחורף פעם בשבוע.",
    answer: "כל יומיים",
    furniture: ["הצטרפו לפורום והגיבו"],
    body: html(
      "he",
      "השקיה של עץ לימון בעציץ | פורום גינון",
      `<h1>השקיה של עץ לימון בעציץ</h1><div class="msg"><b>נעמי</b><p>העלים של עץ הלימון שלי מצהיבים. אולי אני משקה יותר מדי?</p></div><div class="msg"><b>אורי</b><p>בקיץ צריך להשקות עץ לימון בעציץ כל יומיים, ובחורף פעם בשבוע. כדאי גם לבדוק ניקוז.</p></div><div class="join">הצטרפו לפורום והגיבו</div>`,
    ),
  },
];
