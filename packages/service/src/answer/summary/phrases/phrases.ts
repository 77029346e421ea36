/**
 * How a language asks for a summary. All of it is matched against one sentence, in small letters or capitals, whose
 * apostrophes are straight and whose quotation marks and closing mark are gone.
 */
export interface SummaryPhrases {
  /** What stands before or after the request and says nothing of what is asked: please, could you, in three sentences. */
  readonly courtesies: readonly RegExp[];
  /**
   * Whole sentences that ask for a summary. What the group `about` holds is to be summarised, and what came along where
   * it is empty. What the group `whole` holds must stand for what came along: "what is … about" asks for one thing
   * otherwise.
   */
  readonly asks: readonly RegExp[];
  /** Prepositions between the request and what it is about. */
  readonly links: RegExp;
  /** What stands for that which came along: it, this page, the attached file. */
  readonly alongside: RegExp;
  /** Articles and the like before the name of what is to be summarised. */
  readonly articles: RegExp;
  /** With one of these in what it is about, a request is for one thing of what came along, or for two things. */
  readonly others: RegExp;
}

/** A pattern of whole sentences. */
export function whole(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, "iu");
}
