import type { LanguageWords } from "./language-words.ts";

/** Function words of the Slavic languages. */
export const SLAVIC: Readonly<Record<"ru" | "uk" | "bg" | "pl" | "cs" | "sk" | "hr", LanguageWords>> = {
  ru: {
    asking:
      "кто кого кому кем ком что чего чему чем чём какой какая какое какие какого какому каким каком какую каких какими " +
      "каков какова каково каковы который которая которое которые которого которой которому которым котором которую которых которыми чей чья чьё чьи чьего чьей чьих " +
      "когда где куда откуда как почему зачем отчего сколько скольких скольким насколько",
    others:
      "а без более бы был была были было быть в вам вами вас ваш ваша ваше ваши ведь весь во вокруг вот впрочем все " +
      "всё всего всегда всей всем всех всеми всю вся вы да даже для до его ее её ей ему если есть еще ещё ею же за здесь и из " +
      "или им ими иногда итак их к каждая каждое каждые каждый кажется ко кроме либо лишь ли между меня мне мной может " +
      "могут могу можно мой моя моё мои моего моей мы на над надо наш наша наше наши нашей наших не него неё ней нельзя " +
      "нем нём нет нею ни нибудь никогда ним ними них но ну нужно о об оба однако он она они оно от ото очень по под " +
      "после потом потому почти при про раз разве с сам сама сами само самый своего своей своему своим своими своих свой " +
      "свою своя свои своё себе себя со собой собою так также такая такие такое такой таким такого там твой твоя те тебе " +
      "тебя тем теми тех то тобой тогда того тоже той только том тому тот ту тут ты у уж уже хотя чтоб чтобы эта эти этим " +
      "этих это этого этой этом этому этот эту я является являются являлся являлась являлось какие-либо находится происходит",
  },
  uk: {
    asking:
      "хто кого кому ким що чого чому чим який яка яке які якого якої якому яким яку яких якими чий чия чиє чиї коли де " +
      "куди звідки як навіщо скільки скількох",
    others:
      "а або адже але б без би був була були було бути в вам вами вас ваш ваша ваше ваші весь ви від він вона вони вже все всі всіх " +
      "всього для до дуже є ж же з за зі і із інший інша інше інші її їй їм ними них її їх його йому й крім кожен кожна " +
      "кожне ли лише майже між мене мені ми мій моя моє мої може можна можуть на над нам нами нас наш наша наше наші не " +
      "ні ніж ніколи ним неї нею но нього о об один однак отже перед під після по поки потім при про проти саме свій " +
      "своє свої свого своєї своїх себе собі собою та так також такий така таке такі там твій твоя те тебе теж ти тим " +
      "тих то тобі тоді того той тільки том тому тут у усе усі хоча це цей ця ці цього цьому цією цих через чи щоб я якщо",
  },
  bg: {
    asking: "кой коя кое кои кого кому какво какъв каква какви кога къде откъде накъде как защо колко чий чия чие чии",
    others:
      "а аз ако ала без беше би бил била били било бъде бяха в вас ваш ваша вече ви вие все всеки всички всичко всяка във " +
      "върху да дали до докато дори е един една едно ето за затова зад заради и из или им има имат й как както като към " +
      "ли м между мен ми много мога може могат мой му на над най нас наш не него нещо нея ни ние никой ние но някои някой " +
      "няма обаче около освен от пак по под поради после почти преди през при пък с са сам само се сега си след сме според " +
      "срещу ст съм със също т та така такава такива такъв там те тези ти това тогава този той тук тя тях у че чрез ще щом я",
  },
  pl: {
    asking:
      "kto kogo komu kim co czego czemu czym jaki jaka jakie jacy jakiego jakiej jakim jakich jakimi jaką który która " +
      "które którzy którego której któremu którym którą których którymi czyj czyja czyje kiedy gdzie dokąd skąd jak " +
      "dlaczego ile ilu iloma czy",
    others:
      "a aby albo ale ależ ani aż bardzo bez bo bowiem by być był była było były byli będzie będą chociaż ci cię co coś " +
      "czyli da daje dla do dość gdy gdyby gdyż go i ich ile im innych inna inne inny iż ja jak jako je jeden jedna jednak " +
      "jedno jego jej jemu jest jestem jeszcze jeśli jeżeli już każda każde każdy kilka ktoś ku lub ma mają mam mi mieć " +
      "między mimo mnie mną mogą może można mój moja moje mu my musi na nad nam nami nas nasz nasza nasze nawet nic nich " +
      "nie niego niej nim nimi niż no o od on ona one oni ono oraz pan pani po pod podczas ponad ponieważ poza przed przede " +
      "przez przy są sam się sobą sobie swoja swoje swój swoich swojego ta tak taka taki takie także tam te tego tej temu " +
      "ten też to tobą tobie tu twój twoja twoje ty tych tylko tym tymi u w wam wami was wasz we według wiele więc wszystkich " +
      "wszystkie wszystko wy z za zaś został została zostało zostały ze że żeby żadna żaden żadne",
  },
  cs: {
    asking:
      "kdo koho komu kým kom co čeho čemu čím čem jaký jaká jaké jací jakého jakou jakých jakým který která které kteří " +
      "kterého kterou kterému kterým kterých čí kdy kde kam odkud jak proč nač kolik kolika",
    others:
      "a aby aj ale ani anebo asi až bez bude budou by byl byla byli bylo byly být během ců což da dále další dle do " +
      "ho i já je jeho jej její jejich jemu jen jenž jestli jestliže ještě ji jí jich jimi jiné již jsem jsi jsme jsou " +
      "jste k kde každý každá každé ke když která ku li má mají máme mám mé mezi mě mi mít mně mnou mohou moje moji může " +
      "můj my na nad nám námi nás náš naše naši ne nebo nebyl něco něj nějaký někdo není než nic nich ním no o od on ona " +
      "oni ono ony pak po pod podle pokud pouze pro protože proti před přede přes přesto při s se sebe si sice svá své " +
      "svého svých svým svůj ta tak také takže tam tato té tedy těch těm ten tento této ti tím tito to tobě toho tohoto " +
      "tom tomto tomu toto tu tuto tvůj ty tyto u už v vám vámi vás váš vaše ve však všechno všech všichni vy z za zda " +
      "zde ze že",
  },
  sk: {
    asking:
      "kto koho komu kým čo čoho čomu čím aký aká aké akého akú akých akým ktorý ktorá ktoré ktorí ktorého ktorú ktorých " +
      "ktorým čí kedy kde kam odkiaľ ako prečo koľko",
    others:
      "a aby aj ale alebo ani asi až bez bol bola boli bolo bude budú by byť cez či do ešte ho i ich iba ja je jeho jej " +
      "jeden jedna ju k každý keď ku len ma má majú mal mám medzi mi mne môj môže môžu my na nad nám nás náš naše nich " +
      "nie nič než o od okrem on ona oni ono po pod podľa pokiaľ potom pre pred preto pretože pri s sa seba si sme so som " +
      "sú svoj svoje svojej ste ta tá tak také takže tam te teda ten tento tej tieto títo to toho tohto tom tomto tu túto " +
      "ty tým týchto u už v vám vás váš vaše však všetko vy z za zo že",
  },
  hr: {
    asking:
      "tko ko koga kome kim što šta čega čemu čime koji koja koje kojeg kojem kojoj kojih kojim kakav kakva kakvo kada kad gdje gde kamo odakle kako zašto koliko čiji čija čije",
    others:
      "a ako ali bez bi bih bila bili bilo bio biti bude će ćemo da dakle do dok duž ga i iako ih ili ima imaju iz iza " +
      "između ja je jedan jedna jedno jer jesam jesu još ju k kao kod kroz li mi mimo mnogo moj moja moje može mogu mu na " +
      "nad nakon nam nama nas naš naša ne nego neka neki neko nešto ni nije nisu niti no njega njegov njegova njezin " +
      "njih njihov njoj nju o od oko on ona oni ono osim ova ovaj ove ovi ovo po pod pored posle prema pre preko pri " +
      "prije protiv s sa sam samo se sebe si smo ste su sve svi svih svoj svoja svoje ta tada taj tako također te ti tim to " +
      "toga tome u uz vam vama vas vaš već vi više za zbog",
  },
};
