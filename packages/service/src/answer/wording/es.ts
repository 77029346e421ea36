import { allOf, dayOf, noneOf } from "./listing.ts";
import type { Wording } from "./wording.ts";

const LANGUAGE = "es";

const quoted = (text: string) => `«${text}»`;
const joined = (sentences: readonly string[]) => sentences.join(" ");

/** Spanish. */
export const ES: Wording = {
  language: LANGUAGE,
  joined,
  nothing: {
    inDocuments: "No he encontrado nada sobre esto en los documentos.",
    inDocumentsOrSent: "No he encontrado nada sobre esto ni en los documentos ni en el texto adjunto.",
    inSent: "No he encontrado nada sobre esto en el texto adjunto. No se ha buscado en los documentos.",
    toSearch:
      "No hay dónde buscar: esta pregunta no permite buscar en los documentos y no la acompaña ningún texto legible.",
    advice: "Pruebe con otras palabras o añada un documento que lo responda.",
    inPart: "No se ha encontrado nada sobre esto.",
  },
  closest: {
    lead: "No he encontrado la respuesta, pero estos documentos son los que más se acercan:",
    unmentioned: (words) => `Ningún documento menciona ${noneOf(words.map(quoted), LANGUAGE, "ni")}.`,
    missing: {
      number: "Los documentos encontrados hablan de ello, pero no dan ninguna cifra.",
      money: "Los documentos encontrados hablan de ello, pero no dan ningún importe.",
      duration: "Los documentos encontrados hablan de ello, pero no dicen cuánto tiempo.",
      time: "Los documentos encontrados hablan de ello, pero no dan fecha ni hora.",
      person: "Los documentos encontrados hablan de ello, pero no nombran a nadie.",
      place: "Los documentos encontrados hablan de ello, pero no nombran ningún lugar.",
      reason: "Los documentos encontrados hablan de ello, pero no dan ninguna razón.",
      manner: "Los documentos encontrados hablan de ello, pero no dicen cómo.",
      definition: "Los documentos encontrados hablan de ello, pero no dicen qué es.",
    },
    tooLittle: "Los documentos encontrados dicen demasiado poco sobre lo que pregunta.",
    noYear: (years) => `Los documentos encontrados no dicen nada sobre ${noneOf(years.map(String), LANGUAGE, "ni")}.`,
  },
  differing: {
    lead: "Estas fuentes difieren; la más reciente, primero:",
    statement: ({ title, date, says }) => `${quoted(title)} (${dayOf(date, LANGUAGE) ?? "fecha desconocida"}): ${says}`,
  },
  corrected: (words) =>
    `He leído ${allOf(
      words.map(({ written, read }) => `${quoted(written)} como ${quoted(read)}`),
      LANGUAGE,
    )}.`,
  mainPoints: (title) =>
    title === undefined ? "Los puntos principales:" : `Los puntos principales de ${quoted(title)}:`,
  notInSource: (values) => `(no consta en la fuente: ${allOf(values, LANGUAGE)})`,
  oppositeInSource: "(la fuente parece decir lo contrario)",
  notes: {
    pictureUnread: (name) => `Aquí no se leen imágenes, así que ${quoted(name)} no forma parte de esta respuesta.`,
    noRoom: (name) =>
      `Los archivos adjuntos son demasiado largos en conjunto: ${quoted(name)} no forma parte de esta respuesta.`,
    noText: (name, why) =>
      joined([
        `No se pudo leer ningún texto de ${quoted(name)}, así que no forma parte de esta respuesta.`,
        ...(why === undefined ? [] : [why]),
      ]),
    ofFile: (name, remarks) => `Sobre ${quoted(name)}: ${joined(remarks)}`,
    onlyBeginning: "El archivo es demasiado largo: solo se leyó el principio.",
    quoteNotKept: "(Una cita del texto enviado con esta pregunta, que no se conserva.)",
    diskFull: "Esta pregunta y su respuesta no se conservan en el historial: el disco del servicio está lleno.",
    damaged: "Esta respuesta no se conserva en el historial: la base de datos del servicio está dañada.",
    modelUnused: (model) => `Aquí no hay ningún modelo configurado, así que no se usó ${model}.`,
    modelFailed: (reason) => `El modelo no pudo responder: ${reason}. Lo que sigue está citado de las fuentes.`,
  },
};
