/** Quoted lines, as in a mail: what somebody else wrote. */
const QUOTED_LINE = /^[ \t]*(?:>|&gt;).*$/gmu;
/** Mentions of people and channels, emoji by name, and those drawn. */
const MENTION = /<[@#!][^>\n]{1,80}>|(?<![\p{L}\p{N}:])@[\p{L}\p{N}._-]{1,40}|:[a-z0-9_+-]{1,40}:/giu;
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u200d|\ufe0f/gu;
/** "<https://example.com|the page>": a chat's link shows its words. */
const SHOWN_LINK = /<[a-z]{2,10}:[^|>\n]{1,2000}\|([^>\n]{1,400})>/giu;
const EMPHASIS = /[*_~`]{1,3}(?=\S)|(?<=\S)[*_~`]{1,3}(?![\p{L}\p{N}])/gu;

/** A question as people say it: without what a chat adds to it, and without what it quotes, as long as words are left. */
export function plainText(question: string): string {
  const shown = question.replace(SHOWN_LINK, "$1").replace(MENTION, " ").replace(PICTURE, " ");
  const own = shown.replace(QUOTED_LINE, " ");
  const text = /\p{L}/u.test(own) ? own : shown.replace(/^[ \t]*(?:>|&gt;)/gmu, " ");
  return text.replace(EMPHASIS, "").trim();
}
