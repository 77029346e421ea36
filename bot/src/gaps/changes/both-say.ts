import { LIMITS } from "../../slack/transport/limits.ts";
import { linkTo, quoted } from "../still-true/still-message.ts";

/** A document, and the sentence of it that stands beside one of another. */
export interface Saying {
  readonly title: string;
  readonly link: string | undefined;
  readonly says: string;
}

/**
 * A kept answer and what may change it, with the sentence of either: the text of one section. `newer` without a title: what
 * it is stands above. Addresses that together are longer than a section are left out.
 */
export function bothSay(kept: Saying, newer: Saying | Pick<Saying, "says">): string {
  const said = (hasLinks: boolean): string => {
    const name = (one: Saying, otherwise: string) => linkTo(one.title, hasLinks ? one.link : undefined, otherwise);
    const who = "title" in newer ? name(newer, "A newer document") : "This";
    return `*${name(kept, "An answer")}*\nKept is:\n${quoted(kept.says)}\n${who} says:\n${quoted(newer.says)}`;
  };
  const whole = said(true);
  return whole.length <= LIMITS.sectionText ? whole : said(false);
}
