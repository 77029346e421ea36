import { describe, expect, it } from "vitest";
import { sentencesOf } from "./sentences.ts";

/** The sentences of a row that is written with a bar where each ends. */
function parted(row: string, language?: string): string[] {
  return sentencesOf(row.replaceAll("|", ""), language).map((one) => one.text);
}

const asWritten = (row: string) => row.split("|").map((one) => one.trim());

describe("sentences", () => {
  it.each([
    ["English", "It is late. |Is it? |Yes! |Well… |Then go."],
    ["German", "Es ist spät. |Wirklich? |Ja! |Dann geh."],
    ["French, with blanks before its marks", "Il est tard. |Vraiment ? |Oui ! |Alors va."],
    ["Spanish", "Es tarde. |¿De verdad? |¡Sí! |Pues vete."],
    ["Russian", "Уже поздно. |Правда? |Да! |Тогда иди."],
    ["Greek, whose question mark is a semicolon", "Είναι αργά. |Αλήθεια; |Ναι."],
    ["Arabic", "الوقت متأخر. |حقا؟ |نعم! |اذهب الآن."],
    ["Urdu", "دیر ہو گئی۔ |کیا واقعی؟ |ہاں۔"],
    ["Hebrew", "כבר מאוחר. |באמת? |כן."],
    ["Hindi", "देर हो गई है। |क्या सच में? |हाँ।"],
    ["Armenian", "Արդեն ուշ է։ |Այո։"],
    ["Amharic", "ዘግይቷል። |እሺ።"],
    ["Burmese", "နောက်ကျပြီ၊ သွားမယ်။ |ကောင်းပြီ။"],
    ["Korean", "시간이 늦었습니다. |정말요? |네, 그렇습니다."],
    ["Japanese", "もう遅い。|本当ですか？|はい！|では、行きます。"],
    ["Chinese", "已经很晚了。|真的吗？|是的！|那就走吧。"],
    ["Chinese with stops of another script", "已经很晚了.|真的吗?|是的!"],
  ])("end at the stops of %s", (_, row) => expect(parted(row)).toEqual(asWritten(row)));

  it.each([
    [
      "en",
      "Ask Dr. Ames, Mr. Will or Mrs. Bell, e.g. by mail, i.e. in writing. |She answers, cf. No. 5 and Fig. 2. |No. |Done.",
    ],
    ["en", "U.S. troops met the U.S. President at St. Peter. |They left the U.S. |The end."],
    ["en", "J. R. R. Tolkien and George W. Bush. |Vitamin C. |It helps."],
    ["en", "Apple Inc. Chairman A. Levinson came at 5 p.m. on Monday. |He bought pens, paper, etc. |Nobody minded."],
    [
      "en",
      "It costs 3.5 dollars in version 2.3.1. |Born in 1999. |Died in 2015. |See example.com. |Or https://x.example/?q=1.5 now.",
    ],
    ["en", "Yahoo! is a company. |Who Wants to Be a Millionaire? |A show."],
    [
      "de",
      "Am 3. Mai kam er auf den 2. Platz, d. h. nach vorn. |Im 19. Jahrhundert gab es z. B. Züge bzw. Wagen. |Es waren 12. |Das genügt.",
    ],
    [
      "de",
      "Siehe Nr. 5, Abs. 2 und § 3 Nr. 4. |Um ca. 300 v. Chr. |Dr. Müller u. a. Gäste (vgl. Abb. 3) kamen usw. |Ludwig XIV. von Frankreich. |Der 1. FC.",
    ],
    ["de", "Das ist so. |Art. 5 sagt es. |Das ist ihre Art. |Sie bleibt."],
    ["fr", "M. Le Pen et Mme Dupont, cf. p. 5. |En 44 av. J.-C. Rome changea, p. ex. de chef. |Art. 3 du code."],
    [
      "es",
      "La Sra. López vive en la Avda. Mayor, p. ej. de día. |En EE. UU. Juan trabaja en Iberia S.A. |El Sr. Gil no. |Dijo que no. |Se fue.",
    ],
    ["it", "Il sig. Rossi, la dott.ssa Bianchi ecc. |Poi pag. 5."],
    ["pt", "O Sr. Silva e a Dra. Lima, p. ex. na pág. 4. |Fim."],
    ["nl", "Dhr. Jansen komt o.a. met dr. Bakker, bijv. op 5 mei. |Klaar enz. |Nee."],
    ["sv", "T.ex. kl. 5 kommer hon, d.v.s. nu. |Nej."],
    ["pl", "Uniwersytet im. Adama Mickiewicza, np. przy ul. Wolności, w 5. Rzędzie. |Tak."],
    [
      "ru",
      "В 1918 г. |Москва стала столицей, т. е. главным городом. |Он жил в г. Москва на ул. Ленина. |Театр им. Чехова, А. С. Пушкин и др. |Это был я. |Дай им. |А нам? |Потом и т. д. |Он ушёл.",
    ],
    ["tr", "Prof. Dr. Yılmaz 3. Selim döneminde geldi. |Evet."],
    ["hi", "डॉ. राम आए हैं. |यह घर है. |अच्छा।"],
    ["ko", "2024. 5. 3.에 만났습니다. |끝."],
    ["en", "1. Open the portal. |2. Press Reset."],
  ])("of %s go on after abbreviations, initials and ordinals: %s", (language, row) => {
    expect(parted(row, language)).toEqual(asWritten(row));
    expect(parted(row)).toEqual(asWritten(row));
  });

  it.each([
    ['He said "Stop!" and left. |"Why?" she asked. |"Go." |Then (at last.) |He went.'],
    ["„Komm!“, rief sie. |„Warum?“ fragte er. |„Darum.“ |Er kam."],
    ["« Pourquoi ? » demanda-t-il. |« Viens. » |Elle vint."],
    ["彼は「もう行く。さようなら。」と言った。|「はい。」|彼女は黙った。"],
    ["え？と思った。|なに？|（注。ここまで。）"],
    ["他说：“你好。”|然后走了。|“再见。”他说。|“好”。|见下。：12–14"],
    ["It ended.[1] |It began.[citation needed] |It is.² |Great!🎉 |Next."],
    ["See (Fig. 3. It shows it) there. |Wait ... what? |I . . . |Well. |No… not yet."],
  ])("keep the quotes and brackets that close after them: %s", (row) => expect(parted(row)).toEqual(asWritten(row)));

  it("do not end with a line, but with a paragraph", () => {
    expect(sentencesOf("One\nline\n\nTwo e.g.\n\nthree").map((one) => one.text)).toEqual([
      "One\nline",
      "Two e.g.",
      "three",
    ]);
  });

  it("of Thai end at blanks, once they are long enough", () => {
    const one = "มหาวิทยาลัยแห่งนี้ก่อตั้งขึ้นเมื่อปีพุทธศักราชสองพันสี่ร้อยหกสิบ";
    expect(parted(`${one} เดิมชื่อ โรงเรียน`)).toEqual([one, "เดิมชื่อ โรงเรียน"]);
    expect(parted("นาย สมชาย มา แล้ว")).toEqual(["นาย สมชาย มา แล้ว"]);
  });

  it("stand where they say", () => {
    const text = "  One.  «Two»?\n\n Three ";
    expect(sentencesOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(["One.", "«Two»?", "Three"]);
    expect(sentencesOf(" \n ")).toEqual([]);
  });

  it.each([
    "e.g. ",
    "a.",
    "。",
    "「",
    "(.",
    "((a.)",
    '."',
    ".\u00bb ",
    ". \n",
    "5. A ",
    "．５",
    "…",
    "A. ",
    "ก ",
    "? ",
    "\ud800.",
  ])("lose nothing of %j many times over", (piece) => {
    const text = piece.repeat(100_000 / piece.length);
    const kept = sentencesOf(text).map((one) => one.text);
    expect(kept.join("").replace(/\s/g, "")).toBe(text.replace(/\s/g, ""));
  });
});
