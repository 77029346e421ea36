import { html, type KindPage } from "../kind-page.ts";

/** Documentation: references, handbooks, wikis, tutorials. */
export const DOCUMENTATION: readonly KindPage[] = [
  {
    at: "docs-quillstore/en/latest/reference/retention.html",
    language: "en",
    what: "reference with a table of contents, a version menu and highlighted code",
    title: "Retention policies",
    question: "What is the default of keep_versions?",
    passage: "keep_versions | integer | 12 | How many older versions of an object stay.",
    answer: "12",
    facts: ["quill policy set --keep-days 30", "A policy that would delete more than half of a bucket is refused."],
    furniture: ["Edit this page on the forge", "Previous: Buckets"],
    body: html(
      "en",
      "Retention policies — Quillstore 4.2 documentation",
      `<style>.hl{color:#a0a}.nav{float:left;width:200px}</style><div class="nav" role="navigation"><p>Quillstore</p><select><option>4.2</option><option>4.1</option></select><ul><li><a href="i.html">Install</a></li><li><a href="b.html">Buckets</a><ul><li><a href="l.html">Limits</a></li></ul></li><li class="current"><a href="#">Retention policies</a></li></ul></div>
<div class="document" role="main"><h1 id="retention">Retention policies<a class="headerlink" href="#retention" title="Permalink">¶</a></h1><p>A policy says how long objects stay once they were replaced.</p>
<h2 id="fields">Fields<a class="headerlink" href="#fields">¶</a></h2><table><thead><tr><th>Field</th><th>Type</th><th>Default</th><th>Meaning</th></tr></thead><tbody><tr><td><code>keep_days</code></td><td>integer</td><td>90</td><td>Days an object stays after it was replaced.</td></tr><tr><td><code>keep_versions</code></td><td>integer</td><td>12</td><td>How many older versions of an object stay.</td></tr></tbody></table>
<h2 id="cli">On the command line</h2><div class="highlight"><pre><span class="hl">quill</span> policy set <span class="hl">--keep-days</span> 30 archive</pre></div><div class="admonition warning"><p>A policy that would delete more than half of a bucket is refused.</p></div></div>
<footer><a href="b.html">Previous: Buckets</a><a href="/edit">Edit this page on the forge</a></footer>`,
    ),
  },
  {
    at: "learn-loom/tutorial/first-router",
    language: "en",
    what: "tutorial of a framework with tabs, of which one is shown",
    title: "Your first router",
    question: "Which hook gives the parameters of the current route?",
    passage: "Call useRoute() inside a component to get the parameters of the current route.",
    answer: "useRoute()",
    facts: ["npm create loom@latest"],
    furniture: ["Star us", "On this page"],
    unseen: ["yarn create loom", "pnpm create loom"],
    says: ["closed parts"],
    body: html(
      "en",
      "Your first router | Loom",
      `<header><a href="/">Loom</a><a href="/gh">Star us ★ 12.4k</a><button>Search ⌘K</button></header><div style="display:flex"><aside><ul><li><a href="/a">Getting started</a></li><li><a href="/b">State</a></li></ul></aside>
<main><h1>Your first router</h1><p>A router decides which view is drawn for an address. Loom has one built in.</p><div class="tabs"><div role="tablist"><button role="tab" aria-selected="true">npm</button><button role="tab">yarn</button><button role="tab">pnpm</button></div><div role="tabpanel"><pre>npm create loom@latest</pre></div><div role="tabpanel" hidden><pre>yarn create loom</pre></div><div role="tabpanel" hidden><pre>pnpm create loom</pre></div></div>
<h2>Reading parameters</h2><p>Call <code>useRoute()</code> inside a component to get the parameters of the current route. It draws the component again when they change.</p><details><summary>Why no context?</summary><p>Because a context draws everything below it again, folded away.</p></details></main>
<nav class="toc"><p>On this page</p><a href="#r">Reading parameters</a></nav></div>`,
    ),
  },
  {
    at: "wiki-brassworks/space/IT/pages/4711/Printer+on+floor+three",
    language: "en",
    what: "company wiki with a page tree and an info macro",
    title: "Printer on floor three",
    question: "What is the PIN of the printer on floor three?",
    passage: "The service PIN is 7730; it changes every first of the month.",
    answer: "7730",
    facts: ["Toner is in the cabinet beside the stairs."],
    furniture: ["Recently viewed", "Write a comment…"],
    unseen: ["my unfinished reply about toner"],
    body: html(
      "en",
      "Printer on floor three - IT - Brassworks Wiki",
      `<div id="header"><a href="/">Brassworks Wiki</a><button>Create</button></div><div id="tree"><h5>Recently viewed</h5><ul><li><a href="/1">Onboarding</a></li><li><a href="/2">VPN</a></li><li><a href="/3">Telephones</a></li></ul></div>
<div id="content"><h1 id="title-text">Printer on floor three</h1><p class="page-metadata">Created by Owen Achebe, last modified on Sep 02, 2026</p><div class="wiki-content"><div class="confluence-information-macro"><p>The service PIN is 7730; it changes every first of the month.</p></div><p>Toner is in the cabinet beside the stairs. Take the last but one, and order when you take it.</p><ol><li>Open the left door.</li><li>Turn the blue lever.</li></ol></div>
<div id="comments"><div contenteditable="true" role="textbox">my unfinished reply about toner</div><span>Write a comment…</span></div></div>`,
    ),
  },
  {
    at: "man-pages/section/8/tapewind.8.html",
    language: "en",
    what: "manual page, preformatted",
    title: "tapewind",
    question: "Which option of tapewind ejects the tape afterwards?",
    passage: "-e, --eject Eject the tape once it is wound.",
    answer: "--eject",
    facts: ["tapewind exits with 3 when there is no tape."],
    body: html(
      "en",
      "tapewind(8)",
      `<pre>TAPEWIND(8)               System Manager's Manual              TAPEWIND(8)

NAME
       tapewind - wind a tape to its beginning

OPTIONS
       -e, --eject
              Eject the tape once it is wound.

       -q, --quiet
              Say nothing.

EXIT STATUS
       tapewind exits with 3 when there is no tape.
</pre>`,
    ),
  },
  {
    at: "api-parcelpoint/reference",
    language: "en",
    what: "API reference as one component in shadow DOM",
    title: "Parcelpoint API",
    question: "How many labels can be created in one request?",
    passage: "One request creates up to 250 labels; more are answered with 413.",
    answer: "250 labels",
    facts: ["POST /v2/labels"],
    body: html(
      "en",
      "Parcelpoint API",
      `<api-reference></api-reference><script>customElements.define("api-reference", class extends HTMLElement { connectedCallback() { const root = this.attachShadow({ mode: "open" });
root.innerHTML = '<style>:host{display:block}.menu{width:12em;float:left}</style><div class="menu"><a href="#l">Labels</a><a href="#t">Tracking</a></div><section><h1>Parcelpoint API</h1><h2 id="l">Create labels</h2><code>POST /v2/labels</code><p>One request creates up to 250 labels; more are answered with 413.</p><h2 id="t">Tracking</h2><p>A parcel is known ten minutes after its label was printed.</p></section>'; } });</script>`,
    ),
  },
  {
    at: "handbuch-solarwart/betrieb/wechselrichter",
    language: "de",
    what: "Handbuch mit Warnhinweisen, Fußnoten und Suchfeld",
    title: "Wechselrichter zurücksetzen",
    question: "Wie lange muss die Taste am Wechselrichter gedrückt werden?",
    passage: "Halten Sie die Taste am Wechselrichter acht Sekunden lang gedrückt, bis die Anzeige erlischt.",
    answer: "acht Sekunden",
    facts: ["Lebensgefahr durch Gleichspannung"],
    furniture: ["War diese Seite hilfreich?"],
    unseen: ["suchwort von gestern"],
    body: html(
      "de",
      "Wechselrichter zurücksetzen – Solarwart Handbuch",
      `<header>Solarwart Handbuch <input type="search" value="suchwort von gestern"></header><nav><a href="/1">Montage</a><a href="/2">Betrieb</a><a href="/3">Störungen</a></nav>
<article><h1>Wechselrichter zurücksetzen</h1><p><strong>Lebensgefahr durch Gleichspannung!</strong> Schalten Sie zuerst den Trennschalter aus.</p><ol><li>Warten Sie fünf Minuten.</li><li>Halten Sie die Taste am Wechselrichter acht Sekunden lang gedrückt, bis die Anzeige erlischt.</li><li>Schalten Sie den Trennschalter wieder ein.<sup><a href="#f1">1</a></sup></li></ol><p id="f1"><small>1 Nur bei Geräten ab 2024.</small></p></article><div class="feedback">War diese Seite hilfreich? <button>Ja</button><button>Nein</button></div>`,
    ),
  },
  {
    at: "docs-brisa/fr/guide/sauvegarde",
    language: "fr",
    what: "guide d'un logiciel, avec sommaire et encadrés",
    title: "Planifier une sauvegarde",
    question: "À quelle heure la sauvegarde est-elle lancée par défaut ?",
    passage: "Par défaut, la sauvegarde est lancée chaque nuit à 3 h 15, heure du serveur.",
    answer: "3 h 15",
    facts: ["brisa backup --full"],
    furniture: ["Rejoignez le salon de discussion"],
    body: html(
      "fr",
      "Planifier une sauvegarde · Brisa",
      `<div class="layout"><aside class="menu"><a href="/i">Installation</a><a href="/s">Sauvegarde</a><a href="/m">Mise à jour</a><p>Rejoignez le salon de discussion</p></aside><main><h1>Planifier une sauvegarde</h1><p>Brisa copie votre base et vos fichiers vers l'espace de votre choix.</p><div class="tip"><p>Par défaut, la sauvegarde est lancée chaque nuit à 3 h 15, heure du serveur.</p></div><h2>À la main</h2><p>Pour une copie complète :</p><pre><code>brisa backup --full</code></pre></main></div>`,
    ),
  },
  {
    at: "docs-haneul/ko/guide/proxy",
    language: "ko",
    what: "한국어 설명서, 왼쪽 목차와 코드",
    title: "프록시 설정하기",
    question: "프록시의 기본 포트는 몇 번인가요?",
    passage: "프록시의 기본 포트는 8642번이며 설정 파일에서 바꿀 수 있습니다.",
    answer: "8642번",
    facts: ["haneul proxy start"],
    furniture: ["이 문서 수정하기"],
    body: html(
      "ko",
      "프록시 설정하기 | 하늘 문서",
      `<nav><a href="/">하늘 문서</a><ul><li><a href="/a">설치</a></li><li><a href="/b">시작하기</a></li><li><a href="/c">프록시</a></li></ul></nav><main><h1>프록시 설정하기</h1><p>회사 네트워크 안에서는 프록시를 거쳐야 외부에 연결할 수 있습니다.</p><p>프록시의 기본 포트는 8642번이며 설정 파일에서 바꿀 수 있습니다.</p><pre><code>haneul proxy start</code></pre></main><footer><a href="/e">이 문서 수정하기</a></footer>`,
    ),
  },
  {
    at: "ayuda-mareta/es/impresoras/rollo",
    language: "es",
    what: "centro de ayuda con artículos plegados",
    title: "Cambiar el rollo de la impresora de tickets",
    question: "¿De qué ancho debe ser el rollo de papel?",
    passage: "El rollo de papel debe tener 80 milímetros de ancho y un diámetro de 83 como máximo.",
    answer: "80 milímetros",
    furniture: ["¿No encuentras lo que buscas? Chatea con nosotros"],
    unseen: ["pliegue oculto sobre la garantía"],
    says: ["closed parts"],
    body: html(
      "es",
      "Cambiar el rollo de la impresora de tickets – Centro de ayuda Mareta",
      `<header><a href="/">Centro de ayuda</a> <form><input type="search" placeholder="Buscar"></form></header><article class="help"><h1>Cambiar el rollo de la impresora de tickets</h1><p>Antes de empezar, apaga la impresora y espera a que se enfríe el cabezal.</p><p>El rollo de papel debe tener 80 milímetros de ancho y un diámetro de 83 como máximo.</p><p>Introduce el papel con la cara térmica hacia arriba y cierra la tapa.</p><details><summary>Garantía</summary><p>pliegue oculto sobre la garantía</p></details></article><div class="chat" style="position:fixed;right:0;bottom:0">¿No encuentras lo que buscas? Chatea con nosotros</div>`,
    ),
  },
  {
    at: "tawthiq-nakheel/ar/dalil/nuskha-ihtiyatiya",
    language: "ar",
    what: "دليل استخدام مع أوامر بالإنجليزية داخل نص عربي",
    title: "استعادة النسخة الاحتياطية",
    question: "ما الأمر الذي يستعيد آخر نسخة احتياطية؟",
    passage: "لاستعادة آخر نسخة احتياطية نفذ الأمر nakheel restore --latest من حساب المدير.",
    answer: "nakheel restore --latest",
    furniture: ["هل كانت هذه الصفحة مفيدة؟"],
    body: html(
      "ar",
      "استعادة النسخة الاحتياطية - توثيق نخيل",
      `<nav><a href="/1">التثبيت</a> <a href="/2">الإعداد</a> <a href="/3">النسخ</a></nav><main><h1>استعادة النسخة الاحتياطية</h1><p>تحفظ النسخ الاحتياطية في مجلد منفصل، ويبقى منها آخر سبع نسخ.</p><p>لاستعادة آخر نسخة احتياطية نفذ الأمر <code>nakheel restore --latest</code> من حساب المدير.</p><p>تستغرق العملية عادة بضع دقائق، ولا يعمل البرنامج أثناءها.</p></main><div>هل كانت هذه الصفحة مفيدة؟ <button>نعم</button> <button>لا</button></div>`,
    ),
  },
];
