import type { Lexicon } from "./types.ts";

/** French. */
export const fr: Lexicon = {
  asks: {
    time:
      "quand | depuis quand | jusqu a quand | a quelle heure | quelle heure | vers quelle heure | en quelle annee | quel jour | quelle date | a quelle date | a partir de quand | " +
      "a quelle epoque | quel mois | quel siecle | quelle decennie | a quel moment",
    duration:
      "combien de temps | depuis combien de temps | pendant combien de temps | quel age | combien d annees/heures | combien de jours/mois/semaines/minutes/secondes | a quelle frequence | combien de fois par",
    number:
      "combien | a quel point | de quelle taille | a quelle distance | a quelle vitesse | quelle est la taille/hauteur/superficie | dans quelle mesure",
    money:
      "combien … coute/coutent/coutait/coute/couter/paye/payer/paie/depense/gagne/argent/euros/dollars/vaut/rembourse | quel est le prix | combien d argent/euros | combien de dollars",
    person: "qui | a qui | de qui | avec qui | par qui | pour qui | chez qui | qui est ce qui | qui est ce que",
    place: "ou | d ou | par ou | a quel endroit | dans quel lieu | ou est ce que",
    reason: "pourquoi | pour quelle raison | pour quelles raisons | a cause de quoi | dans quel but",
    manner: "comment | de quelle maniere | de quelle facon | par quel moyen | par quels moyens",
    definition:
      "qu est ce qu | qu est ce que c est que | c est quoi | que signifie | que signifient | que veut dire | que veulent dire | qu entend on par | que designe | qu est ce qu un/une | definition de | signification de | que signifiait",
    thing:
      "comment s appelle | comment s appelait | comment appelle | comment se nomme | comment … appele/appelee/appeles/appelees/nomme/nommee | comment s appellent | " +
      "qu est ce qui | qu est ce que | que | qu | quoi | a quoi | de quoi | en quoi | sur quoi | avec quoi",
    choice: "est ce que | est ce qu | si",
  },
  count: "combien de | combien d",
  which: "quel | quelle | quels | quelles | lequel | laquelle | lesquels | lesquelles | quel est | quelle est",
  nouns: {
    number:
      "nombre | pourcentage | proportion | part | quantite | taille | hauteur | poids | largeur | profondeur | distance | vitesse | temperature | limite | plafond | " +
      "maximum | minimum | quota | taux | superficie | capacite | population | score | altitude | valeur | seuil | ratio",
    money:
      "prix | cout | couts | frais | salaire | budget | loyer | tarif | montant | somme | prime | amende | chiffre d affaires | revenu | indemnite | remboursement",
    duration: "age | duree | delai de conservation | preavis | periode d essai | duree de vie",
    time: "annee | annees | jour | jours | date | dates | mois | siecle | decennie | heure | heures | echeance | date limite | delai | moment | epoque | periode | horaires | saison | anniversaire | semaine",
    person:
      "personne | personnes | homme | hommes | femme | roi | reine | empereur | president | presidente | responsable | directeur | directrice | manager | joueur | joueuse | acteur | actrice | " +
      "auteur | auteure | ecrivain | poete | scientifique | ministre | fondateur | inventeur | artiste | compositeur | chanteur | general | interlocuteur | employe | eveque | pape | " +
      "philosophe | historien | physicien | mathematicien | ingenieur | architecte | prince | dirigeant | gouverneur | maire | astronaute | explorateur | pere | mere | fils | fille | " +
      "frere | soeur | successeur | predecesseur | chef | entraineur | collegue",
    place:
      "ville | villes | pays | etat | etats | village | endroit | lieu | lieux | continent | region | province | fleuve | riviere | lac | ile | montagne | capitale | rue | stade | site | " +
      "quartier | departement | salle | batiment | aeroport | gare | adresse | mer | ocean | desert | emplacement | nation | commune",
    reason: "raison | raisons | cause | causes | motif | but | objectif",
    manner: "maniere | facon | methode | moyen | procedure | demarche | etapes",
    definition: "signification | definition | sens",
  },
  links: "nom | noms | type | types | sorte | sortes | genre | partie | groupe | titre | terme | surnom",
  skips:
    "est sont etait etaient fut furent le la les l un une des de du d son sa ses leur notre nos votre vos mon ma ce cet cette ces autre autres principal principale premier premiere " +
    "dernier derniere deux trois quatre nouvelle nouveau grand grande c a ete",
  stops:
    "en dans sur pour par avec sans sous chez a au aux et ou mais qui que dont quand a ont avait avaient peut peuvent doit doivent il elle ils elles on nous vous je se s ne n est sont etait etaient fut pendant avant apres entre depuis",
  choice:
    "^est/sont/peut/puis/peux/pouvons/peuvent/doit/dois/doivent/faut/a/ai/y/existe/avez/avons/ont/etait/etes/sommes | est il | est elle | est on | sont ils | sont elles | a t il | a t elle | a t on | y a t il | peut on | peut il | puis je | doit on | dois je | faut il | " +
    "ont ils | ont elles | ai je | avez vous | pouvez vous | t il | t elle | t on",
  units: {
    second: "seconde | secondes",
    minute: "minute | minutes | min",
    hour: "heure | heures | h",
    day: "jour | jours | nuits | nuit",
    workday: "jour ouvre | jours ouvres | jours ouvrables | jour ouvrable",
    week: "semaine | semaines",
    month: "mois",
    quarter: "trimestres | trimestre",
    year: "an | ans | annee | annees",
    decade: "decennie | decennies",
    century: "siecle | siecles",
    percent: "pour cent | pourcent | points de pourcentage",
    EUR: "euro | euros",
    USD: "dollar | dollars | dollars americains",
    GBP: "livre sterling | livres sterling",
    JPY: "yen | yens",
    cent: "centime | centimes",
    people:
      "personne | personnes | habitants | gens | hommes | femmes | employes | salaries | membres | etudiants | visiteurs | participants | collaborateurs | eleves",
    times: "fois",
    byte: "octet | octets",
    kilobyte: "kilooctet | kilooctets | ko",
    megabyte: "megaoctet | megaoctets | mo",
    gigabyte: "gigaoctet | gigaoctets | go",
    terabyte: "teraoctet | teraoctets | to",
    metre: "metre | metres",
    centimetre: "centimetre | centimetres",
    millimetre: "millimetre | millimetres",
    kilometre: "kilometre | kilometres",
    mile: "mille marin | milles | miles",
    foot: "pied | pieds",
    inch: "pouce | pouces",
    gram: "gramme | grammes",
    kilogram: "kilogramme | kilogrammes | kilo | kilos",
    tonne: "tonne | tonnes",
    litre: "litre | litres",
    degree: "degre | degres",
  },
  numbers:
    "zero:0 un:1? une:1? deux:2 trois:3 quatre:4 cinq:5 six:6 sept:7 huit:8 neuf:9 dix:10 onze:11 douze:12 treize:13 quatorze:14 quinze:15 seize:16 vingt:20 vingts:20 " +
    "trente:30 quarante:40 cinquante:50 soixante:60 septante:70 huitante:80 octante:80 nonante:90 cent:100 cents:100 centaine:100 centaines:100 mille:1000 milliers:1000 millier:1000 " +
    "million:1000000 millions:1000000 milliard:1000000000 milliards:1000000000 dizaine:10 dizaines:10 douzaine:12 vingtaine:20 quinzaine:15 trentaine:30 cinquantaine:50 demi:0.5 demie:0.5 moitie:0.5 quart:0.25 tiers:0.3333",
  ordinals:
    "premier:1 premiere:1 premiers:1 premieres:1 deuxieme:2 second:2 seconde:2 troisieme:3 quatrieme:4 cinquieme:5 sixieme:6 septieme:7 huitieme:8 neuvieme:9 dixieme:10 onzieme:11 douzieme:12 quinzieme:15 vingtieme:20",
  about:
    "environ | pres de | presque | autour de | a peu pres | approximativement | quelque | plus de | jusqu a | une | aux alentours de",
  because:
    "parce que | parce qu | car | puisque | en raison | a cause | grace a | afin de | afin que | c est pourquoi | donc | raison | raisons | du fait | provoque | cause | entraine | permet | evite | empeche | pour eviter | pour que",
  mayBecause: "pour | comme | suite a | par",
  by: "en | par | avec | via | au moyen | grace a | a l aide | cliquez | selectionnez | ouvrez | choisissez | envoyez | utilisez | remplissez | allez | cliquer | rendez",
  when:
    "hier | aujourd hui | demain | maintenant | actuellement | avant | apres | pendant | jusqu | depuis | lorsque | quand | des | toujours | jamais | quotidien | " +
    "hebdomadaire | mensuel | annuel | chaque | tot | tard | matin | soir | nuit | midi | minuit | immediatement | bientot | debut | fin | tous les",
  no: "ne … pas/plus/jamais/rien/aucun/aucune/personne | n … pas/plus/jamais/rien/aucun/aucune | ni | aucun | aucune | sans | non | interdit | interdite | interdits | interdites | pas | jamais | defendu | prohibe",
  rules: {
    forbidden:
      "ne doit/doivent/devez/peut/peuvent/pouvez pas | ne peut/peuvent etre | n est/sont pas autorise/autorisee/autorises/autorisees/permis/permise/admis | interdit | interdite | interdits | interdites | defendu | il ne faut pas | jamais",
    optional:
      "facultatif | facultative | facultatifs | pas obligatoire/necessaire/requis | n est pas obligatoire/necessaire | optionnel | volontaire | n avez pas besoin | pas besoin",
    required:
      "doit | doivent | devez | dois | devons | obligatoire | obligatoires | il faut | necessaire | requis | requise | exige | obliges | tenu de | tenus de | doivent",
    allowed:
      "peut | peuvent | pouvez | peux | autorise | autorisee | autorises | permis | permise | possible | admis | droit",
  },
};
