import type { Words } from "./words.ts";

export const DE: Words = {
  language: "de",
  signIn: "Anmelden",
  signInWith: (company) => `Mit ${company} anmelden`,
  userName: "Benutzername",
  password: "Passwort",
  wrong: "Benutzername oder Passwort ist falsch.",
  tooMany: (minutes) =>
    `Zu viele Versuche. In ${minutes === 1 ? "einer Minute" : `${minutes} Minuten`} geht es wieder; das Konto bleibt, wie es ist.`,
  busy: "Gerade melden sich viele an. Bitte noch einmal versuchen.",
  device: "Ein Programm verbinden",
  typeCode: "Geben Sie den Code ein, den das Programm zeigt.",
  code: "Code",
  goOn: "Weiter",
  unknownCode:
    "Dieser Code ist falsch, zu alt oder schon beantwortet. Sehen Sie im Programm nach, oder beginnen Sie dort neu.",
  somethingAsks:
    "Ein Programm bittet um einen Schlüssel zu Ihrem Konto. Was es über sich sagt, sind seine eigenen Worte:",
  callsItself: "Es nennt sich",
  saysItIsFor: "Der Schlüssel ist angeblich für",
  codeThere: "Diesen Code muss es jetzt zeigen",
  onlyIfYou:
    "Stimmen Sie nur zu, wenn Sie das gerade selbst begonnen haben und das Programm genau diesen Code zeigt. Hat Ihnen jemand einen Link oder Code geschickt, lehnen Sie ab.",
  whatItMay:
    "Mit dem Schlüssel kann es in Ihrem Namen fragen und sehen, was Sie sehen dürfen, bis Sie ihn auf Ihrer Kontoseite beenden.",
  agree: "Zustimmen",
  refuse: "Ablehnen",
  agreed: "Das Programm bekommt einen Schlüssel zu Ihrem Konto. Sie können diese Seite schließen.",
  refused: "Abgelehnt. Das Programm bekommt nichts.",
  forSomebodyElse: (signedInAs) =>
    `Das wurde für das Konto einer anderen Person begonnen; Sie sind angemeldet als ${signedInAs}. Ist es Ihres, melden Sie sich ab und mit dem richtigen Konto an. Sonst schließen Sie diese Seite.`,
  noAddress:
    "Das wurde für eine bestimmte E-Mail-Adresse begonnen, und von Ihrem Konto ist keine bekannt, die geprüft wurde. Ob es für Sie ist, lässt sich also nicht sagen. Sagen Sie Ihrer Administration Bescheid und schließen Sie diese Seite.",
  extension: "Eine Browser-Erweiterung verbinden",
  extensionAsks:
    "Eine Browser-Erweiterung bittet um einen Schlüssel zu Ihrem Konto. Was sie über sich sagt, sind ihre eigenen Worte:",
  extensionId: "Der Browser unterscheidet sie von anderen als",
  onlyIfYouPressed:
    "Stimmen Sie nur zu, wenn Sie gerade in Ihrer Erweiterung auf „Anmelden“ gedrückt haben. Hat Sie ein Link, eine Nachricht oder eine Webseite hierher gebracht, lehnen Sie ab.",
  anotherAccount: "Ein anderes Konto verwenden",
  extensionNotWhole:
    "Das ist keine vollständige Anfrage einer Browser-Erweiterung, also ist nichts geschehen. Schließen Sie diese Seite und drücken Sie in der Erweiterung noch einmal auf „Anmelden“.",
  account: "Ihr Konto",
  signedInAs: "Angemeldet als",
  signOut: "Abmelden",
  rights: "Was Sie sehen dürfen",
  role: { ordinary: "darf fragen", editor: "darf fragen und Dokumente hinzufügen", admin: "darf verwalten" },
  seesAll: "Alle Dokumente",
  seesNothing: "Noch keine Dokumente. Wer verwaltet, gibt Ihren Gruppen Dokumentsammlungen.",
  keys: "Schlüssel zu Ihrem Konto",
  noKeys: "Kein Programm hat einen Schlüssel zu Ihrem Konto.",
  keyDates: (made, used, ends) =>
    `Erstellt am ${made}, ${used === undefined ? "noch nicht benutzt" : `benutzt am ${used}`}, endet am ${ends} oder nach 90 Tagen ohne Benutzung`,
  endKey: "Schlüssel beenden",
  keyEnded: "Der Schlüssel ist beendet.",
  changePassword: "Passwort ändern",
  currentPassword: "Bisheriges Passwort",
  newPassword: "Neues Passwort",
  passwordRule: (least) => `Mindestens ${least} Zeichen. Alle Browser werden abgemeldet; Schlüssel bleiben.`,
  wrongCurrent: "Das bisherige Passwort ist falsch.",
  weak: (least) => `Das neue Passwort braucht mindestens ${least} und höchstens 256 Zeichen und mehr als Ihren Namen.`,
  passwordChanged: "Das Passwort ist geändert. Melden Sie sich damit an.",
  companyFailed: {
    unreachable: "Die Anmeldung Ihrer Firma antwortet gerade nicht. Versuchen Sie es in einer Minute noch einmal.",
    misconfigured:
      "Die Anmeldung mit Ihrer Firma ist noch nicht richtig eingerichtet. Sagen Sie es der Verwaltung: Das Protokoll des Dienstes nennt den Grund.",
    declined: "Die Anmeldung Ihrer Firma hat Sie nicht zugelassen. Fragen Sie die Verwaltung, wenn Sie das wundert.",
    stale:
      "Diese Anmeldung hat zu lange gedauert, wurde schon benutzt oder in einem anderen Browser begonnen. Beginnen Sie neu.",
    untrusted:
      "Was die Anmeldung Ihrer Firma sagt, ließ sich nicht prüfen; deshalb wurde niemand angemeldet. Beginnen Sie neu, und sagen Sie es der Verwaltung, wenn es so bleibt.",
    groups:
      "Die Anmeldung Ihrer Firma sagt nicht, zu welchen Gruppen Sie gehören; deshalb wurde niemand angemeldet. Sagen Sie es der Verwaltung: Das Protokoll des Dienstes nennt den Grund.",
    outsider:
      "Mit diesem Konto kann man sich hier nicht anmelden. Nehmen Sie das Konto Ihrer Firma, oder fragen Sie die Verwaltung.",
    disabled: "Ihr Konto wurde hier geschlossen. Fragen Sie die Verwaltung.",
  },
  notDone: "Das wurde nicht getan",
  notUnderstood: "Was gesendet wurde, ist nicht zu verstehen. Gehen Sie zurück und versuchen Sie es noch einmal.",
  notFromHere: (address) =>
    `Das wurde nicht von einer Seite dieses Dienstes gesendet. Öffnen Sie ${address} im Browser, und machen Sie dort weiter.`,
  later: "Der Dienst kann das gerade nicht tun. Versuchen Sie es später noch einmal.",
  toAccount: "Zu Ihrem Konto",
};
