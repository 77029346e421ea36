import { describe, expect, it } from "vitest";
import type { Modality } from "./lexicon/types.ts";
import { modalityOf, polarityOf } from "./polarity.ts";

const ROWS: readonly (readonly [
  language: string,
  sentence: string,
  polarity: "yes" | "no",
  modality: Modality | undefined,
])[] = [
  ["en", "You must not share it.", "no", "forbidden"],
  ["en", "You need not ask.", "no", "optional"],
  ["en", "Approval is not required.", "no", "optional"],
  ["en", "You may bring guests.", "yes", "allowed"],
  ["en", "You must ask first.", "yes", "required"],
  ["en", "Not only tea but also coffee is served.", "yes", undefined],
  ["de", "Das ist nicht erlaubt.", "no", "forbidden"],
  ["de", "Kein Essen im Büro.", "no", undefined],
  ["de", "Gäste sind erlaubt.", "yes", "allowed"],
  ["fr", "On ne peut pas fumer ici.", "no", "forbidden"],
  ["fr", "Il faut demander.", "yes", "required"],
  ["es", "No se permite fumar.", "no", "forbidden"],
  ["es", "Se permite fumar.", "yes", "allowed"],
  ["ru", "Курить нельзя.", "no", "forbidden"],
  ["ru", "Не обязательно спрашивать.", "no", "optional"],
  ["ja", "入ってはいけません。", "no", "forbidden"],
  ["ja", "提出しなければなりません。", "yes", "required"],
  ["ja", "利用できます。", "yes", "allowed"],
  ["ja", "写真を撮ってもかまいません。", "yes", "allowed"],
  ["zh", "禁止吸烟。", "no", "forbidden"],
  ["zh", "必须申请。", "yes", "required"],
  ["zh", "非常重要。", "yes", undefined],
  ["ar", "لا يجوز التدخين.", "no", "forbidden"],
  ["ar", "يجب تقديم الطلب.", "yes", "required"],
  ["tr", "Sigara içmek yasaktır.", "no", "forbidden"],
  ["tr", "Bu zorunlu değildir.", "no", "optional"],
  ["hi", "अनुमति नहीं है।", "no", "forbidden"],
  ["ko", "사용할 수 없습니다.", "no", "forbidden"],
  ["pl", "Nie wolno palić.", "no", "forbidden"],
];

describe("polarityOf and modalityOf", () => {
  it.each(ROWS)("%s %s: %s, %s", (language, sentence, polarity, modality) => {
    expect([polarityOf(sentence, language), modalityOf(sentence, language)]).toEqual([polarity, modality]);
  });
});
