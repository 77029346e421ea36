import type { Lexicon } from "./types.ts";

/** Finnish. */
export const fi: Lexicon = {
  asks: {
    time: "milloin | koska | mihin aikaan | minä vuonna | mistä lähtien | mihin mennessä | minä päivänä | mihin asti | millä vuosisadalla | missä kuussa",
    duration:
      "kuinka kauan | miten kauan | kuinka usein | miten usein | kuinka vanha | minkä ikäinen | kuinka monta vuotta/päivää/tuntia/viikkoa/kuukautta/minuuttia",
    number: "kuinka paljon | miten paljon | kuinka suuri | kuinka korkea | kuinka kaukana | kuinka iso | kuinka pitkä",
    money: "paljonko | mitä maksaa | kuinka paljon … maksaa/maksoi/rahaa/euroa | paljonko … maksaa | mitä … maksaa",
    person: "kuka | ketkä | kenen | ketä | kenelle | kenet | keneltä",
    place: "missä | mistä | mihin | minne | missä paikassa",
    reason: "miksi | minkä takia | minkä vuoksi | mistä syystä",
    manner: "miten | kuinka | millä tavalla",
    definition: "mitä tarkoittaa | mitä … tarkoittaa | mitä tarkoitetaan",
    thing: "mikä on … nimi",
  },
  count: "kuinka monta | montako | miten monta | kuinka moni",
  which: "mikä | mitä | mitkä | minkä | millainen",
  nouns: {
    number:
      "määrä | lukumäärä | prosenttiosuus | osuus | koko | korkeus | paino | etäisyys | nopeus | lämpötila | raja | yläraja | pinta ala | väkiluku",
    money: "hinta | kustannus | kustannukset | palkka | budjetti | vuokra | summa | maksu | sakko | korvaus",
    duration: "ikä | kesto | irtisanomisaika | koeaika",
    time: "vuosi | vuonna | päivä | päivänä | päivämäärä | kuukausi | vuosisata | vuosisadalla | kellonaika | määräaika | eräpäivä | aika",
    person:
      "henkilö | mies | nainen | kuningas | kuningatar | keisari | presidentti | johtaja | esimies | pelaaja | kirjailija | ministeri | perustaja | työntekijä | näyttelijä",
    place:
      "kaupun* | maa | maassa | valtio | kylä | paikka | paikassa | maanosa | alue | maakunta | joki | järvi | saari | pääkaupunki | katu | rakennus | osoite",
    reason: "syy | tarkoitus",
    manner: "tapa | tavalla | menetelmä",
    definition: "merkitys | määritelmä",
  },
  links: "nimi | tyyppi | laji | osa | ryhmä",
  skips: "on ovat oli olivat se ne tämä hänen heidän ensimmäinen viimeinen suurin",
  stops: "ja tai mutta joka jonka kun jos hän he me minä ei on ovat oli voi pitää täytyy",
  choice: "^on/onko/ovatko/oliko/voi/voiko/voinko/saako/saanko/pitääkö/täytyykö/voidaanko | *ko | *kö",
  isHeadLast: true,
  units: {
    second: "sekunti* | sekunnin",
    minute: "minuut*",
    hour: "tunti | tuntia | tunnin | tunnit",
    day: "päivä | päivää | päivän | vuorokau*",
    workday: "työpäivä | työpäivää | arkipäivää",
    week: "viikko | viikkoa | viikon",
    month: "kuukausi | kuukautta | kuukauden",
    year: "vuosi | vuotta | vuoden",
    percent: "prosent*",
    EUR: "euro | euroa",
    USD: "dollari | dollaria",
    people: "henkilö | henkilöä | ihmistä | asukasta | työntekijää",
    times: "kertaa | kerran",
    metre: "metri | metriä",
    kilometre: "kilometri | kilometriä",
    centimetre: "senttimetriä",
    gram: "grammaa",
    kilogram: "kilo | kiloa | kilogrammaa",
    tonne: "tonnia",
    litre: "litra | litraa",
  },
  numbers:
    "miljoona*:1000000 miljardi*:1000000000 tuhat:1000 tuhatta:1000 sata:100 sataa:100 kaksi:2 kolme:3 neljä:4 viisi:5 kuusi:6 kahdeksan:8 kymmenen:10 puoli:0.5 puolet:0.5",
  about: "noin | suunnilleen | lähes | melkein",
  because: "koska | sillä | vuoksi | takia | ansiosta | jotta | siksi | syy | syyt",
  by: "avulla | kautta | käyttämällä | valitse | avaa | napsauta | lähetä",
  when: "eilen | tänään | huomenna | nyt | ennen | jälkeen | aikana | asti | lähtien | kun | päivittäin | aina | koskaan | joka",
  no: "ei | eivät | en | et | emme | ette | älä | älkää | ilman | kielletty | kiellettyä",
  rules: {
    forbidden: "ei saa | eivät saa | ei voi | kielletty | kiellettyä | ei ole sallittu/sallittua",
    optional: "ei tarvitse | vapaaehtoinen | vapaaehtoista | valinnainen | ei ole pakollinen/pakollista/pakko",
    required: "täytyy | pitää | on pakko | pakollinen | pakollista | vaaditaan | tulee",
    allowed: "saa | saavat | voi | voivat | sallittu | sallittua",
  },
};

/** Hungarian. */
export const hu: Lexicon = {
  asks: {
    time: "mikor | mióta | meddig | hány órakor | hánykor | melyik évben | mely évben | melyik napon | melyik hónapban | mikortól | mikorig | melyik században",
    duration:
      "mennyi ideig | mennyi idő | milyen hosszan | milyen gyakran | hány éves | hány évig | hány napig | hány nap/év/óra/perc/hét/hónap | hány éve",
    number: "mennyi | milyen nagy | milyen magas | milyen messze | hány százalék | mekkora | hányan | hány fő",
    money: "mennyibe | mennyi pénz* | mennyibe kerül | hány forint/euró | mennyit fizet* | mennyi … ára",
    person: "ki | kik | kit | kinek | kivel | kitől | kié | kiknek",
    place: "hol | hová | hova | honnan | merre",
    reason: "miért | mi okból | milyen okból | milyen célból",
    manner: "hogyan | hogy | miként | milyen módon",
    definition: "mit jelent | mit jelentenek | mit értünk",
    thing: "hogy hívják | hogy hívták | mit | minek | mivel | miről | hogyan hívják",
  },
  count: "hány | mennyi",
  which: "mi | mik | melyik | mely | milyen | mi a | mi az",
  nouns: {
    number:
      "szám | száma | aránya | mennyiség | mérete | magassága | súlya | távolság | sebesség | hőmérséklet | határ | limit | maximum | területe | népessége",
    money: "ára | ár | költség | költsége | fizetés | költségvetés | bérleti díj | összeg | díj | díja | bírság",
    duration: "életkor | időtartam | felmondási idő | próbaidő",
    time: "év | évben | nap | dátum | hónap | század | században | időpont | határidő | határideje | időszak",
    person:
      "személy | ember | férfi | nő | király | királynő | császár | elnök | főnök | vezető | igazgató | játékos | szerző | író | miniszter | alapító | feltaláló | munkatárs",
    place:
      "város | városban | ország | országban | állam | falu | hely | helyen | kontinens | régió | tartomány | folyó | tó | sziget | főváros | fővárosa | utca | épület | cím | címe",
    reason: "ok | oka | cél | célja",
    manner: "mód | módszer",
    definition: "jelentése | meghatározása",
  },
  links: "név | neve | típus | fajta | része | csoport",
  skips: "a az egy volt voltak ez ezek első utolsó legnagyobb fő",
  stops: "és vagy de hogy aki amely ami ha ő ők mi nem van volt kell lehet lesz meg",
  choice: "^van/vannak/lehet/kell/szabad/volt/tud/e/létezik/jár | e",
  isHeadLast: true,
  units: {
    second: "másodperc*",
    minute: "perc*",
    hour: "óra | órát | órás | órán",
    day: "nap | napot | napos | napon",
    workday: "munkanap*",
    week: "hét | hetet | hetes",
    month: "hónap*",
    year: "év | évet | éves | évig",
    percent: "százalék*",
    EUR: "euró*",
    USD: "dollár*",
    HUF: "forint*",
    people: "ember | fő | személy | lakos | alkalmazott",
    times: "alkalom* | alkalommal",
    metre: "méter*",
    kilometre: "kilométer*",
    centimetre: "centiméter*",
    gram: "gramm*",
    kilogram: "kiló | kilogramm*",
    tonne: "tonna",
    litre: "liter*",
  },
  numbers:
    "millió*:1000000 milliárd*:1000000000 ezer:1000 száz:100 kettő:2 két:2 három:3 négy:4 öt:5 hat:6 tíz:10 fél:0.5 fele:0.5",
  about: "körülbelül | kb | mintegy | majdnem | nagyjából",
  because: "mert | mivel | miatt | hogy | ezért | okán | köszönhetően | érdekében | ok | oka",
  by: "segítségével | által | keresztül | kattintson | válassza | nyissa",
  when: "tegnap | ma | holnap | most | előtt | után | közben | során | amikor | naponta | mindig | soha | minden",
  no: "nem | ne | nincs | nincsenek | soha | senki | semmi | nélkül | sem | tilos",
  rules: {
    forbidden: "tilos | nem szabad | nem lehet | nem megengedett | nem engedélyezett | ne",
    optional: "nem kell | nem kötelező | nem szükséges | önkéntes | választható",
    required: "kell | kötelező | szükséges | köteles",
    allowed: "szabad | lehet | megengedett | engedélyezett",
  },
};

/** Turkish. Question words stand before the verb, with endings; their nouns before ne and nedir, after hangi. */
export const tr: Lexicon = {
  asks: {
    time: "ne zaman* | saat kaç* | kaçta | hangi yıl* | hangi gün* | hangi tarih* | hangi ay* | hangi yüzyıl* | hangi saat* | hangi dönem* | kaç yılında | hangi zaman* | kaçıncı yüzyıl* | kaç tarihinde",
    duration:
      "ne kadar süre* | ne kadar zaman* | ne kadar sür* | kaç yıl | kaç gün | kaç saat | kaç hafta | kaç ay | kaç dakika | kaç saniye | kaç yaş* | kaç yıldır | ne sıklıkta | ne sıklıkla | kaç yıl* | kaç gün* | kaç saat* | kaç hafta* | kaç dakika* | kaç sene* | ne kadar süreyle | kaç kere",
    number:
      "ne kadar | yüzde kaç* | kaçıncı | kaçı | kaçını | kaçta kaçı | ne kadarı | ne oranda | ne kadardır | ne büyüklükte | ne kadarını",
    money:
      "kaç para | ne kadar para* | kaç lira* | kaç dolar* | kaç euro* | kaça | ne kadar öde* | fiyatı ne* | maliyeti ne* | ücreti ne* | ne kadara | ne kadar … harca*/maliyet/tutar",
    person:
      "kim | kimdir | kimler | kimlerdir | kimi | kime | kimin | kimden | kimle | kiminle | kimdi | kimlerin | kimleri | kimse kim",
    place:
      "nerede | nereye | nereden | neresi | neresidir | nerededir | neresinde | nerenin | nereyi | nerelerde | neredeydi | nerelere | neresiydi",
    reason:
      "neden | niçin | niye | ne için | hangi nedenle | hangi sebeple | hangi amaçla | nedeni ne* | sebebi ne* | amacı ne*",
    manner: "nasıl | ne şekilde | hangi yolla | hangi şekilde | nasıldır",
    definition: "ne demek* | ne anlama gel* | anlamı ne* | ne anlama",
    thing:
      "adı ne* | ismi ne* | neyi | neye | neyle | neyin | neleri | nelere | neydi | neler | ne ile | neyden | ne adı verilir | nelerdi",
  },
  count: "kaç | kaç tane | kaç adet",
  which:
    "hangi | hangisi | hangileri | hangisidir | ne tür | ne tip | hangisini | hangisinin | nasıl bir | ne çeşit | hangisinde | hangileridir",
  what: "ne | nedir | nelerdir | neydi",
  nouns: {
    number:
      "sayı* | oran* | yüzde* | miktar* | boyut* | yükseklik | yüksekliği | ağırlığı | uzaklığı | mesafe* | hız* | sıcaklık* | sınır* | limit* | azami | nüfus* | kapasite* | alanı",
    money: "fiyat* | maliyet* | ücret* | maaş* | bütçe* | kira* | tutar* | ceza* | bedel* | gelir*",
    duration: "yaş | yaşı | süre* | ihbar süresi | deneme süresi",
    time: "yıl* | tarih* | gün | günü | ay | ayı | yüzyıl* | saat* | son tarih* | dönem* | zaman* | son gün*",
    person:
      "kişi* | kimse* | adam* | kadın* | kral* | kraliçe* | imparator* | başkan* | müdür* | yönetici* | oyuncu* | yazar* | bakan* | kurucu* | mucit* | lider* | çalışan* | şair* | bilim insan* | sanatçı* | hükümdar* | padişah* | general*",
    place:
      "şehir* | şehr* | ülke* | eyalet* | köy* | yer | yeri | yerde | kıta* | bölge* | il | ilde | nehir* | nehri* | göl* | ada | adası | başkent* | sokak* | bina* | adres* | kent* | mekan*",
    reason: "neden* | sebe* | amac* | amaç*",
    manner: "yol* | yöntem* | şekil*",
    definition: "anlam* | tanım*",
  },
  links: "ad | adı | isim | ismi | tür | türü | tip | kısmı | grubu",
  skips: "bir bu şu o ilk son en büyük",
  stops: "ve veya ile için gibi kadar da de mi mı mu mü idi olan olarak",
  choice:
    "mi | mı | mu | mü | midir | mıdır | mudur | müdür | misiniz | mısınız | musunuz | miyim | mıyım | muyum | miyiz | mıyız | yoksa | miydi | mıydı | muydu | müydü",
  isHeadLast: false,
  asksLast: true,
  units: {
    second: "saniye*",
    minute: "dakika*",
    hour: "saat | saatlik | saati",
    day: "gün | günlük | günü | gündür",
    workday: "iş günü",
    week: "hafta | haftalık",
    month: "ay | aylık",
    year: "yıl | yıllık | yaş* | sene",
    percent: "yüzde",
    EUR: "euro | avro",
    USD: "dolar*",
    TRY: "lira* | tl",
    people: "kişi* | insan | çalışan | öğrenci",
    times: "kez | kere | defa",
    metre: "metre*",
    kilometre: "kilometre*",
    centimetre: "santimetre",
    gram: "gram",
    kilogram: "kilo | kilogram",
    tonne: "ton",
    litre: "litre",
  },
  numbers:
    "milyon:1000000 milyar:1000000000 trilyon:1000000000000 bin:1000 yüz:100 bir:1? iki:2 üç:3 dört:4 beş:5 altı:6 yedi:7 sekiz:8 dokuz:9 on:10 yirmi:20 otuz:30 kırk:40 elli:50 altmış:60 yetmiş:70 seksen:80 doksan:90 yarım:0.5 yarısı:0.5 buçuk:0.5",
  ordinals: "birinci:1 ikinci:2 üçüncü:3 dördüncü:4 beşinci:5",
  about: "yaklaşık | civarında | kadar | neredeyse | tahminen",
  because:
    "çünkü | için | nedeniyle | dolayı | yüzünden | sayesinde | bu nedenle | bu yüzden | amacıyla | sebebiyle | neden* | sebep* | zira | üzere",
  by: "ile | aracılığıyla | kullanarak | yoluyla | tarafından | üzerinden | tıklayın | seçin | açın",
  when: "dün | bugün | yarın | şimdi | önce | sonra | sırasında | kadar | beri | iken | her | asla | daima | dönemi* | yılında",
  no: "değil* | yok | yoktur | hayır | asla | yasak* | hiç | hiçbir | *maz | *mez | *mamak* | *memek* | *madı | *medi | *mamış | *memiş | *mıyor | *miyor | *muyor | *müyor | *amaz* | *emez* | *mamalı* | *memeli* | *mayın | *meyin | *mamalıdır | *memelidir | *maması | *memesi | olmadan | olmayan",
  rules: {
    forbidden:
      "yasak* | *amaz | *emez | *amazsınız | *emezsiniz | izin verilmez | *mamalı* | *memeli* | *mayın | *meyin | edilemez | yapılamaz | yapamaz* | mümkün değil*",
    optional: "zorunlu değil* | gerekmez | gerekli değil* | isteğe bağlı | gönüllü | şart değil*",
    required:
      "zorunlu* | gerek* | gerekir | şart | *malı | *meli | *malıdır | *melidir | *malısınız | *melisiniz | mecbur*",
    allowed: "*abilir* | *ebilir* | izin verilir | serbest* | mümkün*",
  },
};
