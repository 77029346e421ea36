import { type SummaryPhrases, whole } from "./phrases.ts";

const KIND =
  "(?:(?:very|short|quick|brief|concise|high-level|rough|general|simple|one-page|bullet|point|executive|good|full) )*";
const SUMMARY =
  "(?:summary|overview|gist|synopsis|recap|rundown|outline|abstract|digest|essence|tl;?dr|bottom line|short version|big picture)";
const POINTS =
  "(?:(?:main|key|most important|important|essential|central|core|major) (?:points|ideas?|facts|messages?|takeaways?|aspects|statements|arguments|findings)|takeaways|highlights|essentials)";
const WANTED = `(?:an? |the |your |some (?:of the )?|its )?${KIND}(?:${SUMMARY}|${POINTS})(?<about>(?: (?:of|about|on|for|from|in)|:) .+)?`;
/** Documents and what they are called: what "the … says" is a whole. */
const DOCUMENT =
  "(?:page|document|doc|file|text|article|attachment|policy|guide|guidelines?|handbook|manual|report|contract|agreement|memo|runbook|paper|pdf|minutes|notes|book|chapter|post|thread|e-?mail|letter|website|readme|spec|specification|proposal|presentation|slides|transcript)";
const NAMED = String.raw`(?<about>(?:the|our|my) (?:[\p{L}\p{N}'-]+ ){0,4}${DOCUMENT})`;
const SAYS = "(?:say|tell (?:us|me)|contain|cover|describe|talk about|discuss|deal with|explain|include)";

/** English. */
export const EN_SUMMARIES: SummaryPhrases = {
  courtesies: [
    /^(?:hi|hello|hey|ok|okay|so|please|kindly|now|and|then|just|quickly|briefly|thanks)[,!: ]+/iu,
    /^(?:can|could|would|will) (?:you|u) (?:(?:please|kindly|just|quickly|briefly|maybe) )*/iu,
    /^(?:i(?:'d| would) like you to|i want you to|i need you to|help me(?: to)?|let's|in (?:short|brief)[,:]?) /iu,
    /[, ]+(?:please|pls|thanks|thank you|for me|for us|to me|briefly|quickly|shortly|concisely|at a glance|again|if you can|if possible|in (?:short|brief|english|plain english|simple words|simple terms|your own words|full))$/iu,
    /[, ]+(?:in|to|into|with|using|within|as) (?:(?:about|at most|under|around|an?|the|few|couple of|\d{1,3}|one|two|three|four|five|six|ten|short|single|brief|bullet(?:ed)?|key|simple) )*(?:words?|sentences?|points?|bullets?|bullet points?|lines?|paragraphs?|lists?)(?: or (?:less|fewer|so))?$/iu,
  ],
  asks: [
    whole("(?:summari[sz]e|sum up|recap|outline|condense|boil down|abridge)(?:[: ]+(?<about>.+))?"),
    whole("(?:sum|boil) (?<about>.+) (?:up|down)"),
    whole(
      "(?:give|show|write|make|create|prepare|produce|provide|send|get|draft|tell|have)(?: me| us)?(?: with)? " +
        WANTED,
    ),
    whole(WANTED),
    whole("tl;?dr[: ]+(?<about>.+)"),
    whole(`what(?:'s| is| are|'re| were) (?!an? )${WANTED}`),
    whole(
      `(?:i (?:need|want|would like|'d like)|i'd like|(?:can|could|may) (?:i|we) (?:get|have|see)|is there|do you have) ${WANTED}`,
    ),
    whole("(?:describe|explain|go over|walk me through|shorten|review|present) (?<whole>.+)"),
    whole("what(?:'s| is| are) (?<whole>.+?) (?:all )?about"),
    whole(`what(?:'s| is) ${NAMED} (?:all )?about`),
    whole(`what (?:does|do|did) (?<whole>.+?) ${SAYS}`),
    whole(`what (?:does|do|did) ${NAMED} ${SAYS}`),
    whole("what(?:'s| is| can i (?:find|read)| do i find) (?:in|on|inside|written (?:in|on)) (?<whole>.+)"),
  ],
  links: /^(?::|of|about|on|for|from|in) +/iu,
  alongside:
    /^(?:it|this|that|these|those|them|everything|all of (?:it|this)|all this|here|the (?:above|attached|whole thing|following)|(?:what is (?:on|in) )?(?:the contents? of )?(?:all )?(?:this|that|these|those|the|both|my)(?: (?:attached|whole|entire|current|open|linked|uploaded|following|same|two|three|complete|full|long|web|pdf))* (?:pages?|documents?|docs?|files?|texts?|articles?|attachments?|pdfs?|websites?|sites?|webpages?|tabs?|contents?|selection|thread|conversation|passage|one)(?: (?:here|attached|above|below|i(?:'m| am) (?:on|reading)|i (?:attached|uploaded|sent|opened)))?)$/iu,
  articles: /^(?:(?:the|our|my|your|an?|all(?: of)?|whole|entire) )+/iu,
  others:
    /\b(?:this|that|these|those|attached) (?:page|document|file|text|article|attachment|pdf)\b|\bpoints? of (?:contact|sale|view|entry|escalation|failure)\b|^(?:contact|sale|view|entry|escalation|failure)\b|\band (?:tell|say|list|explain|then|give|how|what|who|when|where|why|which|also|whether)\b/iu,
};
