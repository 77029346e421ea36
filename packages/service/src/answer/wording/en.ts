import { allOf, anyOf, dayOf } from "./listing.ts";
import type { Wording } from "./wording.ts";

const LANGUAGE = "en-GB";

const quoted = (text: string) => `“${text}”`;
const joined = (sentences: readonly string[]) => sentences.join(" ");

/** English. */
export const EN: Wording = {
  language: LANGUAGE,
  joined,
  nothing: {
    inDocuments: "I found nothing about this in the documents.",
    inDocumentsOrSent: "I found nothing about this in the documents or in what was sent along.",
    inSent: "I found nothing about this in what was sent along. The documents were not searched.",
    toSearch:
      "There is nothing to search: this question allows no search of the documents, and no readable text came with it.",
    advice: "Try other words, or add a document that answers it.",
    inPart: "Nothing was found about this.",
  },
  closest: {
    lead: "I found no answer to this, but these come closest:",
    unmentioned: (words) => `No document mentions ${anyOf(words.map(quoted), LANGUAGE)}.`,
    missing: {
      number: "The documents I found speak of it, but give no number.",
      money: "The documents I found speak of it, but give no amount of money.",
      duration: "The documents I found speak of it, but do not say how long.",
      time: "The documents I found speak of it, but give no date or time.",
      person: "The documents I found speak of it, but give nobody’s name.",
      place: "The documents I found speak of it, but name no place.",
      reason: "The documents I found speak of it, but give no reason.",
      manner: "The documents I found speak of it, but do not say how.",
      definition: "The documents I found speak of it, but do not say what it is.",
    },
    tooLittle: "The documents I found say too little of what you ask.",
    noYear: (years) => `The documents I found say nothing about ${anyOf(years.map(String), LANGUAGE)}.`,
  },
  differing: {
    lead: "These sources differ, the newer first:",
    statement: ({ title, date, says }) => `${quoted(title)} (${dayOf(date, LANGUAGE) ?? "date unknown"}): ${says}`,
  },
  corrected: (words) =>
    `I read ${allOf(
      words.map(({ written, read }) => `${quoted(written)} as ${quoted(read)}`),
      LANGUAGE,
    )}.`,
  mainPoints: (title) => (title === undefined ? "The main points:" : `The main points of ${quoted(title)}:`),
  notInSource: (values) => `(not found in the source: ${allOf(values, LANGUAGE)})`,
  oppositeInSource: "(the source seems to say the opposite)",
  notes: {
    pictureUnread: (name) => `Pictures are not read here, so ${quoted(name)} has no part in this answer.`,
    noRoom: (name) => `The attached files are too long together: ${quoted(name)} has no part in this answer.`,
    noText: (name, why) =>
      joined([
        `No text could be read from ${quoted(name)}, so it has no part in this answer.`,
        ...(why === undefined ? [] : [why]),
      ]),
    ofFile: (name, remarks) => `Of ${quoted(name)}: ${joined(remarks)}`,
    onlyBeginning: "It is too long: only its beginning was read.",
    quoteNotKept: "(A quote from the text sent along with this question, which is not kept.)",
    diskFull: "This question and its answer are not kept in the history: the service's disk is full.",
    damaged: "This answer is not kept in the history: the service's database is damaged.",
    modelUnused: (model) => `No model is set up here, so ${model} was not used.`,
    modelFailed: (reason) => `The model could not answer: ${reason}. What follows is quoted from the sources instead.`,
  },
};
