import { type SummaryPhrases, whole } from "./phrases.ts";

const KIND = "(?:(?:sehr|(?:kurz|knapp|grob|schnell|gut|allgemein|klein|vollständig)e[nrs]?) )*";
const SUMMARY = "(?:zusammenfassung|kurzfassung|überblick|übersicht|inhaltsangabe|kurzüberblick|abriss|quintessenz)";
const POINTS =
  "(?:(?:wichtigst|wesentlich|zentral|wichtig)e?n? (?:punkte?|aussagen?|inhalte?|informationen|erkenntnisse|ergebnisse|aspekte|fakten)|hauptpunkte|kernpunkte|kernaussagen?|hauptaussagen?|eckpunkte|kerngedanken)";
const OF =
  "(?:von|vom|über|zu|zum|zur|aus|für|in|im|auf|der|die|das|des|dem|dieser|dieses|diesem|unserer|unseres|meiner|meines)";
const WANTED = `(?:(?:eine[nr]?|die|den|der|das|ein) )?${KIND}(?:${SUMMARY}|${POINTS}|wichtigste)(?<about> ${OF} .+?)?`;
const DOCUMENT = String.raw`\p{L}*(?:seite|dokument|datei|text|artikel|anhang|richtlinie|leitfaden|handbuch|bericht|vertrag|protokoll|anleitung|leitlinie|ordnung|regelung|vereinbarung|merkblatt|konzept|policy|guide)(?:e?n|e?s)?`;

/** German. */
export const DE_SUMMARIES: SummaryPhrases = {
  courtesies: [
    /^(?:hallo|hi|bitte|ok|okay|also|so|und|nun|jetzt|danke)[,!: ]+/iu,
    /^(?:kannst du|könntest du|können sie|könnten sie|würdest du|würden sie|kann man|magst du|hilf mir,?|versuche?,?) /iu,
    /(?<=^| )(?:bitte|mal|kurz|knapp|einmal|schnell|doch|grob|denn|eigentlich|für mich|für uns|mir|uns|noch einmal|nochmal|in kürze|auf deutsch|auf einen blick)(?: |$)/giu,
    /(?<=^| )(?:in|mit|als) (?:(?:etwa|höchstens|maximal|rund|ein paar|einigen|wenigen|\d{1,3}|einem|einer|zwei|drei|vier|fünf|sechs|zehn|kurzen?|knappen?) )*(?:worten|wörtern|sätzen|satz|stichpunkten|stichworten|punkten|zeilen|absätzen|absatz|liste|aufzählung)(?: |$)/giu,
  ],
  asks: [
    whole("fass(?:e|t|en sie)?(?: (?<about>.+))? zusammen"),
    whole(
      "(?:fass(?:e|t)? zusammen|zusammenfassen|resümiere|resümieren sie|skizziere|skizzieren sie)[: ]+(?<about>.+)",
    ),
    whole("(?:(?<about>.+) )?(?:zusammenfassen|zusammenzufassen)"),
    whole(
      `(?:gib|gebt|geben sie|mache?|machen sie|erstelle?|erstellen sie|schreibe?|schreiben sie|zeige?|zeigen sie|nenne?|nennen sie) ${WANTED}`,
    ),
    whole(
      `(?:ich (?:brauche|möchte|will|hätte gerne?|benötige)|gibt es|kann ich|hast du|haben sie|bekomme ich) ${WANTED}(?: haben| bekommen| sehen)?`,
    ),
    whole(WANTED),
    whole(`(?:${SUMMARY}|${POINTS}|tl;?dr): ?(?<about>.+)`),
    whole(`(?:was|welche|wie) (?:sind|ist|wären|lauten|lautet) (?!eine? )${WANTED}`),
    whole("worum (?:geht es|geht's|dreht es sich|handelt es sich)(?: (?:hier|dabei|da))?"),
    whole(
      "(?:worum geht es|worum geht's|was steht|was findet sich|was lese ich)(?: alles)? (?<whole>(?:in|auf|im|bei|hier) ?.*?)(?: drin)?",
    ),
    whole(
      String.raw`(?:was steht|worum geht es)(?: alles)? (?:in|im|bei|beim) (?:(?:der|den|dem|unserem|unserer) )?(?<about>(?:[\p{L}\p{N}-]+ ){0,3}${DOCUMENT})(?: drin)?`,
    ),
    whole("wovon (?:handelt|spricht|erzählt) (?<whole>.+)"),
    whole("was (?:sagt|besagt|enthält|beinhaltet|beschreibt) (?<whole>.+?)(?: aus)?"),
    whole(String.raw`was (?:besagt|enthält|beinhaltet) (?<about>(?:die|das|der|unsere?) ${DOCUMENT})`),
    whole("(?:beschreibe?|beschreiben sie|erkläre?|erklären sie|erläutere|kürze) (?<whole>.+)"),
  ],
  links: /^(?:von|vom|über|zum|zur|zu|aus|für|in|im|auf|bei|beim) /iu,
  alongside:
    /^(?:das|dies|dieses|diese|es|alles|ihn|sie|das alles|(?:das |die |dies(?:es)? )?hier|(?:den |der )?(?:inhalt (?:von |des |der )?)?(?:(?:diese[srnm]?|die|der|das|den|dem|des|meine[nrms]?|ganze[nrms]?|gesamte[nrms]?|beigefügte[nrms]?|angehängte[nrms]?|offene[nrms]?|aktuelle[nrms]?|obige[nrms]?|folgende[nrms]?|beide[nrms]?|vorliegende[nrms]?|markierte[nrms]?) )*(?:(?:web)?seiten?|dokument(?:e?s|en?)?|datei(?:en)?|text(?:e?s)?|artikels?|anhang(?:s|es)?|pdfs?|website|inhalts?|auswahl|anlage|beitrags?|tabs?)(?: hier| oben| im anhang)?)$/iu,
  articles: /^(?:(?:der|die|das|den|dem|des|unsere[nrms]?|unser|meine[nrms]?|eine[nrms]?|ein) )+/iu,
  others:
    /(?<!\p{L})(?:diese[srnm]?|beigefügten?|angehängten?) (?:seite|dokument|datei|text|artikel)|(?<!\p{L})und (?:sage?|nenne?|erkläre?|wie|was|wer|wann|wo|warum|welche)(?!\p{L})/iu,
};
