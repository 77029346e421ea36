import type { Lexicon } from "./types.ts";

/** Dutch. */
export const nl: Lexicon = {
  asks: {
    time: "wanneer | sinds wanneer | tot wanneer | hoe laat | in welk jaar | welk jaar | welke dag | welke datum | op welke dag/datum | in welke maand/eeuw | vanaf wanneer",
    duration:
      "hoe lang | hoelang | hoe vaak | hoe oud | hoeveel jaar/dagen/uur/weken/maanden/minuten/tijd/seconden/uren/jaren",
    number: "hoeveel | hoe groot | hoe hoog | hoe ver | hoe diep | hoe zwaar | hoe snel | hoe breed",
    money: "hoe duur | wat kost/kosten/kostte | hoeveel … kost/kosten/kostte/betaald/betaalt/geld/euro/dollar/verdient",
    person: "wie | van wie | met wie | aan wie | door wie | wiens",
    place: "waar | waarheen | waarvandaan | op welke plaats/plek",
    reason: "waarom | om welke reden | waardoor | hoezo | waarvoor",
    manner: "hoe | op welke manier/wijze",
    definition: "wat betekent | wat betekenen | wat houdt … in | waar staat … voor | wat wordt bedoeld",
    thing:
      "hoe heet/heette/heten/heetten | hoe wordt … genoemd | hoe noemt/noemen | waarmee | waarover | waaraan | waarin | waarop",
  },
  count: "hoeveel",
  which: "wat | welk | welke | wat voor",
  nouns: {
    number:
      "aantal | percentage | aandeel | hoeveelheid | grootte | hoogte | gewicht | afstand | snelheid | temperatuur | limiet | maximum | minimum | oppervlakte | bevolking | capaciteit",
    money: "prijs | kosten | salaris | budget | huur | bedrag | tarief | boete | loon | vergoeding | *kosten",
    duration: "leeftijd | duur | bewaartermijn | opzegtermijn | proeftijd",
    time: "jaar | dag | datum | maand | eeuw | tijd | uur | deadline | termijn | periode | tijdstip | openingstijden",
    person:
      "persoon | man | vrouw | koning | koningin | keizer | president | directeur | manager | speler | schrijver | auteur | minister | oprichter | leider | medewerker | contactpersoon | acteur | uitvinder",
    place:
      "stad | land | landen | staat | dorp | plaats | plek | continent | regio | provincie | rivier | eiland | hoofdstad | straat | locatie | gebouw | adres",
    reason: "reden | redenen | oorzaak | doel",
    manner: "manier | wijze | methode",
    definition: "betekenis | definitie",
  },
  links: "naam | namen | soort | type | deel | groep | titel",
  skips: "is zijn was waren de het een zijn haar hun onze mijn uw je deze dit die dat van eerste laatste belangrijkste",
  stops:
    "in op aan met voor door van uit bij naar tot over onder en of maar als heeft hebben had hadden wordt werd kan kunnen moet moeten mag hij ze zij we wij ik er niet is zijn was waren de het",
  choice:
    "^is/zijn/was/waren/heeft/hebben/heb/had/kan/kunnen/mag/mogen/moet/moeten/zal/zullen/wordt/worden/werd/bestaat/krijg/krijgt/krijgen/geldt/werkt/ben/doet/wil/gaat/hoort",
  isHeadLast: true,
  units: {
    second: "seconde | seconden",
    minute: "minuut | minuten",
    hour: "uur | uren",
    day: "dag | dagen",
    workday: "werkdag | werkdagen",
    week: "week | weken",
    month: "maand | maanden",
    year: "jaar | jaren",
    percent: "procent",
    EUR: "euro",
    USD: "dollar | dollars",
    people: "mensen | personen | inwoners | medewerkers | leden",
    times: "keer | maal",
    metre: "meter",
    kilometre: "kilometer",
    centimetre: "centimeter",
    gram: "gram",
    kilogram: "kilogram | kilo",
    tonne: "ton",
    litre: "liter",
  },
  numbers:
    "miljoen:1000000 miljard:1000000000 duizend:1000 honderd:100 twee:2 drie:3 vier:4 vijf:5 zes:6 zeven:7 acht:8 negen:9 tien:10 twaalf:12 twintig:20 dertig:30 half:0.5 helft:0.5",
  about: "ongeveer | circa | ca | rond | bijna | zo n",
  because: "omdat | want | doordat | vanwege | wegens | dankzij | zodat | daarom | dus | reden | om … te | veroorzaakt",
  by: "door | via | met | klik | kies | open | gebruik | stuur | vul",
  when: "gisteren | vandaag | morgen | nu | voor | na | tijdens | tot | sinds | toen | dagelijks | wekelijks | maandelijks | jaarlijks | altijd | nooit",
  no: "niet | geen | nooit | niemand | niets | zonder | noch | verboden",
  rules: {
    forbidden: "mag/mogen niet/geen | mag/mogen … niet/geen | verboden | niet toegestaan",
    optional: "hoeft/hoeven niet | hoeft/hoeven … niet | niet verplicht/nodig | optioneel | vrijwillig",
    required: "moet | moeten | verplicht | vereist | nodig | dient",
    allowed: "mag | mogen | kan | kunnen | toegestaan",
  },
};

/** Swedish. */
export const sv: Lexicon = {
  asks: {
    time: "när | sedan när | hur dags | vilket år | vilken dag | vilket datum | vilken tid | vilken månad | vilket århundrade | vilket decennium",
    duration:
      "hur länge | hur lång tid | hur ofta | hur gammal | hur gamla | hur många år/dagar/timmar/veckor/månader/minuter/sekunder",
    number: "hur mycket | hur stor | hur stort | hur hög | hur högt | hur långt | hur djup | hur tung | hur snabbt",
    money: "vad kostar/kostade | hur mycket … kostar/kostade/betalar/betalade/pengar/kronor/tjänar",
    person: "vem | vems | vilka är | av vem",
    place: "var | vart | varifrån",
    reason: "varför | av vilken anledning | hur kommer det sig",
    manner: "hur | på vilket sätt",
    definition: "vad betyder | vad innebär | vad menas med | vad står … för",
    thing: "vad heter/hette | hur kallas",
  },
  count: "hur många",
  which: "vad | vilken | vilket | vilka | vad för",
  nouns: {
    number:
      "antal | antalet | procent | andel | mängd | storlek | höjd | vikt | avstånd | hastighet | temperatur | gräns | gränsen | yta | befolkning | max",
    money:
      "pris | priset | kostnad | kostnaden | lön | budget | hyra | belopp | avgift | avgiften | böter | ersättning",
    duration: "ålder | längd | uppsägningstid | provanställning",
    time: "år | året | dag | datum | månad | århundrade | tid | klockslag | deadline | period | tidpunkt | öppettider",
    person:
      "person | man | kvinna | kung | drottning | kejsare | president | chef | chefen | spelare | författare | minister | grundare | ledare | medarbetare | kontaktperson | skådespelare",
    place:
      "stad | staden | land | länder | stat | by | plats | kontinent | region | provins | flod | ö | huvudstad | huvudstaden | gata | byggnad | adress | ort",
    reason: "anledning | orsak | skäl | syfte",
    manner: "sätt | metod",
    definition: "betydelse | definition",
  },
  links: "namn | namnet | typ | slags | sort | del | grupp | titel",
  skips: "är var den det de en ett sin hans hennes deras vår min din detta denna dessa första sista största heter",
  stops:
    "i på av med för till från om under och eller men som har hade kan ska skulle måste får han hon de vi jag inte är var finns",
  choice: "^är/var/har/hade/kan/kunde/får/ska/skulle/måste/finns/blir/blev/gäller/vill/behöver/bör/ingår/gör",
  isHeadLast: true,
  units: {
    second: "sekund | sekunder",
    minute: "minut | minuter",
    hour: "timme | timmar",
    day: "dag | dagar | dygn",
    workday: "arbetsdag | arbetsdagar",
    week: "vecka | veckor",
    month: "månad | månader",
    year: "år",
    percent: "procent",
    EUR: "euro",
    USD: "dollar",
    SEK: "kronor | krona",
    people: "personer | människor | invånare | anställda | medlemmar",
    times: "gånger | gång",
    metre: "meter",
    kilometre: "kilometer",
    centimetre: "centimeter",
    gram: "gram",
    kilogram: "kilo | kilogram",
    tonne: "ton",
    litre: "liter",
  },
  numbers:
    "miljon:1000000 miljoner:1000000 miljard:1000000000 miljarder:1000000000 tusen:1000 hundra:100 två:2 tre:3 fyra:4 fem:5 sex:6 sju:7 åtta:8 nio:9 tio:10 tolv:12 tjugo:20 halv:0.5 hälften:0.5",
  about: "ungefär | cirka | ca | omkring | nästan",
  because: "eftersom | därför | på grund av | tack vare | så att | för att | orsak | anledning | orsakar",
  by: "genom | via | med | med hjälp av | klicka | välj | öppna | använd | skicka | fyll",
  when: "igår | idag | imorgon | nu | före | efter | under | tills | sedan | när | dagligen | varje | alltid | aldrig",
  no: "inte | ingen | inget | inga | aldrig | ej | utan | varken | förbjudet | förbjuden",
  rules: {
    forbidden:
      "får/kan inte/ej | får … inte/ej | förbjudet | förbjuden | inte tillåtet/tillåten/tillåtna | är inte tillåten",
    optional: "behöver inte | måste inte | frivilligt | valfritt | valfri | inte nödvändigt",
    required: "måste | ska | krävs | obligatoriskt | obligatorisk | nödvändigt | skall | bör",
    allowed: "får | kan | tillåtet | tillåten | tillåtna",
  },
};

/** Danish. */
export const da: Lexicon = {
  asks: {
    time: "hvornår | siden hvornår | hvilket år | hvilken dag | hvilken dato | hvad tid | hvilket tidspunkt | hvilken måned | hvilket århundrede",
    duration:
      "hvor længe | hvor lang tid | hvor ofte | hvor gammel | hvor gamle | hvor mange år/dage/timer/uger/måneder/minutter/sekunder",
    number:
      "hvor meget | hvor stor | hvor stort | hvor høj | hvor højt | hvor langt | hvor dyb | hvor tung | hvor hurtigt",
    money:
      "hvad koster/kostede | hvor meget … koster/kostede/betaler/betalte/penge/kroner/tjener | hvor dyr | hvor dyrt",
    person: "hvem | hvis",
    place: "hvor | hvorhen | hvorfra",
    reason: "hvorfor | af hvilken grund",
    manner: "hvordan | på hvilken måde",
    definition: "hvad betyder | hvad menes | hvad står … for | hvad vil … sige",
    thing: "hvad hedder/hed | hvad kaldes",
  },
  count: "hvor mange",
  which: "hvad | hvilken | hvilket | hvilke | hvad for",
  nouns: {
    number:
      "antal | antallet | procent | andel | mængde | størrelse | højde | vægt | afstand | hastighed | temperatur | grænse | grænsen | areal | befolkning",
    money: "pris | prisen | omkostninger | løn | budget | husleje | beløb | gebyr | bøde | udgift",
    duration: "alder | varighed | opsigelsesvarsel | prøvetid",
    time: "år | dag | dato | måned | århundrede | tid | tidspunkt | frist | fristen | deadline | periode | åbningstider",
    person:
      "person | mand | kvinde | konge | dronning | kejser | præsident | chef | spiller | forfatter | minister | grundlægger | leder | medarbejder | kontaktperson | skuespiller",
    place:
      "by | land | lande | stat | landsby | sted | kontinent | region | provins | flod | ø | hovedstad | gade | bygning | adresse",
    reason: "grund | årsag | formål",
    manner: "måde | metode",
    definition: "betydning | definition",
  },
  links: "navn | navnet | type | slags | del | gruppe | titel",
  skips: "er var den det de en et sin hans hendes deres vores min din dette denne disse første sidste største",
  stops:
    "i på af med for til fra om under og eller men som har havde kan skal skulle må han hun vi jeg ikke er var findes der",
  choice: "^er/var/har/havde/kan/kunne/må/skal/skulle/findes/bliver/blev/gælder/vil/behøver/bør/får/gør",
  isHeadLast: true,
  units: {
    second: "sekund | sekunder",
    minute: "minut | minutter",
    hour: "time | timer",
    day: "dag | dage | døgn",
    workday: "arbejdsdag | arbejdsdage | hverdage",
    week: "uge | uger",
    month: "måned | måneder",
    year: "år",
    percent: "procent",
    EUR: "euro",
    USD: "dollar",
    DKK: "kroner | krone",
    people: "personer | mennesker | indbyggere | ansatte | medlemmer",
    times: "gange | gang",
    metre: "meter",
    kilometre: "kilometer",
    centimetre: "centimeter",
    gram: "gram",
    kilogram: "kilo | kilogram",
    tonne: "ton",
    litre: "liter",
  },
  numbers:
    "million:1000000 millioner:1000000 milliard:1000000000 milliarder:1000000000 tusind:1000 hundrede:100 to:2 tre:3 fire:4 fem:5 seks:6 syv:7 otte:8 ni:9 ti:10 tolv:12 tyve:20 halv:0.5 halvdelen:0.5",
  about: "cirka | ca | omkring | omtrent | næsten",
  because: "fordi | da | på grund af | takket være | så | for at | derfor | årsag | grund",
  by: "ved | via | med | ved hjælp af | klik | vælg | åbn | brug | send | udfyld",
  when: "i går | i dag | i morgen | nu | før | efter | under | indtil | siden | når | dagligt | hver | altid | aldrig",
  no: "ikke | ingen | intet | aldrig | ej | uden | hverken | forbudt",
  rules: {
    forbidden: "må/kan ikke | må … ikke | forbudt | ikke tilladt",
    optional: "behøver ikke | frivilligt | valgfrit | ikke nødvendigt | skal ikke",
    required: "skal | kræves | obligatorisk | nødvendigt | påkrævet | bør",
    allowed: "må | kan | tilladt",
  },
};

/** Norwegian, Bokmål. */
export const no: Lexicon = {
  asks: {
    time: "når | siden når | hvilket år | hvilken dag | hvilken dato | hvilket tidspunkt | hvilken måned | hvilket århundre | hva er klokken | hvilken tid",
    duration:
      "hvor lenge | hvor lang tid | hvor ofte | hvor gammel | hvor gamle | hvor mange år/dager/timer/uker/måneder/minutter/sekunder",
    number: "hvor mye | hvor stor | hvor stort | hvor høy | hvor høyt | hvor langt | hvor dyp | hvor tung | hvor raskt",
    money: "hva koster/kostet | hvor mye … koster/kostet/betaler/betalte/penger/kroner/tjener | hvor dyrt",
    person: "hvem | hvem sin",
    place: "hvor | hvorfra | hvorhen",
    reason: "hvorfor | av hvilken grunn",
    manner: "hvordan | på hvilken måte | korleis",
    definition: "hva betyr | hva menes | hva står … for | hva vil … si",
    thing: "hva heter/het | hva kalles",
  },
  count: "hvor mange",
  which: "hva | hvilken | hvilket | hvilke | hva slags",
  nouns: {
    number:
      "antall | antallet | prosent | andel | mengde | størrelse | høyde | vekt | avstand | hastighet | temperatur | grense | grensen | areal | befolkning",
    money: "pris | prisen | kostnad | lønn | budsjett | husleie | beløp | gebyr | bot | utgift",
    duration: "alder | varighet | oppsigelsestid | prøvetid",
    time: "år | dag | dato | måned | århundre | tid | tidspunkt | frist | fristen | periode | åpningstider",
    person:
      "person | mann | kvinne | konge | dronning | keiser | president | sjef | spiller | forfatter | minister | grunnlegger | leder | medarbeider | kontaktperson | skuespiller",
    place:
      "by | byen | land | stat | landsby | sted | kontinent | region | provins | elv | øy | hovedstad | hovedstaden | gate | bygning | adresse",
    reason: "grunn | årsak | formål",
    manner: "måte | metode",
    definition: "betydning | definisjon",
  },
  links: "navn | navnet | type | slags | del | gruppe | tittel",
  skips: "er var den det de en et ei sin hans hennes deres vår min din dette denne disse første siste største slags",
  stops:
    "i på av med for til fra om under og eller men som har hadde kan skal skulle må han hun vi jeg ikke er var finnes der",
  choice: "^er/var/har/hadde/kan/kunne/må/skal/skulle/finnes/blir/ble/gjelder/vil/trenger/bør/får/gjør",
  isHeadLast: true,
  units: {
    second: "sekund | sekunder",
    minute: "minutt | minutter",
    hour: "time | timer",
    day: "dag | dager | døgn",
    workday: "arbeidsdag | arbeidsdager | virkedager",
    week: "uke | uker",
    month: "måned | måneder",
    year: "år",
    percent: "prosent",
    EUR: "euro",
    USD: "dollar",
    NOK: "kroner | krone",
    people: "personer | mennesker | innbyggere | ansatte | medlemmer",
    times: "ganger | gang",
    metre: "meter",
    kilometre: "kilometer",
    centimetre: "centimeter",
    gram: "gram",
    kilogram: "kilo | kilogram",
    tonne: "tonn",
    litre: "liter",
  },
  numbers:
    "million:1000000 millioner:1000000 milliard:1000000000 milliarder:1000000000 tusen:1000 hundre:100 to:2 tre:3 fire:4 fem:5 seks:6 sju:7 åtte:8 ni:9 ti:10 tolv:12 tjue:20 halv:0.5 halvparten:0.5",
  about: "omtrent | cirka | ca | omkring | rundt | nesten",
  because: "fordi | på grunn av | takket være | slik at | for å | derfor | årsak | grunn",
  by: "ved | via | med | ved hjelp av | klikk | velg | åpne | bruk | send | fyll",
  when: "i går | i dag | i morgen | nå | før | etter | under | inntil | siden | når | daglig | hver | alltid | aldri",
  no: "ikke | ingen | intet | aldri | ei | uten | verken | forbudt",
  rules: {
    forbidden: "må/kan ikke | må … ikke | forbudt | ikke tillatt/lov",
    optional: "trenger ikke | frivillig | valgfritt | ikke nødvendig",
    required: "må | skal | kreves | obligatorisk | nødvendig | påkrevd | bør",
    allowed: "kan | tillatt | lov | får",
  },
};
