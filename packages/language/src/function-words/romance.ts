import type { LanguageWords } from "./language-words.ts";

/** Function words of the Romance languages. */
export const ROMANCE: Readonly<Record<"fr" | "es" | "pt" | "it" | "ro" | "ca", LanguageWords>> = {
  fr: {
    asking:
      "qui que qu quoi quel quelle quels quelles lequel laquelle lesquels lesquelles duquel desquels auquel auxquels " +
      "quand où comment pourquoi combien est-ce",
    others:
      "a à afin ai aient ainsi ait alors après as au aucun aucune auquel aura aurait aussi autre autres aux avaient " +
      "avait avant avec avez avoir avons ayant beaucoup bien bonjour c ça car ce ceci cela celle celles celui cependant ces " +
      "cet cette ceux chaque chez ci comme contre d dans de depuis des dès desquelles dessous dessus doit doivent " +
      "donc donne donner dont du elle elles en encore entre est et étaient étais était étant été être eu eux eut fait font faire fut " +
      "furent hors ici il ils j jamais je jusqu jusque l la là laquelle le les leur leurs lors lorsqu lorsque lui m " +
      "ma mais malgré me même mêmes merci mes mien moi moins mon n ne ni non nos notre nous on ont or ou oui par parce " +
      "parmi pas pendant peu peut peuvent peux plus plusieurs plutôt pour pourrait pouvez pouvoir près puis puisque " +
      "quelqu quelque quelques quiconque quoique s sa sans sauf se selon sera serait seront ses si sien sinon soi soit " +
      "sommes son sont souvent sous suis sur t ta tandis te tel telle telles tels tes toi ton toujours tous tout " +
      "toute toutes très trop tu un une va vais veut vers via voici voilà vont vos votre vous vu y",
  },
  es: {
    asking: "quién quiénes qué cuál cuáles cuándo dónde adónde cómo cuánto cuánta cuántos cuántas porqué",
    others:
      "a además ahora al algo alguien algún alguna algunas alguno algunos ante antes aquel aquella aquellas aquello " +
      "aquellos aquí así aun aún aunque bajo bien cabe cada casi como con conmigo contigo contra cual cuales cualquier " +
      "cuando cuanto cuya cuyas cuyo cuyos da dan dar de debe deben del desde donde dos durante e el él ella ellas ellos en " +
      "entonces entre era eran eres es esa esas ese eso esos esta está estaba estaban están estar estas este esto " +
      "estos estoy fue fueron gracias ha había habían haber hace hacer hacen hacia han hasta hay he hola la las le les " +
      "lo los luego más me mediante mejor mi mí mía mientras mío mis mismo misma mismos mismas mucha muchas mucho " +
      "muchos muy nada nadie ni ningún ninguna ninguno no nos nosotros nuestra nuestras nuestro nuestros nunca o os " +
      "otra otras otro otros para pero poco por porque pude puede pueden puedo pues que quien quienes quiere quiero " +
      "se sea según ser será si sí sido siempre siendo sin sino sobre sois solo sólo somos son soy su sus suya suyo " +
      "tal también tampoco tan tanto te tener tengo tenía tiene tienen toda todas todavía todo todos tras tu tú tus " +
      "u un una unas uno unos usted ustedes va van voy vosotros y ya yo",
  },
  pt: {
    asking: "quem que quê qual quais quando onde aonde como quanto quanta quantos quantas porquê porque",
    others:
      "a à ao aos após algo alguém algum alguma algumas alguns ainda além ali ambos ante antes aquela aquelas aquele " +
      "aqueles aquilo aqui as às assim até através cada com comigo contra contudo cuja cujas cujo cujos da das de dela dele " +
      "delas deles depois desde dessa desse desta deste deve devem disso disto do dos durante e é ela elas ele eles " +
      "em embora enquanto então entre era eram essa essas esse esses esta está estamos estão estar estas estava este " +
      "estes eu faz fazem fazer foi foram há havia isso isto já lá lhe lhes mais mas me meio menos mesma mesmo meu " +
      "meus mim minha minhas muita muitas muito muitos na nada não nas nem nenhum nenhuma nessa nesse nesta neste " +
      "ninguém no nos nós nossa nossas nosso nossos num numa nunca o obrigado os ou outra outras outro outros para " +
      "pela pelas pelo pelos perante per pode podem podemos posso pois por porém pouco preciso própria próprio pra " +
      "quaisquer qualquer se seja sem sempre sendo ser será seu seus si sido só sob sobre somos sou sua suas são tal " +
      "também tanto tão te tem têm temos tenho ter teu teve tinha toda todas todo todos tu tua tudo um uma umas uns " +
      "vai vão você vocês vos",
  },
  it: {
    asking:
      "chi che cosa cos quale quali qual quando dove dov donde come com perché quanto quanta quanti quante quant cui",
    others:
      "a abbiamo ad agli ai al alcun alcuna alcune alcuni all alla alle allo allora altra altre altri altro anche " +
      "ancora anzi appena avere aveva avevano avete ben c ci ciascuno ciò coi col con contro così d da dagli dai dal " +
      "dall dalla dalle dallo davanti degli dei del dell della delle dello dentro deve devo devono di dopo dovrebbe " +
      "dunque durante e è ecco ed egli ella era erano essa esse essere essi esso fa fanno fare fin fino fra fu furono " +
      "già gli ha hai hanno ho i il in infatti inoltre insieme invece io l la le lei li lo loro lui ma mai me mediante " +
      "meno mentre mi mia mie miei mio molta molte molti molto ne né negli nei nel nell nella nelle nello nessun " +
      "nessuna nessuno niente noi non nostra nostre nostri nostro nulla o od ogni ognuno oltre oppure ora per però " +
      "più poco poi poiché possa possiamo posso possono presso prima proprio pure può qua qualche qualcosa qualcuno quasi " +
      "quel quell quella quelle quelli quello quest questa queste questi questo qui quindi s sarà sarebbe se sé secondo " +
      "sei sembra sempre senza si sia siamo siano sono sopra sotto sta stata state stati stato stesso su sua sue sugli " +
      "sui sul sull sulla sulle sullo suo suoi tale tali tanto te ti tra tramite tu tua tue tuo tutta tutte tutti tutto un una uno " +
      "v va vengono verso vi viene voi vostra vostro grazie ciao",
  },
  ro: {
    asking: "cine cui ce care cărui cărei căror când unde încotro cum de-ce cât câtă câți câte",
    others:
      "a abia acea aceasta această aceea aceeași acei aceia acel acela același acele acest acesta aceste acești " +
      "aceștia acum ai aia aici al ale alt alta altă alte altele alți altul am ar are as asta astfel asupra atât atunci " +
      "au avea avem aveți azi ca că către cea ceea cei cel cele ceva chiar ci cineva cu da dacă dar datorită de deci " +
      "decât deja deoarece departe deși despre din dintr dintre doar după e ea ei el ele era erau este eu fără face fac fi fie " +
      "fiecare fiind foarte fost fără i iar ii îi îl îmi împotriva în înainte încă între într îți la le li lor lui " +
      "m mă mai mult multă multe mulți mea mei mele meu mi mie n ne nici nicio nimeni nimic niște noastră noastre " +
      "noi noștri nostru nu o ori oricare orice pe pentru peste poate pot prea prin printr printre sa să săi sale " +
      "sau său se și sine singur sub sunt suntem sunteți ta tale tău te ți toată toate tot toți totuși tu un una unei " +
      "unele unele uneori unii unor unora unu unui unul va vă vei voastră voi vom vor vostru vreo vreun",
  },
  ca: {
    asking: "qui què qual quals quan on com quant quanta quants quantes perquè",
    others:
      "a abans això aixo al algú alguna algunes alguns alhora allò als altra altre altres amb aquell aquella aquelles " +
      "aquells aquest aquesta aquestes aquests així bé cada cap com contra d da de del dels des després doncs durant " +
      "el ell ella elles ells els em en encara enfront ens entre era eren és esta està estan estar et fa fer fins fins fou foren " +
      "ha han havia he hi ho i ja jo l la les li llavors lo los m més mateix mentre meu meva mi molt molta molts n " +
      "na ni nosaltres nostra nostre no o on pel pels per però poc pot poden quals que qualsevol s sa se segons sense " +
      "ser seu seus seva seves si sobre són sota tal també tan tant te té teva teu tot tota totes tots tu un una unes " +
      "uns us va van vosaltres vostra vostre",
  },
};
