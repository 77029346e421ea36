import { deflateSync, crc32 } from "node:zlib";
import { html, type KindPage } from "../kind-page.ts";

/** Pictures, and pages around a picture. What a picture shows cannot be read, which has to be said. */

/** A grey PNG of this size, as a screenshot is. */
function png(width: number, height: number): Uint8Array {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(8, 8);
  const rows = Buffer.alloc((width + 1) * height, 0x80);
  for (let row = 0; row < height; row++) rows.writeUInt8(0, row * (width + 1));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

const JPEG =
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=";
const GIF = "R0lGODlhAQABAIAAAP///wAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==";
const WEBP = "UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=";
const bytes = (base64: string): Uint8Array => Buffer.from(base64, "base64");

export const IMAGES: readonly KindPage[] = [
  {
    at: "share-snap/i/8f21c.png",
    language: "en",
    what: "screenshot, a PNG",
    type: "image/png",
    title: "8f21c",
    question: "What error does the screenshot show?",
    says: ["no text"],
    body: png(640, 400),
  },
  {
    at: "charts-press/q3.svg",
    language: "en",
    what: "chart, an SVG of its own",
    type: "image/svg+xml",
    title: "q3",
    question: "Which month was the best of the third quarter?",
    says: ["no text"],
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect x="20" y="60" width="60" height="120"/><text x="20" y="195">July</text></svg>`,
  },
  {
    at: "photos-moira/p/pier-at-night",
    language: "en",
    what: "photograph with a caption and its data",
    title: "Pier at night",
    question: "Which exposure time was used for Pier at night?",
    passage: "Exposure time 13 seconds at f/8, tripod on the rocks",
    answer: "13 seconds",
    facts: ["The lamps had just been lit"],
    furniture: ["Order a print"],
    says: ["pictures"],
    body: html(
      "en",
      "Pier at night – Moira's photographs",
      `<nav><a href="/">Albums</a><a href="/print">Order a print</a></nav><figure><img src="/big.jpg" width="900" height="600" alt=""><figcaption><h1>Pier at night</h1><p>The lamps had just been lit when the fog came in from the firth.</p></figcaption></figure><ul><li>Exposure time 13 seconds at f/8, tripod on the rocks</li><li>Lens 35 mm</li></ul>`,
    ),
  },
  {
    at: "stickcomic/412",
    language: "en",
    what: "comic whose words are in the picture, with an unfolded transcript",
    title: "Backup",
    question: "What does the cat sit on in the comic?",
    passage: "Panel 2: The cat sits on the only backup drive and purrs.",
    answer: "backup drive",
    furniture: ["Buy the book"],
    says: ["pictures"],
    body: html(
      "en",
      "Stick Comic: Backup",
      `<p><a href="/411">&lt; Prev</a> <a href="/413">Next &gt;</a> <a href="/shop">Buy the book</a></p><h1>Backup</h1><img src="/412.png" width="700" height="260" alt=""><h2>Transcript</h2><p>Panel 1: A person looks for a drive under the sofa.</p><p>Panel 2: The cat sits on the only backup drive and purrs.</p>`,
    ),
  },
  {
    at: "health-office/leaflets/tick-bites",
    language: "en",
    what: "leaflet as one large picture with a line below it",
    title: "Tick bites",
    question: "Which telephone number is on the leaflet about tick bites?",
    passage: "Advice on tick bites around the clock: telephone 116 117.",
    answer: "116 117",
    says: ["pictures"],
    body: html(
      "en",
      "Tick bites | Health Office",
      `<header>Health Office</header><main><h1>Tick bites</h1><img src="/leaflet.png" width="800" height="1100"><p>Advice on tick bites around the clock: telephone 116 117.</p></main>`,
    ),
  },
  {
    at: "bilder-verein/sommerfest.jpg",
    language: "de",
    what: "Foto, ein JPEG",
    type: "image/jpeg",
    title: "sommerfest",
    question: "Wer steht auf dem Bild in der ersten Reihe?",
    says: ["no text"],
    body: bytes(JPEG),
  },
  {
    at: "gazou-blog/neko.gif",
    language: "ja",
    what: "動く画像、GIF",
    type: "image/gif",
    title: "neko",
    question: "この画像には何が写っていますか",
    says: ["no text"],
    body: bytes(GIF),
  },
  {
    at: "imagenes-museo/obra/77.webp",
    language: "es",
    what: "cuadro, un WebP",
    type: "image/webp",
    title: "77",
    question: "¿Qué se ve en el cuadro?",
    says: ["no text"],
    body: bytes(WEBP),
  },
  {
    at: "suwar-qadima/album/mina",
    language: "ar",
    what: "ألبوم صور مع شروح تحت كل صورة",
    title: "الميناء القديم في صور",
    question: "في أي عام صورت المنارة القديمة؟",
    passage: "المنارة القديمة كما صورت عام 1934 قبل هدمها بأشهر.",
    answer: "1934",
    says: ["pictures"],
    body: html(
      "ar",
      "الميناء القديم في صور",
      `<h1>الميناء القديم في صور</h1><figure><img src="/1.jpg" width="600" height="400" alt=""><figcaption>المنارة القديمة كما صورت عام 1934 قبل هدمها بأشهر.</figcaption></figure><figure><img src="/2.jpg" width="600" height="400" alt=""><figcaption>سوق السمك في صباح شتوي، والقوارب عائدة من الصيد.</figcaption></figure>`,
    ),
  },
  {
    at: "muzeon-yam/mutzag/1188",
    language: "he",
    what: "מוצג במוזיאון עם תיאור חלופי של התמונה",
    title: "עוגן ברזל",
    question: "באיזה עומק נמצא עוגן הברזל?",
    passage: "עוגן הברזל נמצא בעומק של שישה עשר מטרים מול החוף.",
    answer: "שישה עשר מטרים",
    facts: ["עוגן מכוסה אצות על רקע לבן"],
    body: html(
      "he",
      "עוגן ברזל - המוזיאון הימי",
      `<main><h1>עוגן ברזל</h1><img src="/a.jpg" width="600" height="600" alt="עוגן מכוסה אצות על רקע לבן"><p>עוגן הברזל נמצא בעומק של שישה עשר מטרים מול החוף. הוא שייך כנראה לספינת סוחר.</p></main>`,
    ),
  },
];
