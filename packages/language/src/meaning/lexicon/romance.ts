import type { Lexicon } from "./types.ts";

/** Italian. */
export const it: Lexicon = {
  asks: {
    time: "quando | da quando | fino a quando | a che ora | che ora | in che/quale anno | che anno | in che giorno | che giorno | quale giorno | in che/quale data | in che/quale mese/secolo | entro quando | in quale giorno | in quale periodo",
    duration:
      "quanto tempo | da quanto tempo | per quanto tempo | quanto dura | quanto durano | quanto spesso | ogni quanto | quanti anni/giorni/mesi/minuti/secondi | quante ore/settimane | quante volte al/alla | che eta",
    number: "quanto | quanta | quanto è grande/alto/lungo/lontano | che percentuale",
    money:
      "quanto costa/costano/costava/è costato/vale | quanto … costa/pagato/paga/denaro/soldi/speso/guadagna/euro | quanti euro/soldi/dollari",
    person: "chi | a chi | di chi | con chi | da chi | per chi",
    place: "dove | da dove | dov | in che/quale luogo/posto",
    reason: "perché | per quale motivo/ragione | come mai | a che scopo",
    manner: "come | in che modo | in quale modo | in che maniera",
    definition:
      "che cosa significa | cosa significa | che significa | cosa vuol dire | che cosa si intende | cosa si intende per | che cos è | cos è | che cosa è un/una | cosa è",
    thing: "come si chiama/chiamava/chiamano | che cosa | cosa | come viene chiamato/chiamata",
  },
  count: "quanti | quante",
  which: "che | quale | quali | qual",
  nouns: {
    number:
      "numero | percentuale | proporzione | quantità | dimensione | altezza | peso | distanza | velocità | temperatura | limite | massimo | minimo | superficie | popolazione | capacità",
    money: "prezzo | costo | costi | stipendio | budget | affitto | importo | tariffa | multa | rimborso | somma",
    duration: "età | durata | preavviso | periodo di prova",
    time: "anno | anni | giorno | data | mese | secolo | ora | orario | scadenza | termine | periodo | momento | orari",
    person:
      "persona | persone | uomo | donna | re | regina | imperatore | presidente | capo | responsabile | direttore | giocatore | autore | scrittore | ministro | fondatore | inventore | artista | attore | leader | dipendente | poeta",
    place:
      "città | paese | paesi | stato | stati | villaggio | luogo | posto | continente | regione | provincia | fiume | lago | isola | capitale | via | sede | edificio | indirizzo | nazione | quartiere",
    reason: "motivo | motivi | ragione | causa | scopo",
    manner: "modo | maniera | metodo",
    definition: "significato | definizione",
  },
  links: "nome | nomi | tipo | tipi | genere | parte | gruppo | titolo",
  skips:
    "è sono era erano fu furono il lo la i gli le l un uno una del della dei delle di d suo sua nostro mio questo questa questi altro prima primo primi ultimo principale",
  stops:
    "in a da su per con tra fra e o ma che chi quando dove si ha hanno aveva può possono deve devono è sono era ad al alla nel nella",
  choice:
    "^è/sono/era/erano/posso/può/possono/possiamo/devo/deve/devono/ho/ha/hanno/c/esiste/esistono/si/bisogna/serve/vale/occorre",
  units: {
    second: "secondo | secondi",
    minute: "minuto | minuti",
    hour: "ora | ore",
    day: "giorno | giorni",
    workday: "giorni lavorativi | giorno lavorativo",
    week: "settimana | settimane",
    month: "mese | mesi",
    year: "anno | anni",
    percent: "per cento | percento",
    EUR: "euro",
    USD: "dollaro | dollari",
    people: "persone | persona | abitanti | dipendenti | membri",
    times: "volta | volte",
    metre: "metro | metri",
    kilometre: "chilometro | chilometri",
    centimetre: "centimetro | centimetri",
    gram: "grammo | grammi",
    kilogram: "chilo | chili | chilogrammi",
    tonne: "tonnellata | tonnellate",
    litre: "litro | litri",
  },
  numbers:
    "milione:1000000 milioni:1000000 miliardo:1000000000 miliardi:1000000000 mille:1000 mila:1000 cento:100 due:2 tre:3 quattro:4 cinque:5 sette:7 otto:8 nove:9 dieci:10 dodici:12 venti:20 trenta:30 metà:0.5",
  about: "circa | quasi | all incirca | intorno a",
  because:
    "perché | poiché | a causa | grazie a | siccome | affinché | quindi | perciò | dato che | motivo | causa | al fine di | per evitare",
  mayBecause: "per | come",
  by: "tramite | attraverso | mediante | con | cliccare | clicca | seleziona | apri | usando | invia | compila",
  when: "ieri | oggi | domani | ora | prima | dopo | durante | fino | da | quando | sempre | mai | giornaliero | ogni",
  no: "non | nessuno | nessuna | niente | nulla | mai | senza | né | vietato | vietata | proibito",
  rules: {
    forbidden:
      "non può/possono/deve/devono/è consentito/permesso | non è/sono consentito/consentita/permesso/permessa/ammesso/consentiti | vietato | vietata | proibito",
    optional: "non è necessario/obbligatorio | facoltativo | opzionale | volontario",
    required: "deve | devono | obbligatorio | obbligatoria | bisogna | necessario | richiesto | occorre",
    allowed: "può | possono | consentito | permesso | ammesso | possibile",
  },
};

/** Portuguese. */
export const pt: Lexicon = {
  asks: {
    time: "quando | desde quando | até quando | a que horas | que horas | em que ano | que ano | em que dia | que dia | em qual ano/data | em que data | em que mês/século | em que década | qual ano | qual a data",
    duration:
      "quanto tempo | há quanto tempo | quanto dura | com que frequência | quantos anos/dias/meses/minutos/segundos | quantas horas/semanas | quantas vezes por | qual a idade | que idade",
    number: "quanto | quanta | qual a altura | qual a percentagem",
    money:
      "quanto custa/custam/custou/custava/vale | quanto … custa/custou/pago/paga/pagou/dinheiro/gastou/ganha | quantos euros/reais/dólares",
    person: "quem | de quem | a quem | com quem | por quem | para quem",
    place: "onde | aonde | de onde | em que lugar/local",
    reason: "por que | porque | por quê | porquê | por que motivo/razão | para que",
    manner: "como | de que forma | de que maneira | de que modo",
    definition:
      "o que significa | que significa | o que quer dizer | o que é um/uma/o/a | o que se entende | o que são | o que é",
    thing: "como se chama/chamava/chamam | qual o nome | qual é o nome | qual era o nome | o que",
  },
  count: "quantos | quantas",
  which: "que | qual | quais",
  nouns: {
    number:
      "número | percentagem | porcentagem | proporção | quantidade | tamanho | altura | peso | distância | velocidade | temperatura | limite | máximo | mínimo | área | população | capacidade",
    money:
      "preço | custo | custos | salário | orçamento | aluguel | renda | valor | montante | tarifa | multa | taxa | reembolso",
    duration: "idade | duração | aviso prévio | período de experiência",
    time: "ano | anos | dia | data | mês | século | década | hora | horário | prazo | período | momento",
    person:
      "pessoa | pessoas | homem | mulher | rei | rainha | imperador | presidente | chefe | responsável | diretor | jogador | autor | escritor | ministro | fundador | inventor | artista | ator | líder | funcionário | poeta",
    place:
      "cidade | cidades | país | países | estado | estados | aldeia | lugar | local | continente | região | província | rio | lago | ilha | capital | rua | sede | edifício | endereço | bairro",
    reason: "razão | motivo | causa | objetivo",
    manner: "maneira | modo | forma | método",
    definition: "significado | definição",
  },
  links: "nome | nomes | tipo | tipos | espécie | parte | grupo | título",
  skips:
    "é são era eram foi foram o a os as um uma do da dos das de seu sua nosso meu minha este esta esse outro primeiro primeira último principal",
  stops:
    "em no na por para com sem sobre entre e ou mas que quem quando onde se tem têm tinha pode podem deve devem é são era foi ao à",
  choice:
    "^é/são/era/eram/foi/posso/pode/podem/podemos/devo/deve/devem/tenho/tem/têm/há/existe/existem/está/estão/preciso/precisa/vale/será",
  units: {
    second: "segundo | segundos",
    minute: "minuto | minutos",
    hour: "hora | horas",
    day: "dia | dias",
    workday: "dias úteis | dia útil",
    week: "semana | semanas",
    month: "mês | meses",
    year: "ano | anos",
    percent: "por cento | porcento",
    EUR: "euro | euros",
    USD: "dólar | dólares",
    BRL: "real | reais",
    people: "pessoas | pessoa | habitantes | funcionários | membros",
    times: "vez | vezes",
    metre: "metro | metros",
    kilometre: "quilômetro | quilômetros | quilómetros",
    centimetre: "centímetro | centímetros",
    gram: "grama | gramas",
    kilogram: "quilo | quilos | quilogramas",
    tonne: "tonelada | toneladas",
    litre: "litro | litros",
  },
  numbers:
    "milhão:1000000 milhões:1000000 bilhão:1000000000 bilhões:1000000000 mil:1000 cem:100 cento:100 dois:2 duas:2 três:3 quatro:4 cinco:5 seis:6 sete:7 oito:8 nove:9 dez:10 doze:12 vinte:20 trinta:30 metade:0.5 meia:0.5",
  about: "cerca de | aproximadamente | quase | por volta de",
  because:
    "porque | pois | devido | por causa | graças a | já que | para que | portanto | a fim de | motivo | razão | causou | para evitar",
  mayBecause: "para | por | como",
  by: "através | mediante | por meio | com | clique | selecione | abra | usando | envie | preencha",
  when: "ontem | hoje | amanhã | agora | antes | depois | durante | até | desde | quando | sempre | nunca | diariamente | cada | todos os",
  no: "não | nunca | ninguém | nada | nenhum | nenhuma | sem | nem | proibido | proibida | jamais",
  rules: {
    forbidden:
      "não pode/podem/deve/devem/é permitido | não é/são permitido/permitida/permitidos | proibido | proibida | não se pode",
    optional: "não é necessário/obrigatório | opcional | facultativo | voluntário | não precisa",
    required: "deve | devem | obrigatório | obrigatória | é preciso | necessário | tem que | precisa",
    allowed: "pode | podem | permitido | permitida | possível | autorizado",
  },
};

/** Romanian. */
export const ro: Lexicon = {
  asks: {
    time: "când | de când | până când | la ce oră | ce oră | în ce an | ce an | în ce zi | ce zi | la ce dată | ce dată | în ce lună/secol | în care an",
    duration:
      "cât timp | cât durează | cât de des | cât de mult timp | câți ani | câte zile/ore/luni/săptămâni/minute/secunde | ce vârstă",
    number: "cât | câtă | cât de mare/înalt/departe/mult",
    money: "cât costă/costa/au costat | cât … costă/plătit/plătește/bani/costat/câștigă | câți euro/bani/lei",
    person: "cine | pe cine | cui | cu cine | de cine | al cui",
    place: "unde | de unde | încotro | în ce loc",
    reason: "de ce | din ce motiv | din ce cauză | pentru ce",
    manner: "cum | în ce fel | în ce mod",
    definition: "ce înseamnă | ce semnifică | ce se înțelege",
    thing: "cum se numește/numea/numesc | cum îl cheamă",
    choice: "oare",
  },
  count: "câți | câte",
  which: "ce | care | carei | cărui | căror",
  nouns: {
    number:
      "număr | numărul | procent | procentul | proporție | cantitate | mărime | înălțime | greutate | distanță | viteză | temperatură | limita | limită | populația | suprafața",
    money: "preț | prețul | cost | costul | salariu | salariul | buget | chirie | sumă | suma | tarif | amendă",
    duration: "vârsta | vârstă | durata | perioada de probă | preaviz",
    time: "an | anul | zi | ziua | dată | data | lună | luna | secol | secolul | oră | ora | termen | termenul | perioadă | program",
    person:
      "persoană | persoana | om | bărbat | femeie | rege | regele | regină | împărat | președinte | președintele | șef | director | jucător | autor | autorul | scriitor | ministru | fondator | inventator | lider | manager",
    place:
      "oraș | orașul | țară | țara | stat | sat | loc | continent | regiune | provincie | râu | lac | insulă | capitala | stradă | clădire | adresa",
    reason: "motiv | motivul | cauză | cauza | scop | scopul",
    manner: "mod | fel | metodă",
    definition: "semnificația | definiția",
  },
  links: "nume | numele | tip | tipul | fel | parte | grup | titlu",
  skips: "este e sunt era erau a fost al ai ale un o cel cea cei cele primul prima ultimul principal",
  stops: "în la de din pe cu pentru prin și sau dar care când unde se are au avea poate pot trebuie este sunt era",
  choice: "^este/e/sunt/era/pot/poate/putem/trebuie/am/are/au/există/se",
  units: {
    second: "secundă | secunde",
    minute: "minut | minute",
    hour: "oră | ore",
    day: "zi | zile",
    workday: "zile lucrătoare",
    week: "săptămână | săptămâni",
    month: "lună | luni",
    year: "an | ani",
    percent: "la sută | procente",
    EUR: "euro",
    USD: "dolar | dolari",
    RON: "leu | lei",
    people: "persoane | oameni | locuitori | angajați | membri",
    times: "ori | dată",
    metre: "metru | metri",
    kilometre: "kilometru | kilometri",
    centimetre: "centimetri",
    gram: "grame",
    kilogram: "kilograme",
    tonne: "tone",
    litre: "litri | litru",
  },
  numbers:
    "milion:1000000 milioane:1000000 miliard:1000000000 miliarde:1000000000 mie:1000 mii:1000 sută:100 sute:100 doi:2 două:2 trei:3 patru:4 cinci:5 șase:6 șapte:7 opt:8 nouă:9 zece:10 jumătate:0.5",
  about: "aproximativ | circa | aproape | în jur de | cam",
  because: "pentru că | deoarece | fiindcă | din cauza | datorită | ca să | astfel încât | de aceea | motiv | cauza",
  by: "prin | cu | folosind | prin intermediul | faceți clic | selectați | deschideți",
  when: "ieri | azi | astăzi | mâine | acum | înainte | după | în timpul | până | de când | când | zilnic | mereu | niciodată | fiecare",
  no: "nu | niciun | nicio | nimeni | nimic | niciodată | fără | nici | interzis | interzisă",
  rules: {
    forbidden:
      "nu poate/pot/trebuie să/este permis | nu este/sunt permis/permisă/permise | interzis | interzisă | interzise | nu se permite",
    optional: "nu este necesar/obligatoriu | opțional | facultativ | voluntar",
    required: "trebuie | obligatoriu | obligatorie | necesar | necesară",
    allowed: "poate | pot | permis | permisă | posibil",
  },
};
