import type { Lexicon } from "./types.ts";

/** German. */
export const de: Lexicon = {
  asks: {
    time:
      "wann | seit wann | bis wann | ab wann | um wie viel uhr | um wieviel uhr | wie spat | wie viel uhr | wie fruh | " +
      "welches/welchem/welchen/welcher jahr/tag/tage/datum/monat/jahrhundert/jahrzehnt/wochentag/uhrzeit/frist/jahren/zeit/zeitpunkt/zeitraum",
    duration:
      "wie lange | wie lang | wie oft | wie haufig | wie alt | wie viele jahre/tage/stunden/wochen/monate/minuten/sekunden | " +
      "wie schnell | vor wie langer zeit | vor wie vielen jahren | wie viel zeit | wieviel zeit | innerhalb welcher zeit/frist",
    number:
      "wie viel | wieviel | wie hoch | wie gross | wie groß | wie weit | wie tief | wie breit | wie schwer | wie stark | wie dick | wie heiß | wie kalt | zu welchem prozentsatz",
    money:
      "wie teuer | was kostet/kosten/kostete | wie viel/wieviel … kostet/kosten/kostete/gekostet/geld/euro/dollar/bezahlt/zahlt/zahlen/bezahlen/verdient/ausgegeben/wert/investiert | " +
      "wie hoch ist/sind/war/waren die kosten/gebuhr/gebuhren/miete | wie hoch ist/war der preis | wie viele dollar/euro/pfund",
    person: "wer | wen | wem | wessen | von wem | mit wem | an wen | zu wem | fur wen",
    place: "wo | wohin | woher | an welchem/welchen ort/orten | in welcher/welchen gegend | von wo | bis wohin",
    reason: "warum | weshalb | wieso | weswegen | aus welchem grund | aus welchen grunden | zu welchem zweck",
    manner: "wie | auf welche weise | auf welche art | wodurch | womit | auf welchem weg",
    definition:
      "was bedeutet | was bedeuten | was bedeutete | was heißt | wofur steht | was versteht man | was ist mit … gemeint | was steht … fur | bedeutung von | was … bedeutet",
    thing:
      "wie heißt/heißen/hieß/hießen/lautet/lauten/lautete/nennt/nennen/nannte/nannten/bezeichnet | wie wird/wurde/wurden/werden … genannt/bezeichnet/abgekurzt | wozu | wofur | woran | worauf | woraus | worin | woruber | wovon | wovor | wonach | wogegen | worum",
    choice: "ob",
  },
  count: "wie viele | wieviele | wie vieler | wie vielen",
  which: "was | welche | welcher | welches | welchen | welchem | was fur",
  nouns: {
    number:
      "zahl | anzahl | *zahl | prozent | prozentsatz | prozentzahl | anteil | menge | große | hohe | gewicht | breite | tiefe | entfernung | geschwindigkeit | " +
      "temperatur | *temperatur | *geschwindigkeit | endstand | grenze | limit | hochstbetrag | *grenze | hochstgrenze | maximum | minimum | quote | rate | flache | kapazitat | punktzahl | bevolkerung | " +
      "einwohnerzahl | wert | verhaltnis | hochstwert | obergrenze | abstand",
    money:
      "preis | preise | kosten | *kosten | gebuhr | gebuhren | gehalt | lohn | budget | miete | umsatz | einkommen | betrag | geldbetrag | summe | bonus | " +
      "geldstrafe | *pauschale | *preis | *gebuhr | zuschuss | *zuschuss",
    duration:
      "alter | dauer | *dauer | aufbewahrungsfrist | kundigungsfrist | laufzeit | probezeit | zeitspanne | altersgrenze | lebensdauer | wartezeit",
    time:
      "jahr | jahre | jahren | tag | tage | tagen | datum | monat | jahrhundert | jahrzehnt | uhrzeit | frist | *frist | termin | stichtag | wochentag | " +
      "zeitpunkt | zeit | zeitraum | abgabetermin | offnungszeiten | *termin | geburtstag | epoche | jahreszeit | uhr",
    person:
      "person | personen | mann | manner | frau | konig | konigin | kaiser | prasident | prasidentin | chef | chefin | leiter | leiterin | manager | " +
      "managerin | spieler | spielerin | schauspieler | schauspielerin | autor | autorin | schriftsteller | dichter | wissenschaftler | minister | " +
      "grunder | erfinder | kunstler | komponist | sanger | sangerin | direktor | general | ansprechpartner | ansprechpartnerin | mitarbeiter | " +
      "kollege | bischof | papst | philosoph | historiker | physiker | mathematiker | ingenieur | architekt | furst | herrscher | gouverneur | " +
      "astronaut | forscher | trainer | vater | mutter | sohn | tochter | bruder | schwester | nachfolger | vorganger | *leiter | *leiterin | " +
      "geschaftsfuhrer | *fuhrer | ceo | chemiker | chemikerin | berater | sekretar | *forscher | *forscherin | *schauspielerin | verteidiger | quarterback | vorsitzende | vorsitzender | vorgesetzter | vorgesetzte | herzog | politiker | okonom | theologe | monch | wirtschaftswissenschaftler | kanzler",
    place:
      "stadt | *stadt | land | lander | staat | staaten | *staat | *staates | bundesland | dorf | ort | orte | orten | kontinent | region | provinz | fluss | see | insel | berg | " +
      "hauptstadt | straße | stadion | standort | bezirk | landkreis | raum | gebaude | platz | flughafen | bahnhof | adresse | vorort | " +
      "stadtteil | viertel | gebiet | geburtsort | meer | wuste | lage | nation",
    reason: "grund | *grund | grunde | ursache | ziel | ziele | anlass | zweck | motiv | motivation | beweggrund",
    manner: "weise | methode | verfahren | vorgehen | weg | schritte",
    definition: "bedeutung | definition",
  },
  links:
    "name | namen | nachname | vorname | art | arten | typ | typen | sorte | teil | gruppe | titel | begriff | bezeichnung | spitzname",
  skips:
    "ist sind war waren der die das den dem des ein eine einen einem einer eines sein seine ihr ihre unser unsere mein meine dein deine diese dieser dieses " +
    "von andere anderen wichtigsten wichtige wichtiger erste ersten erster letzte letzten zwei drei vier genaue aktuelle maximale gesamte offizielle",
  stops:
    "in im an am auf aus bei mit nach von vom zu zum zur fur durch gegen uber unter um und oder aber als wie hat haben hatte hatten wird werden wurde wurden kann " +
    "konnen konnte konnten muss mussen musste soll sollen darf durfen ist sind war waren er sie es wir ihr ich man nicht sich der die das den dem des dass wenn wahrend vor seit bis",
  choice:
    "^ist/sind/war/waren/bin/hat/haben/hatte/hatten/habe/kann/konnen/konnte/konnten/darf/durfen/durfte/muss/mussen/musste/soll/sollen/sollte/sollten/wird/werden/" +
    "wurde/wurden/gibt/gab/will/wollen/mochte/gilt/gelten/gehort/gehoren/brauche/braucht/brauchen/bekomme/bekommt/bekommen/steht/geht/macht/kommt/lasst/erhalt/erhalte/zahlt/bezahlt/" +
    "ubernimmt/erstattet/benotige/benotigt/unterstutzt/funktioniert/spielt/stimmt/zahlen/existiert/existieren/enthalt/hilft",
  isHeadLast: true,
  units: {
    second: "sekunde | sekunden | sek",
    minute: "minute | minuten | min",
    hour: "stunde | stunden | std",
    day: "tag | tage | tagen | nachte | nachten | kalendertage | kalendertagen | urlaubstage | urlaubstagen",
    workday: "arbeitstag | arbeitstage | arbeitstagen | werktage | werktagen | werktag",
    week: "woche | wochen",
    month: "monat | monate | monaten | monats",
    quarter: "quartale | quartalen",
    year: "jahr | jahre | jahren | jahrige | jahriger",
    decade: "jahrzehnt | jahrzehnte | jahrzehnten",
    century: "jahrhundert | jahrhunderte | jahrhunderten",
    percent: "prozent | prozentpunkte",
    EUR: "euro | euros",
    USD: "dollar | us dollar | dollars",
    GBP: "pfund sterling | britische/britischen pfund",
    JPY: "yen",
    cent: "cent | cents",
    people:
      "menschen | personen | leute | leuten | einwohner | einwohnern | person | mitarbeiter | mitarbeitern | beschaftigte | mitglieder | studenten | studierende | manner | frauen | besucher | gaste | teilnehmer",
    times: "mal | male",
    byte: "byte | bytes",
    kilobyte: "kilobyte",
    megabyte: "megabyte",
    gigabyte: "gigabyte",
    terabyte: "terabyte",
    metre: "meter | metern",
    centimetre: "zentimeter | zentimetern",
    millimetre: "millimeter | millimetern",
    kilometre: "kilometer | kilometern",
    mile: "meile | meilen",
    foot: "fuß",
    inch: "zoll",
    gram: "gramm",
    kilogram: "kilogramm | kilo",
    tonne: "tonne | tonnen",
    pound: "pfund",
    litre: "liter | litern",
    degree: "grad",
  },
  numbers:
    "null:0 ein:1? eine:1? einen:1? einem:1? einer:1? eines:1? eins:1 zwei:2 zwo:2 drei:3 vier:4 funf:5 sechs:6 sieben:7 acht:8 neun:9 zehn:10 elf:11 zwolf:12 " +
    "dreizehn:13 vierzehn:14 funfzehn:15 sechzehn:16 siebzehn:17 achtzehn:18 neunzehn:19 zwanzig:20 dreißig:30 vierzig:40 " +
    "funfzig:50 sechzig:60 siebzig:70 achtzig:80 neunzig:90 hundert:100 hunderte:100 tausend:1000 tausende:1000 million:1000000 millionen:1000000 milliarde:1000000000 " +
    "milliarden:1000000000 billion:1000000000000 billionen:1000000000000 dutzend:12 halb:0.5 halbe:0.5 halben:0.5 halbes:0.5 halfte:0.5 viertel:0.25 drittel:0.3333 " +
    "viertelstunde:15:minute dreiviertelstunde:45:minute anderthalb:1.5 eineinhalb:1.5 zweieinhalb:2.5 dreieinhalb:3.5 einmal:1x zweimal:2x dreimal:3x viermal:4x funfmal:5x doppelt:2x",
  ordinals:
    "erste:1 erster:1 ersten:1 erstes:1 zweite:2 zweiter:2 zweiten:2 zweites:2 dritte:3 dritter:3 dritten:3 drittes:3 vierte:4 vierten:4 vierter:4 viertes:4 funfte:5 funften:5 sechste:6 sechsten:6 " +
    "siebte:7 siebten:7 achte:8 achten:8 neunte:9 neunten:9 zehnte:10 zehnten:10 elfte:11 elften:11 zwolfte:12 zwolften:12 zwanzigste:20 zwanzigsten:20",
  about:
    "etwa | ungefahr | circa | ca | rund | knapp | fast | gut | schatzungsweise | zirka | uber | mehr als | bis zu",
  because:
    "weil | da | denn | wegen | aufgrund | auf grund | dank | damit | deshalb | daher | darum | deswegen | grund | grunde | um … zu | verursacht | fuhrt zu | fuhrte zu | " +
    "infolge | sodass | so dass | ermoglicht | verhindert | hilft",
  mayBecause: "um | fur | durch | zur | zum | als",
  by: "indem | mittels | durch | mit | uber | per | mithilfe | anhand | klicken | wahlen | offnen | gehen sie | senden | einreichen | ausfullen | nutzen | verwenden | mit hilfe",
  when:
    "gestern | heute | morgen | jetzt | derzeit | vor | nach | wahrend | bis | seit | als | wenn | sofort | taglich | wochentlich | monatlich | jahrlich | " +
    "immer | nie | fruh | spat | abend | abends | morgens | nacht | nachts | mittag | mitternacht | unverzuglich | bald | ende | anfang | mitte | jede | jeden | jedes",
  no: "nicht | kein | keine | keinen | keinem | keiner | keines | nie | niemals | niemand | nichts | ohne | weder | verboten | untersagt | unzulassig | ausgeschlossen | abgelehnt",
  rules: {
    forbidden:
      "darf/durfen/darfst nicht | darf/durfen kein/keine/keinen | nicht erlaubt/gestattet/zulassig/zugelassen | verboten | untersagt | unzulassig | darf/durfen … nicht/kein/keine/keinen | nie | niemals | kann/konnen nicht",
    optional:
      "muss/mussen nicht | muss/mussen … nicht | nicht erforderlich/notwendig/notig/verpflichtend | optional | freiwillig | braucht/brauchen nicht",
    required:
      "muss | mussen | musst | erforderlich | verpflichtend | pflicht | notwendig | verpflichtet | notig | ist/sind … zu | soll | sollen | sollte | sollten | vorgeschrieben",
    allowed: "darf | durfen | darfst | kann | konnen | erlaubt | gestattet | zulassig | moglich | konnte | berechtigt",
  },
};
