import { allOf, counted, dayOf, noneOf } from "./listing.ts";
import type { Wording } from "./wording.ts";

const LANGUAGE = "es";

const quoted = (text: string) => `«${text}»`;
const count = (number: number) => counted(number, LANGUAGE);
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
    partIndexed: (percent) =>
      `De momento solo se puede buscar en una parte de los documentos (${percent}\u00a0%), porque el índice de búsqueda se está creando de nuevo. Vuelva a preguntar cuando esté listo.`,
    inPart: "No se ha encontrado nada sobre esto.",
  },
  courtesies: {
    greeting:
      "Hola. Pregunte por lo que dicen los documentos que puede ver: respondo con sus propias palabras e indico dónde están.",
    thanks: "De nada. Vuelva a preguntar cuando quiera saber algo.",
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
    modelCutShort: "El modelo ha llegado aquí a su límite de longitud.",
    modelSubstituted: (model) =>
      `El servidor de modelos no ofrece ${model}, así que ha respondido el modelo configurado aquí.`,
    modelUnused: (model) => `Aquí no hay ningún modelo configurado, así que no se usó ${model}.`,
    modelFailed: (reason) => `El modelo no pudo responder: ${reason}. Lo que sigue está citado de las fuentes.`,
  },
  gaps: {
    cut: (one) => `Solo se han leído sus primeros ${count(one)} caracteres. Envíe el resto en otro archivo.`,
    scanned: () =>
      "Contiene imágenes de páginas y ningún texto (un escaneo). Pásele un reconocimiento de texto (OCR) y envíelo de nuevo.",
    damaged: () => "Está dañado o incompleto. Guárdelo o descárguelo otra vez y envíelo de nuevo.",
    locked: () => "Está protegido con una contraseña. Guárdelo sin ella y envíelo de nuevo.",
    unfolds: () => "Desplegado ocupa más de lo que se puede leer. Divídalo o envíe su texto.",
    empty: () => "No contiene ningún texto.",
    picture: () => "Aquí no se leen imágenes.",
    "blank-beginning": (one, other) =>
      `Sus primeras ${count(one)} páginas no contienen texto, y las otras ${count(other)} no se han leído.`,
    beginning: (one, other) =>
      `Solo se han leído las primeras ${count(one)} de sus ${count(other)} páginas. Envíe las demás en otro archivo.`,
    "blank-pages": (one, other) =>
      `${count(one)} de sus ${count(other)} páginas no contienen texto (escaneos, imágenes o nada).`,
    memory: () => "Leerlo requiere más memoria de la disponible. Divídalo o envíe su texto.",
    slow: () =>
      "Leerlo llevaba demasiado tiempo y se ha abandonado. Guárdelo otra vez con otro programa o envíe su texto.",
    output: () => "Contiene más de lo que se puede extraer de un archivo. Divídalo y envíelo de nuevo.",
    ended: () =>
      "Su lectura se ha interrumpido. Envíelo de nuevo; si vuelve a pasar, guárdelo antes con otro programa.",
    crowded: () => "Demasiados archivos suyos esperan a ser leídos. Envíelo de nuevo cuando estén listos.",
    full: () => "Demasiados archivos esperan a ser leídos. Envíelo de nuevo dentro de un minuto.",
  },
  modelTroubles: {
    silent: (seconds) => `no dijo nada durante ${count(seconds)} s`,
    endless: () => "su respuesta no terminaba",
    unreadable: () => "su respuesta era ilegible",
    "empty or unreadable": () => "su respuesta estaba vacía o era ilegible",
    "broken off": () => "su respuesta se interrumpió",
    withheld: () => "su proveedor retuvo la respuesta",
    unreachable: () => "no se pudo acceder a su servidor",
    "over its limit": (status) => `su servidor ha superado su límite (estado ${status})`,
    "key refused": (status) => `su servidor rechazó la clave (estado ${status})`,
    failed: (status) => `su servidor falló (estado ${status})`,
    error: () => "su servidor comunicó un error",
    "only tools": () => "no dejaba de llamar a herramientas en lugar de responder",
    empty: () => "no dijo nada",
  },
  failures: {
    internal: "El servicio ha fallado al responder; su registro dice dónde. Pregunte de nuevo.",
    damaged:
      "La base de datos del servicio está dañada, así que no se puede responder. Detenga el servicio y restaure una copia con `threadlore restore`.",
    closing: "El servicio se está apagando. Pregunte de nuevo cuando haya vuelto.",
    interrupted: "Esta respuesta se interrumpió antes de estar completa. Pregunte de nuevo.",
  },
};
