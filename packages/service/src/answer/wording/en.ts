import { allOf, anyOf, counted, dayOf } from "./listing.ts";
import type { Wording } from "./wording.ts";

const LANGUAGE = "en-GB";

const quoted = (text: string) => `“${text}”`;
const count = (number: number) => counted(number, LANGUAGE);
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
    partIndexed: (percent) =>
      `Only part of the documents can be searched at the moment (${percent}%), since the search index is being made anew. Ask again when it is done.`,
    inPart: "Nothing was found about this.",
  },
  courtesies: {
    greeting:
      "Hello. Ask me about anything in the documents you may see: I answer in their own words and say where they stand.",
    thanks: "You’re welcome. Ask again whenever you want to know something.",
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
    modelCutShort: "The model reached its length limit here.",
    modelSubstituted: (model) => `The model server does not offer ${model}, so the model set up here answered.`,
    modelUnused: (model) => `No model is set up here, so ${model} was not used.`,
    modelFailed: (reason) => `The model could not answer: ${reason}. What follows is quoted from the sources instead.`,
  },
  gaps: {
    cut: (one) => `Only its first ${count(one)} characters were read. Send the rest as a file of its own.`,
    scanned: () =>
      "It holds pictures of pages and no text (a scan). Run text recognition (OCR) over it, then send it again.",
    damaged: () => "It is damaged or incomplete. Save or download it anew, then send it again.",
    locked: () => "It is locked with a password. Save it without one, then send it again.",
    unfolds: () => "It unfolds to more than reading it may take. Split it, or send its text, then send it again.",
    empty: () => "There is no text in it.",
    picture: () => "Pictures are not read here.",
    "blank-beginning": (one, other) =>
      `Its first ${count(one)} pages hold no text, and the other ${count(other)} were not read.`,
    beginning: (one, other) =>
      `Only the first ${count(one)} of its ${count(other)} pages were read. Send the others as a file of their own.`,
    "blank-pages": (one, other) =>
      `${count(one)} of its ${count(other)} pages hold no text (scans, pictures, or nothing).`,
    memory: () => "It takes more memory than reading it may take. Split it, or send its text, then send it again.",
    slow: () =>
      "Reading it took too long and was given up. Save it anew in another program, or send its text, then send it again.",
    output: () => "It holds more than can be taken out of one file. Split it, then send it again.",
    ended: () =>
      "Reading it was interrupted. Send it again; if that happens again, save it anew in another program first.",
    crowded: () => "Too many of your files wait to be read. Send it again when they are done.",
    full: () => "Too many files wait to be read. Send it again in a minute.",
  },
  modelTroubles: {
    silent: (seconds) => `it said nothing for ${count(seconds)} s`,
    endless: () => "its reply did not come to an end",
    unreadable: () => "its reply was unreadable",
    "empty or unreadable": () => "its reply was empty or unreadable",
    "broken off": () => "its reply broke off",
    withheld: () => "its provider withheld the reply",
    unreachable: () => "its server could not be reached",
    "over its limit": (status) => `its server is over its limit (status ${status})`,
    "key refused": (status) => `its server refused the key (status ${status})`,
    failed: (status) => `its server failed (status ${status})`,
    error: () => "its server reported an error",
    "only tools": () => "it kept calling tools instead of answering",
    empty: () => "it said nothing",
  },
  failures: {
    internal: "The service failed while answering; its log says where. Ask again.",
    damaged:
      "The service's database is damaged, so this cannot be answered. Stop the service and restore a backup with `threadlore restore`.",
    closing: "The service is shutting down. Ask again when it is back.",
    interrupted: "This answer was cut off before it was complete. Ask again.",
  },
};
