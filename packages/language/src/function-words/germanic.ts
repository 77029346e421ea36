import type { LanguageWords } from "./language-words.ts";

/** Function words of English, German, Dutch and the Scandinavian languages. */
export const GERMANIC: Readonly<Record<"en" | "de" | "nl" | "sv" | "da" | "no", LanguageWords>> = {
  en: {
    asking: "who whom whose what which when where why how whether whats whos hows wheres",
    others:
      "a about after again all also am an and any anyone anything are aren as at be because been before being between " +
      "both but by can cannot cant could couldn d did didn do does doesn doing don done dont down during each either " +
      "else every few for from further get gets getting give given gives go goes going got had hadn happen happened " +
      "happens has hasn have haven having he hello her here hers herself hi him himself his however i if im in into " +
      "is isn it its itself just know let like ll m many me mean means might mine more most much must my myself need " +
      "neither no nor not now of off often on once one only onto or other others our ours out over own per please re s " +
      "same say says shall she should shouldn show so some someone something such t tell than thanks that the their " +
      "theirs them themselves then there these they this those though through thus to too toward towards under " +
      "until up upon us ve very via was wasn we were weren while will with within without would " +
      "wouldn yes yet you your yours yourself find explain describe",
  },
  de: {
    asking:
      "wer wen wem wessen was welche welcher welches welchen welchem wann wo woher wohin wie wieso weshalb warum " +
      "wozu womit wodurch wofür worüber woran worauf woraus worin wovon wobei wogegen wonach wieviel wieviele",
    others:
      "ab aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes auch auf aus außer " +
      "außerdem bei beide beiden beim bekomme bekommen bekommt bereits bevor bin bis bist bitte brauche brauchen " +
      "braucht da dabei dadurch dafür dagegen daher damit danach daneben dann daran darauf daraus darf darin darum " +
      "darüber darunter das dass davon davor dazu dein deine deinem deinen deiner deines dem den denen denn dennoch " +
      "der deren derer des deshalb dessen dich die dies diese dieselbe dieselben diesem diesen dieser dieses dir " +
      "doch dort du durch durfte dürfen eben ein eine einem einen einer eines einige einigen einiger er es etwa etwas " +
      "euch euer eure eurem euren eurer falls für gab geben gegen gehört genau gibt gilt habe haben habt hallo hast hat hatte " +
      "hatten hätte hätten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in indem ins " +
      "insgesamt ist ja je jede jedem jeden jeder jedes jedoch jemand jene jenem jenen jener jenes kann kein keine " +
      "keinem keinen keiner können könnte könnten lassen lässt macht machen man manche manchen mehr mein meine meinem " +
      "meinen meiner mich mir mit mithilfe muss musste müssen nach nachdem nein nicht nichts noch nun nur ob obwohl " +
      "oder ohne sehr sei seien sein seid seine seinem seinen seiner seines seit selbst sich sie sind so sobald sofern " +
      "sogar solche solchen solcher soll sollen sollte sollten somit sondern sonst sowie sowohl statt über um und " +
      "uns unser unsere unserem unseren unserer unter viel viele vielen vieler vom von vor war waren warst wegen " +
      "weil weiter wenn werde werden wieder will wir wird wirst wobei wollen wollte worden wurde wurden während wäre " +
      "wären würde würden zu zum zur zwar zwischen",
  },
  nl: {
    asking:
      "wie wiens wat welke welk wanneer waar waarom waardoor waarmee waarvoor waarover waarin waarop waaraan " +
      "waarvan waarnaar waaruit hoe hoeveel hoelang hoezo",
    others:
      "aan al alle alleen alles als alsof altijd andere ben bent beide bij binnen boven daar daarbij daardoor daarin " +
      "daarmee daarna daarom daarop daarvan dan dat de der deze die dit doe doen doet door dus echter een eens en " +
      "enige enkele er erg ertoe eruit ervan ervoor ga gaan gaat geen geven geeft graag haar had hadden heb hebben hebt heeft hem " +
      "hen het hier hij hoewel hun iemand iets ik in is ja je jij jou jouw jullie kan krijg krijgen krijgt kon " +
      "konden kunnen kunt maar maken maakt me meer men met mij mijn moest moet moeten mogen mocht na naar naast nee " +
      "niemand niet niets nog nooit nu of om omdat omhoog onder ons onze ook op over per rond s sinds sommige soms t " +
      "te tegen tenzij terwijl toch toe toen tot totdat tussen tijdens u uit uw van vanaf vanuit vaak veel via " +
      "volgens voor voordat waren was we wel werd werden wij wil willen worden wordt zal ze zeer zelf zich zij zijn " +
      "zo zoals zodat zonder zou zouden zullen",
  },
  sv: {
    asking: "vem vems vad vilken vilket vilka när var varifrån vart varför hur huruvida varav",
    others:
      "all alla allt alltid alltså andra annan annat att av bara bland blev bli blir bliva blivit båda både de dem den " +
      "denna deras dess dessa det detta dig din dina ditt dock du där därför då efter eftersom ej eller en ens er " +
      "era ert ett ej från får få fick för genom ger ge gör göra ha hade han hans har henne hennes hon honom här i " +
      "ibland icke igen in inga ingen inget innan inom inte ju jag kan kanske kommer kunde kunna man med mellan men " +
      "mer mera mig min mina mitt mot mycket många måste ner ni nog nu nej någon något några och också om oss på " +
      "redan sade samma samt sedan sig sin sina sitt ska skall skulle snart som så sådan sådana sådant till tills " +
      "trots under upp ur ut utan utanför vara varit varje vars vi vid vidare vill vilja väl var åt är än ännu över ja",
  },
  da: {
    asking: "hvem hvis hvad hvilken hvilket hvilke hvornår hvor hvorfra hvorhen hvorfor hvordan hvorledes hvormange",
    others:
      "ad af al alene alle allerede alt altid altså anden andet andre at bare begge blandt blev blive bliver blevet " +
      "da de dem den denne der deres derfor derfra det dette dig din dine disse dit dog du efter ej eller en end " +
      "endnu er et fik flere for fordi fra før få får gennem give giver gør gøre ham han hans har have havde hende " +
      "hendes her hun hvilkets i igen ikke ind inden ingen inkl intet ja jeg jer jeres jo kan kun kunne lige man " +
      "mange med meget mellem men mens mere mig min mine mit mod må måske nej ned noget nogen nogle nok nu når og " +
      "også om omkring op os over på samme samt selv sig sin sine sit skal skulle som således så sådan til " +
      "trods uden ud under var ved vi vil ville vor vores være været",
  },
  no: {
    asking: "hvem hva hvilken hvilket hvilke når hvor hvorfra hvorhen hvorfor hvordan hvorvidt kven kva korleis kvifor",
    others:
      "alle allerede alltid alt altså andre annen annet at av bare begge ble blei blir bli blitt blant både da de " +
      "deg dem den denne der deres derfor det dette di din dine disse ditt du dykk då eg ein ei eit eller en enda " +
      "enn er et etter fikk flere for fordi fra før få får gi gir gjennom gjør gjøre ha hadde ham han hans har henne " +
      "hennes her hun i ikke ikkje ingen ingenting inn innen ja jeg kan kanskje kun kunne man mange med meg meget " +
      "mellom men mens mer mest min mine mitt mot må måtte ned nei noe noen nok nå og også om opp oss over på samme " +
      "samt seg selv sin sine sitt skal skulle slik som så til tross under ut uten utenfor var ved vi vil ville vår " +
      "våre være vært",
  },
};
