import type { Lexicon } from "./types.ts";

/** Polish. */
export const pl: Lexicon = {
  asks: {
    time: "kiedy | od kiedy | do kiedy | o której godzinie | o której | w którym roku | w jakim roku | który rok | którego dnia | jakiego dnia | w którym miesiącu/wieku | w którym dniu | w jakim dniu | jaka data",
    duration:
      "jak długo | ile czasu | ile lat/dni/godzin/minut/tygodni/miesięcy/sekund | jak często | w jakim wieku | ile trwa | ile trwał*",
    number: "jak duży/duża/duże | jak wysoki/wysoka | jak daleko | jak szybko",
    money:
      "ile kosztuje/kosztują/kosztował* | ile … kosztuje/kosztował*/zapłacił*/pieniędzy/złotych/euro/zarabia | za ile",
    person: "kto | kogo | komu | kim | z kim | czyj | czyja | czyje",
    place: "gdzie | dokąd | skąd | w jakim miejscu | w którym miejscu",
    reason: "dlaczego | czemu | po co | z jakiego powodu | w jakim celu",
    manner: "jak | w jaki sposób",
    definition: "co to jest | co to są | co oznacza | co znaczy | czym jest | czym są",
    thing: "jak nazywa/nazywał* | jak się nazywa/nazywał*/nazywają | co | czego | czym",
    choice: "czy",
  },
  count: "ile | ilu",
  which:
    "jaki | jaka | jakie | jakiego | jakiej | jakim | jaką | który | która | które | którego | której | którym | którą | których",
  nouns: {
    number:
      "liczba | liczbę | ilość | procent | odsetek | rozmiar | wysokość | waga | odległość | prędkość | temperatura | limit | maksimum | powierzchnia | populacja | pojemność",
    money: "cena | cenę | koszt | koszty | pensja | budżet | czynsz | kwota | opłata | wynagrodzenie | kara",
    duration: "wiek | długość | okres wypowiedzenia | okres próbny | czas trwania",
    time: "rok | roku | dzień | dnia | data | datę | miesiąc | miesiącu | wiek | wieku | godzina | termin | okres | okresie | czas",
    person:
      "osoba | osoby | człowiek | mężczyzna | kobieta | król | królowa | cesarz | prezydent | szef | kierownik | dyrektor | zawodnik | gracz | autor | pisarz | minister | założyciel | wynalazca | przywódca | pracownik | menedżer | menedżera",
    place:
      "miasto | mieście | miasta | kraj | kraju | państwo | stan | wieś | miejsce | miejscu | kontynent | region | regionie | prowincja | rzeka | jezioro | wyspa | stolica | ulica | budynek | adres",
    reason: "powód | przyczyna | cel",
    manner: "sposób | metoda",
    definition: "znaczenie | definicja",
  },
  links: "nazwa | nazwę | imię | typ | rodzaj | rodzaju | część | grupa | tytuł",
  skips:
    "jest są był była było były to ten ta te jego jej ich nasz moja mój pierwszy pierwsza ostatni największy główny",
  stops:
    "w na po dla z od do o przy i lub ale który która gdzie kiedy jeśli on ona oni my nie za pod nad się jest są był ma mają może mogą",
  choice: "^czy",
  units: {
    second: "sekund*",
    minute: "minut*",
    hour: "godzin*",
    day: "dzień | dni | dnia",
    workday: "dni robocze | dni roboczych | dzień roboczy",
    week: "tydzień | tygodni*",
    month: "miesiąc | miesiące | miesięcy",
    year: "rok | lata | lat | roku",
    percent: "procent*",
    EUR: "euro",
    USD: "dolar*",
    PLN: "złoty | złotych | złote",
    people: "osób | osoby | ludzi | mieszkańców | pracowników | członków",
    times: "razy | raz",
    metre: "metr | metry | metrów",
    kilometre: "kilometr*",
    centimetre: "centymetr*",
    gram: "gram | gramów",
    kilogram: "kilogram*",
    tonne: "ton | tony",
    litre: "litr*",
  },
  numbers:
    "milion*:1000000 mln:1000000 miliard*:1000000000 mld:1000000000 tysiąc*:1000 tysięcy:1000 tys:1000 sto:100 dwa:2 dwie:2 trzy:3 cztery:4 pięć:5 sześć:6 siedem:7 osiem:8 dziewięć:9 dziesięć:10 połowa:0.5",
  about: "około | ok | mniej więcej | prawie | blisko",
  because: "ponieważ | bo | gdyż | dlatego | z powodu | dzięki | aby | żeby | przyczyn* | powod* | w celu",
  by: "przez | za pomocą | poprzez | używając | kliknij | wybierz | otwórz | wyślij",
  when: "wczoraj | dziś | dzisiaj | jutro | teraz | przed | po | podczas | do | od | gdy | kiedy | codziennie | zawsze | nigdy | każdego",
  no: "nie | nigdy | nikt | nic | żaden | żadna | żadne | bez | ani | zabroni* | zakaz*",
  rules: {
    forbidden: "nie wolno | nie może/mogą/można/powinien/powinny | zabroni* | zakaz* | niedozwolon*",
    optional: "nie musi/muszą | nie jest konieczn*/wymagan*/obowiązkow* | opcjonaln* | dobrowoln*",
    required: "musi | muszą | należy | trzeba | wymagan* | obowiązkow* | konieczn* | powinien | powinna",
    allowed: "może | mogą | można | wolno | dozwolon*",
  },
};

/** Czech. */
export const cs: Lexicon = {
  asks: {
    time: "kdy | odkdy | dokdy | v kolik hodin | v kolik | v kterém roce | ve kterém roce | v jakém roce | který den | kterého dne | kolik je hodin | v kterém/jakém století | do kdy | od kdy | jaké datum | ve kterém měsíci/století",
    duration:
      "jak dlouho | kolik času | kolik let/dní/hodin/minut/týdnů/měsíců/sekund/dnů | jak často | v jakém věku | jak starý/stará/staré",
    number: "jak velký/velká/velké | jak vysoký/vysoká | jak daleko | jak rychle",
    money: "kolik stojí/stálo/stál/stála | kolik … stojí/stálo/zaplatil*/peněz/korun/eur/vydělává | za kolik",
    person: "kdo | koho | komu | kým | s kým | čí",
    place: "kde | kam | odkud | na jakém místě",
    reason: "proč | z jakého důvodu | za jakým účelem | kvůli čemu",
    manner: "jak | jakým způsobem",
    definition: "co je to | co znamená | co znamenají | co to je",
    thing: "jak se jmenuje/jmenoval*/nazývá/nazýval*/jmenují | co | čeho | čím | čemu",
  },
  count: "kolik | kolika",
  which:
    "jaký | jaká | jaké | jakého | jakém | jakou | jakým | který | která | které | kterého | kterém | kterou | kterým | kteří",
  nouns: {
    number:
      "počet | procento | podíl | množství | velikost | výška | hmotnost | vzdálenost | rychlost | teplota | limit | maximum | rozloha | populace | kapacita",
    money: "cena | cenu | náklady | plat | rozpočet | nájem | částka | poplatek | mzda | pokuta",
    duration: "věk | délka | výpovědní lhůta | zkušební doba | doba",
    time: "rok | roce | roku | den | datum | měsíc | století | hodina | termín | lhůta | období | čas",
    person:
      "osoba | člověk | muž | žena | král | královna | císař | prezident | šéf | vedoucí | ředitel | hráč | autor | spisovatel | ministr | zakladatel | vynálezce | vůdce | zaměstnanec | manažer",
    place:
      "město | městě | města | země | zemi | stát | státě | vesnice | místo | místě | kontinent | region | provincie | řeka | jezero | ostrov | hlavní město | ulice | budova | adresa",
    reason: "důvod | příčina | účel",
    manner: "způsob | metoda",
    definition: "význam | definice",
  },
  links: "název | jméno | typ | druh | část | skupina | titul",
  skips: "je jsou byl byla bylo byli to ten ta jeho její jejich náš můj první poslední největší hlavní",
  stops:
    "v ve na po pro z od do o při a nebo ale který která kde když on ona my ne za pod nad se je jsou má mají může mohou s",
  choice:
    "^je/jsou/byl/byla/bylo/může/můžu/mohu/mohou/musí/musím/má/mám/mají/lze/existuje/smí/smím/dá/platí/potřebuji/potřebuje | zda | jestli",
  units: {
    second: "sekund*",
    minute: "minut*",
    hour: "hodin*",
    day: "den | dny | dní | dnů",
    workday: "pracovních dnů | pracovní dny | pracovních dní",
    week: "týden | týdny | týdnů",
    month: "měsíc | měsíce | měsíců",
    year: "rok | roky | let | roků",
    percent: "procent*",
    EUR: "euro | eur | eura",
    USD: "dolar*",
    CZK: "koruna | koruny | korun",
    people: "lidí | lidé | osob | obyvatel | zaměstnanců | členů",
    times: "krát",
    metre: "metr | metry | metrů",
    kilometre: "kilometr*",
    centimetre: "centimetr*",
    gram: "gramů | gram",
    kilogram: "kilogram*",
    tonne: "tun | tuny",
    litre: "litr*",
  },
  numbers:
    "milion*:1000000 milión*:1000000 miliard*:1000000000 tisíc*:1000 sto:100 dva:2 dvě:2 tři:3 čtyři:4 pět:5 šest:6 sedm:7 osm:8 devět:9 deset:10 polovina:0.5 půl:0.5",
  about: "asi | přibližně | zhruba | kolem | téměř | okolo",
  because: "protože | neboť | kvůli | díky | aby | proto | důvod* | příčin* | z důvodu",
  by: "pomocí | prostřednictvím | přes | klikněte | vyberte | otevřete | odešlete",
  when: "včera | dnes | zítra | nyní | před | po | během | do | od | když | denně | vždy | nikdy | každý",
  no: "ne | není | nejsou | nikdy | nikdo | nic | žádný | žádná | žádné | bez | ani | zakázán* | nesmí | nemůže | nelze | nebyl*",
  rules: {
    forbidden: "nesmí | nesmějí | nemůže | nemohou | nelze | zakázán* | není/nejsou dovolen*/povolen* | je zakázáno",
    optional: "nemusí | není nutné | není povinn* | volitelné | dobrovoln*",
    required: "musí | povinn* | nutné | je třeba | vyžad*",
    allowed: "může | mohou | smí | lze | povolen* | dovolen*",
  },
};

/** Ukrainian. */
export const uk: Lexicon = {
  asks: {
    time: "коли | відколи | з якого часу | до якого часу | о котрій | о котрій годині | в якому році | у якому році | якого року | який рік | якого дня | якого числа | у якому столітті | в якому столітті | у якому місяці",
    duration:
      "як довго | скільки часу | скільки років/днів/годин/хвилин/тижнів/місяців/секунд | як часто | у якому віці | скільки триває",
    number: "наскільки великий/велика | як далеко | як швидко | який відсоток",
    money:
      "скільки коштує/коштують/коштував/коштувала/коштувало | скільки … коштує/коштував*/заплатив*/грошей/гривень/доларів/заробля*",
    person: "хто | кого | кому | ким | з ким | чий | чия | чиє | чиї",
    place: "де | куди | звідки | в якому місці",
    reason: "чому | навіщо | з якої причини | з якою метою",
    manner: "як | яким чином | у який спосіб",
    definition: "що таке | що означає | що значить | хто такий | хто така",
    thing: "як називається/називалася/називають/називався/звати | що | чого | чим | чому саме",
    choice: "чи",
  },
  count: "скільки | скількох",
  which: "який | яка | яке | які | якого | якої | якому | яким | якою | яку | яких | котрий | котра",
  nouns: {
    number:
      "число | кількість | відсоток | частка | розмір | висота | вага | відстань | швидкість | температура | ліміт | межа | максимум | площа | населення",
    money: "ціна | вартість | плата | зарплата | бюджет | оренда | сума | штраф | витрати",
    duration: "вік | тривалість | термін зберігання | випробувальний термін",
    time: "рік | року | році | день | дата | місяць | століття | столітті | година | термін | строк | період | час",
    person:
      "людина | особа | чоловік | жінка | король | королева | імператор | президент | директор | керівник | менеджер | гравець | автор | письменник | міністр | засновник | винахідник | лідер | працівник",
    place:
      "місто | місті | країна | країні | держава | штат | село | місце | континент | регіон | провінція | річка | озеро | острів | столиця | вулиця | будівля | адреса",
    reason: "причина | мета | привід",
    manner: "спосіб | метод",
    definition: "значення | визначення",
  },
  links: "назва | ім я | тип | вид | частина | група | титул",
  skips: "є був була було були це його її їх наш мій перший перша останній найбільший головний",
  stops:
    "в у на по для з від до о при і та або але що який яка де коли якщо він вона вони ми не за під над між через після має мають може можуть є",
  choice: "^чи/можна/треба/можу/може/є",
  units: {
    second: "секунд*",
    minute: "хвилин*",
    hour: "годин*",
    day: "день | дні | днів | дня | доби | діб",
    workday: "робочих днів | робочі дні",
    week: "тижд* | тижн*",
    month: "місяц*",
    year: "рік | роки | років | року",
    percent: "відсот* | процент*",
    EUR: "євро",
    USD: "долар*",
    UAH: "грив*",
    people: "людей | осіб | мешканців | працівників | жителів",
    times: "раз | рази | разів",
    metre: "метр | метри | метрів",
    kilometre: "кілометр* | км",
    centimetre: "сантиметр* | см",
    gram: "грам | грамів",
    kilogram: "кілограм* | кг",
    tonne: "тонн*",
    litre: "літр*",
  },
  numbers:
    "мільйон*:1000000 млн:1000000 мільярд*:1000000000 млрд:1000000000 тисяч*:1000 тис:1000 сто:100 два:2 дві:2 три:3 чотири:4 п'ять:5 шість:6 сім:7 вісім:8 десять:10 половина:0.5",
  about: "близько | приблизно | майже | орієнтовно",
  because: "тому що | оскільки | бо | через | завдяки | щоб | тому | причин* | внаслідок",
  by: "шляхом | за допомогою | через | натисніть | виберіть | відкрийте | надішліть",
  when: "вчора | сьогодні | завтра | зараз | до | після | під час | коли | щодня | завжди | ніколи | кожн*",
  no: "не | ні | немає | ніколи | ніхто | нічого | без | жоден | заборон*",
  rules: {
    forbidden: "не можна | не дозволя* | заборон* | не може/можуть/повинен/повинні",
    optional: "не обов'язково | необов'язков* | не потрібно | добровільн*",
    required: "повинен | повинна | повинні | необхідно | потрібно | треба | обов'язков* | має бути",
    allowed: "можна | може | можуть | дозволено | дозволя*",
  },
};
