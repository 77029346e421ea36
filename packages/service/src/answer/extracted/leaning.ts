/** Whether a question leans on the one before it: "and for contractors?", "Wie lange gilt das?". */

const LEANING: readonly RegExp[] = [
  /^\s*(?:and|or|but|also|what about|how about|then|so)\b|\b(?:it|its|they|them|their|this|that|these|those|it|he|she|him|her|there|same|one|ones)\b/i,
  /^\s*(?:und|oder|aber|auch|was ist mit|wie steht es mit|dann|also)\b|\b(?:das|dies|dieses|diese[rmn]?|dessen|deren|dafür|davon|dazu|damit|dort|dabei|ihn|ihm)(?=\s*[?.!]|\s*$)/i,
  /^\s*(?:et|ou|mais|aussi|qu[’']en est-il|et pour|alors|donc)\b|\b(?:cela|ça|celui-ci|celle-ci|ceux-ci|celles-ci|y|en)(?=\s*[?.!]|\s*$)/i,
  /^\s*(?:y|o|pero|también|qué hay de|entonces)\b|\b(?:eso|esto|ello|ése|ésa|allí|ahí|aquello)(?=\s*[?.!]|\s*$)/i,
  /^\s*(?:それ|これ|その|この|そこ|では|じゃあ|また|あと)/,
  /^\s*(?:那|那么|这个|那个|它|他们|还有)/,
];

export function leansBack(question: string): boolean {
  return LEANING.some((pattern) => pattern.test(question));
}
