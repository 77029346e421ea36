/** What stands under one heading, before it is cut to size. */
export interface Part {
  /** 1 to 6; 0: no heading, such as what stands before the first one, or a page of a PDF. */
  readonly level: number;
  /** Plain text; "" at level 0. */
  readonly heading: string;
  /** Where in the document it is, for the end of a link after `#`. Absent: the document as a whole. */
  readonly fragment?: string;
  /** Where this part is read, when it has an address of its own, such as one message of a thread. */
  readonly link?: string;
  /** Without the heading. Paragraphs are separated by blank lines. */
  readonly text: string;
}
