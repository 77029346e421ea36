import { allOf, dayOf, noneOf } from "./listing.ts";
import type { Wording } from "./wording.ts";

const LANGUAGE = "fr";

/** French sets a space that does not break inside its quotation marks and before a colon. */
const quoted = (text: string) => `«\u00a0${text}\u00a0»`;
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
    inPart: "Rien n’a été trouvé à ce sujet.",
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
    modelUnused: (model) => `Aucun modèle n’est configuré ici\u00a0: ${model} n’a donc pas été utilisé.`,
    modelFailed: (reason) =>
      `Le modèle n’a pas pu répondre\u00a0: ${reason}. Ce qui suit est cité directement des sources.`,
  },
};
