import { allOf, anyOf, counted, dayOf } from "./listing.ts";
import type { Wording } from "./wording.ts";

const LANGUAGE = "de";

const quoted = (text: string) => `„${text}“`;
const count = (number: number) => counted(number, LANGUAGE);
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
    partIndexed: (percent) =>
      `Zurzeit lässt sich nur ein Teil der Dokumente durchsuchen (${percent}\u00a0%), da der Suchindex neu aufgebaut wird. Fragen Sie noch einmal, wenn er fertig ist.`,
    inPart: "Dazu wurde nichts gefunden.",
  },
  courtesies: {
    greeting:
      "Hallo. Fragen Sie nach allem, was in den Dokumenten steht, die Sie sehen dürfen: Geantwortet wird in deren Worten, mit der Stelle, an der sie stehen.",
    thanks: "Gern geschehen. Fragen Sie wieder, wann immer Sie etwas wissen möchten.",
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
    modelCutShort: "Das Modell hat hier seine Längengrenze erreicht.",
    modelSubstituted: (model) =>
      `Der Modellserver bietet ${model} nicht an, darum hat das hier eingerichtete Modell geantwortet.`,
    modelUnused: (model) => `Hier ist kein Modell eingerichtet, darum wurde ${model} nicht verwendet.`,
    modelFailed: (reason) =>
      `Das Modell konnte nicht antworten: ${reason}. Was folgt, ist stattdessen aus den Quellen zitiert.`,
  },
  gaps: {
    cut: (one) => `Nur die ersten ${count(one)} Zeichen wurden gelesen. Schicken Sie den Rest als eigene Datei.`,
    scanned: () =>
      "Die Datei enthält Bilder von Seiten und keinen Text (ein Scan). Lassen Sie eine Texterkennung (OCR) darüberlaufen, und schicken Sie sie noch einmal.",
    damaged: () =>
      "Die Datei ist beschädigt oder unvollständig. Speichern oder laden Sie sie neu, und schicken Sie sie noch einmal.",
    locked: () =>
      "Die Datei ist mit einem Passwort geschützt. Speichern Sie sie ohne Passwort, und schicken Sie sie noch einmal.",
    unfolds: () =>
      "Entpackt ist die Datei größer, als gelesen werden darf. Teilen Sie sie auf, oder schicken Sie ihren Text.",
    empty: () => "Es steht kein Text darin.",
    picture: () => "Bilder werden hier nicht gelesen.",
    "blank-beginning": (one, other) =>
      `Die ersten ${count(one)} Seiten enthalten keinen Text, und die übrigen ${count(other)} wurden nicht gelesen.`,
    beginning: (one, other) =>
      `Nur die ersten ${count(one)} von ${count(other)} Seiten wurden gelesen. Schicken Sie die übrigen als eigene Datei.`,
    "blank-pages": (one, other) =>
      `${count(one)} von ${count(other)} Seiten enthalten keinen Text (Scans, Bilder oder nichts).`,
    memory: () =>
      "Die Datei braucht mehr Speicher, als zum Lesen da ist. Teilen Sie sie auf, oder schicken Sie ihren Text.",
    slow: () =>
      "Das Lesen dauerte zu lange und wurde aufgegeben. Speichern Sie die Datei mit einem anderen Programm neu, oder schicken Sie ihren Text.",
    output: () =>
      "Die Datei enthält mehr, als aus einer Datei genommen werden kann. Teilen Sie sie auf, und schicken Sie sie noch einmal.",
    ended: () =>
      "Das Lesen wurde unterbrochen. Schicken Sie die Datei noch einmal; geschieht es wieder, speichern Sie sie zuerst mit einem anderen Programm neu.",
    crowded: () =>
      "Zu viele Ihrer Dateien warten darauf, gelesen zu werden. Schicken Sie sie noch einmal, wenn diese fertig sind.",
    full: () => "Zu viele Dateien warten darauf, gelesen zu werden. Schicken Sie sie in einer Minute noch einmal.",
  },
  modelTroubles: {
    silent: (seconds) => `Es sagte ${count(seconds)} s lang nichts`,
    endless: () => "Seine Antwort kam zu keinem Ende",
    unreadable: () => "Seine Antwort war unlesbar",
    "empty or unreadable": () => "Seine Antwort war leer oder unlesbar",
    "broken off": () => "Seine Antwort brach ab",
    withheld: () => "Sein Anbieter hielt die Antwort zurück",
    unreachable: () => "Sein Server war nicht zu erreichen",
    "over its limit": (status) => `Sein Server ist ausgelastet (Status ${status})`,
    "key refused": (status) => `Sein Server wies den Schlüssel zurück (Status ${status})`,
    failed: (status) => `Sein Server versagte (Status ${status})`,
    error: () => "Sein Server meldete einen Fehler",
    "only tools": () => "Es rief immer wieder Werkzeuge auf, statt zu antworten",
    empty: () => "Es sagte nichts",
  },
  failures: {
    internal:
      "Beim Antworten ist im Dienst ein Fehler aufgetreten; wo, steht in seinem Protokoll. Fragen Sie noch einmal.",
    damaged:
      "Die Datenbank des Dienstes ist beschädigt, darum lässt sich das nicht beantworten. Halten Sie den Dienst an, und spielen Sie mit `threadlore restore` eine Sicherung zurück.",
    closing: "Der Dienst wird gerade beendet. Fragen Sie noch einmal, wenn er wieder läuft.",
    interrupted: "Diese Antwort brach ab, bevor sie vollständig war. Fragen Sie noch einmal.",
  },
};
