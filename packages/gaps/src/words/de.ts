/** Everyday words of offices that say the same, German. */
export const DE = `
leave: urlaub | ferien | freie tage | urlaubstage | frei nehmen | urlaubstag
sick: krank | krankheit | krankmeldung | krankmelden | krankgeschrieben
doctor: arzt | ärztin
note: attest | bescheinigung | nachweis
parental: elternzeit | mutterschutz
salary: gehalt | lohn | bezahlung | gehaltsabrechnung | lohnabrechnung
bonus: bonus | prämie
contract: vertrag | vereinbarung
!notice: kündigung | kündigungsfrist | kündigen
!join: neuer kollege | neue kollegen | neue mitarbeiter | einarbeitung | erster tag
applicant: bewerber | bewerberin
training: schulung | fortbildung | weiterbildung | kurs | seminar | lehrgang
colleague: kollege | kollegin | kollegen
boss: chef | chefin | vorgesetzter | vorgesetzte | vorgesetzten | führungskraft
employee: mitarbeiter | beschäftigte | angestellte | personal
intern: praktikant | praktikum | werkstudent | azubi | auszubildende
guest: gast | besucher | gäste
remote: homeoffice | home office | von zu hause | mobiles arbeiten | heimarbeit
abroad: ausland
overtime: überstunden | mehrarbeit
travel: reise | dienstreise | geschäftsreise | reisen
flight: flug | fliegen
train: bahn | zug
hotel: hotel | unterkunft | übernachtung
car: auto | wagen | dienstwagen | fahrzeug | firmenwagen
bike: fahrrad | rad | dienstrad
parking: parkplatz | stellplatz | parken | garage | tiefgarage
expense: spesen | auslagen | kosten | ausgaben | reisekosten
!refund: erstattung | erstatten | erstattet | rückerstattung | zurückbekommen | abrechnen | abrechnung | zurückerstattet
receipt: beleg | quittung | kassenbon | belege
allowance: pauschale | tagegeld | zuschuss
!price: preis | kosten | gebühr | kostet
budget: budget | etat
invoice: rechnung | rechnungen
supplier: lieferant | anbieter
customer: kunde | kunden
!buy: kaufen | bestellen | beschaffen | anschaffen | einkauf | bestellung | beschaffung
card: kreditkarte | firmenkarte
tax: steuer | mehrwertsteuer
!approve: genehmigen | genehmigt | freigeben | freigabe | genehmigung | unterschreiben | unterschreibt | unterschrift | zustimmen | zustimmung | erlaubnis | absegnen | unterzeichnet | unterzeichnen
!allowed: dürfen | darf | erlaubt | gestattet | zulässig | berechtigt | verboten
!apply: beantragen | antrag | anfordern | beantragt
!submit: einreichen | abgeben | hochladen
form: formular | vorlage | vordruck | muster
!deadline: frist | stichtag | abgabetermin | spätestens | bis wann
!limit: maximal | höchstens | grenze | obergrenze | limit | höchstbetrag
!responsible: verantwortlich | zuständig | kümmert | ansprechpartner | betreut | zuständigkeit | verantwortet | verantwortliche
password: passwort | kennwort
!reset: zurücksetzen | vergessen | verloren
!login: anmelden | einloggen | anmeldung | login
account: konto | benutzerkonto
access: zugang | zugriff | berechtigung | zutritt | rechte
wifi: wlan | internet | wifi
laptop: laptop | notebook | rechner | computer
screen: bildschirm | monitor
phone: telefon | handy | diensthandy | smartphone
printer: drucker | drucken
software: software | programm | anwendung | tool
licence: lizenz | lizenzen
!install: installieren | einrichten | installation
backup: sicherung | datensicherung | backup
mail: email | mail | postfach
!broken: kaputt | defekt | funktioniert nicht | geht nicht | beschädigt | gestört
!repair: reparieren | reparatur | beheben
!replace: ersatz | austauschen | ersetzen | tauschen
outage: ausfall | störung
oncall: rufbereitschaft | bereitschaft | bereitschaftsdienst
desk: schreibtisch | arbeitsplatz
room: raum | besprechungsraum | konferenzraum | besprechungszimmer | zimmer
!reserve: reservieren | buchen | buchung | reservierung
meeting: besprechung | termin | sitzung | meeting
key: schlüssel
badge: ausweis | zugangskarte | hausausweis | dienstausweis | schlüsselkarte
building: gebäude | büro | haus
parcel: paket | päckchen | sendung | lieferung
!clean: reinigung | putzen | sauber | reinigen
!trash: müll | abfall | entsorgen | entsorgung
heating: heizung | heizen
lunch: mittagessen | kantine | essen
coffee: kaffee
child: kind | kinder | kita
party: feier | fest | weihnachtsfeier | sommerfest
gift: geschenk | geschenke
team: team | abteilung | gruppe
!start: beginn | anfangen | beginnt | starten | start
!end: ende | enden | endet | ablaufen | läuft ab
last: dauert | dauer | wie lange
!change: ändern | wechseln | änderung
!cancel: stornieren | absagen | storno
!carry: übertragen | mitnehmen | resturlaub | verfallen | verfällt
!delete: löschen | entfernen | gelöscht
!keep: aufbewahren | aufbewahrung | archivieren | aufheben | speichern | lagern
!borrow: leihen | ausleihen | mieten
!return: zurückgeben | rückgabe | abgegeben
!report: melden | mitteilen | bescheid | meldung
help: hilfe | support | unterstützung
rule: regel | richtlinie | regelung | vorschrift | regeln
data: daten | informationen
security: sicherheit
feedback: feedback | mitarbeitergespräch | beurteilung
moving: umzug | umziehen
wedding: hochzeit | heirat
funeral: todesfall | beerdigung
hr: personalabteilung | hr
finance: buchhaltung | finanzabteilung
probation: probezeit
discount: rabatt | nachlass | preisnachlass
battery: batterie | akku | batterien
cupboard: schrank | schublade | regal | spind
christmas: weihnachten | zwischen den jahren | jahreswechsel | silvester
businesscard: visitenkarte | visitenkarten
alone: allein | alleine
parttime: teilzeit
supplies: büromaterial
medical: untersuchung | betriebsarzt
!renew: verlängern | verlängerung | erneuern
!stolen: gestohlen | diebstahl | geklaut
!count: wie viele tage | anspruch
!meaning: bedeutet | bedeutung
!error: fehler | fehlermeldung | fehlercode
!closed: geschlossen | zu
studyleave: bildungsurlaub | weiterbildung | freistellung | weiterbildungstage | bildungszeit
`;
