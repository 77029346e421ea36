import { type SummaryPhrases, whole } from "./phrases.ts";

const KIND =
  "(?:(?:très|court|courte|bref|brève|rapide|petit|petite|bon|bonne|simple|concis|concise|complet|complète) )*";
const AFTER =
  "(?: (?:très|court|courte|bref|brève|rapide|succinct|succincte|concis|concise|général|générale|complet|complète))*";
const SUMMARY =
  "(?:résumé|resumé|resume|synthèse|aperçu|vue d'ensemble|récapitulatif|récap|condensé|abrégé|idée générale)";
const POINTS =
  "(?:(?:points?|idées?|éléments?|informations?|messages?|conclusions?|faits?)[ -](?:principa(?:l|le|ux|les)|clés?|clefs?|essentiel(?:le)?s?|important(?:e)?s?|majeur(?:e)?s?|à retenir)|principa(?:ux|les) (?:points|idées|éléments|informations|conclusions)|essentiel|grandes lignes|points forts)";
const WANTED = `(?:un |une |le |la |les |l'|des |d'|du )?${KIND}(?:${SUMMARY}|${POINTS})${AFTER}(?<about> (?:de |du |des |d'|sur |dans |concernant |pour |à propos ).+)?`;
const DOCUMENT =
  "(?:page|document|fichier|texte|article|politique|guide|manuel|rapport|contrat|compte rendu|compte-rendu|charte|règlement|procédure|note|accord|notice|livret|présentation)";
const NAMED = String.raw`(?<about>(?:la |le |l'|notre )${DOCUMENT}(?: [\p{L}\p{N}'-]+){0,5})`;

/** French. */
export const FR_SUMMARIES: SummaryPhrases = {
  courtesies: [
    /^(?:bonjour|salut|ok|alors|bon|donc|et|merci|svp|s'il (?:te|vous) pla[iî]t)[,!: ]+/iu,
    /^(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|tu peux|vous pouvez|est-ce que (?:tu peux|vous pouvez)|veux-tu|voulez-vous|merci de|aide-moi à|aidez-moi à)(?: bien)? (?:me |nous )?/iu,
    /[, ]+(?:svp|stp|s'il (?:te|vous) pla[iî]t|merci|pour moi|pour nous|brièvement|rapidement|en bref|en résumé|succinctement|en gros|en français)(?= |$)/giu,
    /[, ]+(?:en|avec|sous forme de|dans) (?:(?:environ|au plus|moins de|une|un|quelques|\d{1,3}|deux|trois|quatre|cinq|six|dix) )*(?:mots?|phrases?|points?|lignes?|paragraphes?|liste|puces|tirets)(?: maximum)?(?= |$)/giu,
  ],
  asks: [
    whole(
      "(?:résum(?:e|es|er|ez|ons)|resum(?:e|er|ez)|synthétis(?:e|ez|er)|récapitul(?:e|ez|er))(?:[- ](?:moi|nous))?(?:[: ]+(?<about>.+))?",
    ),
    whole(
      `(?:donne|fais|faites|faire|écri[st]|écrivez|écrire|rédige|prépare|montre|propose|présente|donnez|rédigez|préparez|montrez|proposez|présentez|donner|rédiger|préparer|montrer|proposer|présenter)(?:[- ](?:moi|nous))? ${WANTED}`,
    ),
    whole(WANTED),
    whole("(?:résumé|synthèse|tl;?dr) ?: ?(?<about>.+)"),
    whole(`(?:quel(?:le)?s? (?:est|sont|seraient)|c'est quoi) (?!une? )${WANTED}`),
    whole(
      `(?:je (?:voudrais|veux|souhaite|souhaiterais|aimerais)|j'(?:aimerais|ai besoin)|il me faut|puis-je|peut-on|y a-t-il|as-tu|avez-vous)(?: avoir)? ?(?:d'|de )?${WANTED}`,
    ),
    whole("de quoi (?:parle(?:nt)?|traite(?:nt)?|est-il question dans|s'agit-il dans) (?<whole>.+)"),
    whole("de quoi (?:s'agit-il|est-il question|ça parle|cela parle|parle-t-il|parle-t-elle|parle-t-on)(?: ici)?"),
    whole(`de quoi (?:parle|traite) ${NAMED}`),
    whole("(?:que|qu'est-ce que) (?:dit|disent|contient|contiennent|raconte|explique) (?<whole>.+)"),
    whole("(?:qu'y a-t-il|qu'est-ce qu'il y a|que trouve-t-on) (?:dans|sur) (?<whole>.+)"),
    whole(`que (?:dit|contient) ${NAMED}`),
    whole("qu'est-ce que (?<whole>.+) (?:dit|contient|raconte|explique)"),
    whole(
      "(?:décris|décrivez|explique|expliquez|présente|présentez|raccourcis|raccourcissez)(?:-moi|-nous)? (?<whole>.+)",
    ),
  ],
  links: /^(?:de |d'|sur |dans |concernant |pour |à propos )+/iu,
  alongside:
    /^(?:ça|cela|ceci|tout|tout (?:ça|cela)|ce qui (?:suit|précède)|ici|il|elle|(?:le |du )?(?:contenu (?:de |d')?)?(?:(?:cet?|cette|ces|le|la|les|mon|ma|mes|du|au|tout|toute|des|deux) |l')+(?:pages?(?: web)?|documents?|fichiers?|textes?|articles?|pièces? jointes?|pdf|sites?(?: web)?|contenu|sélection|passage|onglets?)(?:[- ](?:ci|ci-jointe?s?|jointe?s?|en pièce jointe|ouverte?|actuel|actuelle|entier|entière|ci-dessus|suivante?))?)$/iu,
  articles: /^(?:(?:la|le|les|du|des|notre|nos|mon|ma|mes|un|une) |l')+/iu,
  others:
    /(?<!\p{L})(?:cet?|cette|ces) (?:page|document|fichier|texte|article|pdf)|(?:page|document|fichier|texte) (?:ci-)?joint|(?<!\p{L})et (?:dis|donne|liste|explique|comment|quel|qui|quand|où|pourquoi|combien)|(?:dit|disent|parle)(?!\p{L})|(?<!\p{L})au sujet /iu,
};
