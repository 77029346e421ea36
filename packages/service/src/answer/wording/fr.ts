import { allOf, counted, dayOf, noneOf } from "./listing.ts";
import type { Wording } from "./wording.ts";

const LANGUAGE = "fr";

/** French sets a space that does not break inside its quotation marks and before a colon. */
const quoted = (text: string) => `«\u00a0${text}\u00a0»`;
const count = (number: number) => counted(number, LANGUAGE);
const joined = (sentences: readonly string[]) => sentences.join(" ");

/** French. */
export const FR: Wording = {
  language: LANGUAGE,
  joined,
  nothing: {
    inDocuments: "Je n’ai rien trouvé à ce sujet dans les documents.",
    inDocumentsOrSent: "Je n’ai rien trouvé à ce sujet, ni dans les documents ni dans le texte joint.",
    inSent: "Je n’ai rien trouvé à ce sujet dans le texte joint. La recherche n’a pas porté sur les documents.",
    toSearch:
      "Il n’y a rien à parcourir\u00a0: cette question n’autorise aucune recherche dans les documents, et aucun texte lisible ne l’accompagne.",
    advice: "Essayez d’autres mots, ou ajoutez un document qui y répond.",
    partIndexed: (percent) =>
      `Pour l’instant, seule une partie des documents peut être consultée (${percent}\u00a0%), car l’index de recherche est en cours de reconstruction. Posez de nouveau la question quand il sera prêt.`,
    inPart: "Rien n’a été trouvé à ce sujet.",
  },
  courtesies: {
    greeting:
      "Bonjour. Posez une question sur ce que disent les documents que vous pouvez voir : je réponds avec leurs propres mots et j’indique où ils se trouvent.",
    thanks: "Je vous en prie. Posez une autre question quand vous voudrez.",
  },
  closest: {
    lead: "Je n’ai pas trouvé de réponse, mais ces documents s’en approchent le plus\u00a0:",
    unmentioned: (words) => `Aucun document ne mentionne ${noneOf(words.map(quoted), LANGUAGE, "ni")}.`,
    missing: {
      number: "Les documents trouvés en parlent, mais ne donnent aucun chiffre.",
      money: "Les documents trouvés en parlent, mais ne donnent aucun montant.",
      duration: "Les documents trouvés en parlent, mais ne disent pas combien de temps.",
      time: "Les documents trouvés en parlent, mais ne donnent ni date ni heure.",
      person: "Les documents trouvés en parlent, mais ne nomment personne.",
      place: "Les documents trouvés en parlent, mais ne nomment aucun lieu.",
      reason: "Les documents trouvés en parlent, mais ne donnent aucune raison.",
      manner: "Les documents trouvés en parlent, mais ne disent pas comment.",
      definition: "Les documents trouvés en parlent, mais ne disent pas ce que c’est.",
    },
    tooLittle: "Les documents trouvés en disent trop peu sur ce que vous demandez.",
    noYear: (years) => `Les documents trouvés ne disent rien de ${noneOf(years.map(String), LANGUAGE, "ni de")}.`,
  },
  differing: {
    lead: "Ces sources divergent, la plus récente d’abord\u00a0:",
    statement: ({ title, date, says }) =>
      `${quoted(title)} (${dayOf(date, LANGUAGE) ?? "date inconnue"})\u00a0: ${says}`,
  },
  corrected: (words) =>
    `J’ai lu ${allOf(
      words.map(({ written, read }) => `${quoted(written)} comme ${quoted(read)}`),
      LANGUAGE,
    )}.`,
  mainPoints: (title) =>
    title === undefined ? "Les points principaux\u00a0:" : `Les points principaux de ${quoted(title)}\u00a0:`,
  notInSource: (values) => `(introuvable dans la source\u00a0: ${allOf(values, LANGUAGE)})`,
  oppositeInSource: "(la source semble dire le contraire)",
  notes: {
    pictureUnread: (name) => `Les images ne sont pas lues ici\u00a0: ${quoted(name)} n’a aucune part à cette réponse.`,
    noRoom: (name) =>
      `Les fichiers joints sont trop longs ensemble\u00a0: ${quoted(name)} n’a aucune part à cette réponse.`,
    noText: (name, why) =>
      joined([
        `Aucun texte n’a pu être lu dans ${quoted(name)}, qui n’a donc aucune part à cette réponse.`,
        ...(why === undefined ? [] : [why]),
      ]),
    ofFile: (name, remarks) => `À propos de ${quoted(name)}\u00a0: ${joined(remarks)}`,
    onlyBeginning: "Le fichier est trop long\u00a0: seul son début a été lu.",
    quoteNotKept: "(Une citation du texte envoyé avec cette question, qui n’est pas conservé.)",
    diskFull:
      "Cette question et sa réponse ne sont pas conservées dans l’historique\u00a0: le disque du service est plein.",
    damaged: "Cette réponse n’est pas conservée dans l’historique\u00a0: la base de données du service est endommagée.",
    modelCutShort: "Le modèle a atteint ici sa limite de longueur.",
    modelSubstituted: (model) =>
      `Le serveur de modèles ne propose pas ${model}, c’est donc le modèle configuré ici qui a répondu.`,
    modelUnused: (model) => `Aucun modèle n’est configuré ici\u00a0: ${model} n’a donc pas été utilisé.`,
    modelFailed: (reason) =>
      `Le modèle n’a pas pu répondre\u00a0: ${reason}. Ce qui suit est cité directement des sources.`,
  },
  gaps: {
    cut: (one) => `Seuls ses ${count(one)} premiers caractères ont été lus. Envoyez le reste dans un autre fichier.`,
    scanned: () =>
      "Il contient des images de pages et aucun texte (une numérisation). Passez-le à la reconnaissance de texte (OCR), puis renvoyez-le.",
    damaged: () => "Il est endommagé ou incomplet. Enregistrez-le ou téléchargez-le à nouveau, puis renvoyez-le.",
    locked: () => "Il est protégé par un mot de passe. Enregistrez-le sans mot de passe, puis renvoyez-le.",
    unfolds: () => "Une fois déployé, il dépasse ce qui peut être lu. Divisez-le, ou envoyez son texte.",
    empty: () => "Il ne contient aucun texte.",
    picture: () => "Les images ne sont pas lues ici.",
    "blank-beginning": (one, other) =>
      `Ses ${count(one)} premières pages ne contiennent aucun texte, et les ${count(other)} autres n’ont pas été lues.`,
    beginning: (one, other) =>
      `Seules les ${count(one)} premières de ses ${count(other)} pages ont été lues. Envoyez les autres dans un autre fichier.`,
    "blank-pages": (one, other) =>
      `${count(one)} de ses ${count(other)} pages ne contiennent aucun texte (numérisations, images, ou rien).`,
    memory: () => "Sa lecture demande plus de mémoire qu’il n’en est prévu. Divisez-le, ou envoyez son texte.",
    slow: () =>
      "Sa lecture prenait trop de temps et a été abandonnée. Enregistrez-le à nouveau avec un autre programme, ou envoyez son texte.",
    output: () => "Il contient plus que ce qui peut être extrait d’un fichier. Divisez-le, puis renvoyez-le.",
    ended: () =>
      "Sa lecture a été interrompue. Renvoyez-le\u00a0; si cela se reproduit, enregistrez-le d’abord à nouveau avec un autre programme.",
    crowded: () => "Trop de vos fichiers attendent d’être lus. Renvoyez-le quand ils auront été traités.",
    full: () => "Trop de fichiers attendent d’être lus. Renvoyez-le dans une minute.",
  },
  modelTroubles: {
    silent: (seconds) => `il n’a rien dit pendant ${count(seconds)} s`,
    endless: () => "sa réponse n’en finissait pas",
    unreadable: () => "sa réponse était illisible",
    "empty or unreadable": () => "sa réponse était vide ou illisible",
    "broken off": () => "sa réponse s’est interrompue",
    withheld: () => "son fournisseur a retenu la réponse",
    unreachable: () => "son serveur est injoignable",
    "over its limit": (status) => `son serveur a atteint sa limite (statut ${status})`,
    "key refused": (status) => `son serveur a refusé la clé (statut ${status})`,
    failed: (status) => `son serveur est en panne (statut ${status})`,
    error: () => "son serveur a signalé une erreur",
    "only tools": () => "il appelait sans cesse des outils au lieu de répondre",
    empty: () => "il n’a rien dit",
  },
  failures: {
    internal:
      "Une erreur s’est produite dans le service pendant la réponse\u00a0; son journal dit où. Posez la question à nouveau.",
    damaged:
      "La base de données du service est endommagée, il ne peut donc pas répondre. Arrêtez le service et restaurez une sauvegarde avec `threadlore restore`.",
    closing: "Le service est en train de s’arrêter. Posez la question à nouveau quand il sera revenu.",
    interrupted: "Cette réponse s’est interrompue avant d’être complète. Posez la question à nouveau.",
  },
};
