import { type SummaryPhrases, whole } from "./phrases.ts";

const KIND = "(?:(?:muy|breve|corto|corta|pequeño|rápido|rápida|buen|buena|simple|sencillo|completo) )*";
const AFTER = "(?: (?:muy|breve|corto|corta|rápido|rápida|conciso|concisa|general|ejecutivo|completo|completa))*";
const SUMMARY = "(?:resumen|síntesis|sinopsis|visión general|panorama|panorámica|idea general|vista general|extracto)";
const POINTS =
  "(?:(?:puntos?|ideas?|datos?|aspectos?|conclusiones|mensajes?|hechos?) (?:principal(?:es)?|clave|claves|central(?:es)?|más importantes?|importantes|esencial(?:es)?|fundamental(?:es)?|destacados)|principales (?:puntos|ideas|conclusiones|aspectos)|lo (?:más importante|esencial|principal))";
const WANTED = `(?:un |una |el |la |los |las |unos )?${KIND}(?:${SUMMARY}|${POINTS})${AFTER}(?<about> (?:del?|sobre|en|para|acerca) .+)?`;
const DOCUMENT =
  "(?:página|documento|archivo|fichero|texto|artículo|política|guía|manual|informe|contrato|acta|norma|normativa|reglamento|procedimiento|nota|acuerdo|presentación|folleto|protocolo)";
const NAMED = String.raw`(?<about>(?:la|el|nuestra|nuestro) ${DOCUMENT}(?: [\p{L}\p{N}'-]+){0,5})`;

/** Spanish. */
export const ES_SUMMARIES: SummaryPhrases = {
  courtesies: [
    /^[¿¡]+/u,
    /^(?:hola|ok|vale|bueno|pues|y|ahora|gracias|por favor)[,!: ]+/iu,
    /^(?:puedes|podrías|puede|podría|podéis|pueden|quieres|quiere|me puedes|me puede|me podrías|ayúdame a|ayúdeme a|quiero que|quisiera que)(?: por favor)? /iu,
    /[, ]+(?:por favor|gracias|para mí|para nosotros|brevemente|rápidamente|en breve|en resumen|en pocas palabras|en español)(?= |$)/giu,
    /[, ]+(?:en|con|como) (?:(?:unas|unos|una|un|pocas|pocos|\d{1,3}|dos|tres|cuatro|cinco|seis|diez|máximo) )*(?:palabras?|frases?|oraciones|oración|puntos?|líneas?|párrafos?|lista|viñetas)(?= |$)/giu,
  ],
  asks: [
    whole(
      "(?:resum(?:e|en|a|an|ir|irme|irnos|amos)|resúme(?:lo|la|me|nos|melo)|resúma(?:lo|la|me|nos|melo)|resumirl[oa]|sintetiza|sintetice|sintetizar|recapitula|recapitule)(?:[: ]+(?<about>.+))?",
    ),
    whole(
      `(?:dame|danos|deme|dénos|haz|hazme|haga|hágame|hacer|hacerme|escribe|escriba|escribir|prepara|prepare|preparar|muestra|muéstrame|muestre|dar|darme|elabora|elabore|elaborar|ofrece|dime|dígame) ${WANTED}`,
    ),
    whole(WANTED),
    whole("(?:resumen|síntesis|tl;?dr): ?(?<about>.+)"),
    whole(`(?:cuál(?:es)? (?:es|son|sería|serían)|cual(?:es)? (?:es|son)|qué es) (?!una? )${WANTED}`),
    whole(`(?:necesito|quiero|quisiera|me gustaría|querría|hay|tienes|tiene|puedo)(?: tener| ver| recibir)? ${WANTED}`),
    whole("(?:de|sobre) qué (?:tratan?|va|hablan?|es) (?<whole>.+)"),
    whole("(?:de|sobre) qué (?:trata|va|habla|se trata)"),
    whole(`de qué (?:trata|va|habla) ${NAMED}`),
    whole("qué (?:dicen?|contienen?|cuenta|explica|pone en|hay en|se dice en) (?<whole>.+)"),
    whole(`qué (?:dice|contiene) ${NAMED}`),
    whole("(?:describe|describa|explica|explícame|explique|presenta|acorta) (?<whole>.+)"),
  ],
  links: /^(?:del (?=[^ ]+$)|de |sobre |en |para |acerca de )+/iu,
  alongside:
    /^(?:esto|eso|ello|lo|todo|todo (?:esto|eso)|lo (?:anterior|siguiente)|aquí|(?:el )?(?:contenido (?:de |del )?)?(?:(?:est[ea]|est[oa]s|es[ea]|el|la|los|las|mi|mis|todo|toda|ambos|ambas|dos|del) )+(?:páginas?(?: web)?|documentos?|archivos?|ficheros?|textos?|artículos?|adjuntos?|pdf|sitio(?: web)?|web|contenido|selección|pestañas?)(?: (?:adjunt[oa]s?|abiert[oa]|actual|enter[oa]|complet[oa]|siguiente|anterior|de arriba))?|(?:documento|archivo|fichero|texto|artículo|pdf) adjunto)$/iu,
  articles: /^(?:(?:la|el|los|las|del|nuestr[oa]s?|mis?|una?) )+/iu,
  others:
    /(?<!\p{L})(?:est[ea]|es[ea]) (?:página|documento|archivo|fichero|texto|artículo|pdf)|(?:documento|archivo|fichero|texto) adjunto|(?<!\p{L})y (?:di|dime|da|lista|explica|cómo|qué|quién|cuándo|dónde|por qué|cuánt[oa]s?)(?!\p{L})|(?<!\p{L})(?:dicen?|habla|sobre)(?!\p{L})/iu,
};
