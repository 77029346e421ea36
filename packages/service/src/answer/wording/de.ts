import { allOf, anyOf, dayOf } from "./listing.ts";
import type { Wording } from "./wording.ts";

const LANGUAGE = "de";

const quoted = (text: string) => `„${text}“`;
const joined = (sentences: readonly string[]) => sentences.join(" ");

/** German. */
export const DE: Wording = {
  language: LANGUAGE,
  joined,
  nothing: {
    inDocuments: "Dazu habe ich in den Dokumenten nichts gefunden.",
    inDocumentsOrSent: "Dazu habe ich weder in den Dokumenten noch im mitgeschickten Text etwas gefunden.",
    inSent: "Dazu habe ich im mitgeschickten Text nichts gefunden. Die Dokumente wurden nicht durchsucht.",
    toSearch:
      "Es gibt nichts zu durchsuchen: Diese Frage erlaubt keine Suche in den Dokumenten, und es kam kein lesbarer Text mit.",
    advice: "Versuchen Sie es mit anderen Worten, oder fügen Sie ein Dokument hinzu, das die Frage beantwortet.",
    inPart: "Dazu wurde nichts gefunden.",
  },
  closest: {
    lead: "Eine Antwort darauf habe ich nicht gefunden, aber diese Dokumente kommen ihr am nächsten:",
    unmentioned: (words) => `Kein Dokument erwähnt ${anyOf(words.map(quoted), LANGUAGE)}.`,
    missing: {
      number: "Die gefundenen Dokumente handeln davon, nennen aber keine Zahl.",
      money: "Die gefundenen Dokumente handeln davon, nennen aber keinen Betrag.",
      duration: "Die gefundenen Dokumente handeln davon, sagen aber nicht, wie lange.",
      time: "Die gefundenen Dokumente handeln davon, nennen aber weder Datum noch Uhrzeit.",
      person: "Die gefundenen Dokumente handeln davon, nennen aber niemanden mit Namen.",
      place: "Die gefundenen Dokumente handeln davon, nennen aber keinen Ort.",
      reason: "Die gefundenen Dokumente handeln davon, nennen aber keinen Grund.",
      manner: "Die gefundenen Dokumente handeln davon, sagen aber nicht, wie es geht.",
      definition: "Die gefundenen Dokumente handeln davon, sagen aber nicht, was es ist.",
    },
    tooLittle: "Die gefundenen Dokumente sagen zu wenig über das, was Sie fragen.",
    noYear: (years) => `Die gefundenen Dokumente sagen nichts über ${anyOf(years.map(String), LANGUAGE)}.`,
  },
  differing: {
    lead: "Diese Quellen weichen voneinander ab, die neuere zuerst:",
    statement: ({ title, date, says }) => `${quoted(title)} (${dayOf(date, LANGUAGE) ?? "Datum unbekannt"}): ${says}`,
  },
  corrected: (words) =>
    `Ich habe ${allOf(
      words.map(({ written, read }) => `${quoted(written)} als ${quoted(read)}`),
      LANGUAGE,
    )} gelesen.`,
  mainPoints: (title) => (title === undefined ? "Das Wichtigste:" : `Das Wichtigste aus ${quoted(title)}:`),
  notInSource: (values) => `(nicht in der Quelle gefunden: ${allOf(values, LANGUAGE)})`,
  oppositeInSource: "(in der Quelle steht anscheinend das Gegenteil)",
  notes: {
    pictureUnread: (name) =>
      `Bilder werden hier nicht gelesen, darum hat ${quoted(name)} keinen Anteil an dieser Antwort.`,
    noRoom: (name) =>
      `Die angehängten Dateien sind zusammen zu lang: ${quoted(name)} hat keinen Anteil an dieser Antwort.`,
    noText: (name, why) =>
      joined([
        `Aus ${quoted(name)} ließ sich kein Text lesen, darum hat die Datei keinen Anteil an dieser Antwort.`,
        ...(why === undefined ? [] : [why]),
      ]),
    ofFile: (name, remarks) => `Zu ${quoted(name)}: ${joined(remarks)}`,
    onlyBeginning: "Die Datei ist zu lang: Nur ihr Anfang wurde gelesen.",
    quoteNotKept: "(Ein Zitat aus dem Text, der mit dieser Frage geschickt wurde und nicht aufbewahrt wird.)",
    diskFull: "Diese Frage und ihre Antwort bleiben nicht im Verlauf: Der Datenträger des Dienstes ist voll.",
    damaged: "Diese Antwort bleibt nicht im Verlauf: Die Datenbank des Dienstes ist beschädigt.",
    modelUnused: (model) => `Hier ist kein Modell eingerichtet, darum wurde ${model} nicht verwendet.`,
    modelFailed: (reason) =>
      `Das Modell konnte nicht antworten: ${reason}. Was folgt, ist stattdessen aus den Quellen zitiert.`,
  },
};
