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

/** How far a PDF was read. */
export interface PdfPages {
  readonly all: number;
  /** Fewer than all where a limit on characters, pages or time was reached. */
  readonly read: number;
  /** Of those that were read. The others are pictures, scans, or empty. */
  readonly withText: number;
  /** Its time was over. */
  readonly late: boolean;
}

/** What a file of one kind tells; what is absent, the kind does not know. */
export interface KindText {
  /** Only what a person could see. None: there is no text in it. */
  readonly parts: readonly Part[];
  readonly title?: string | undefined;
  readonly authors?: readonly string[];
  /** When it was last changed, as the file writes it. */
  readonly updated?: string | undefined;
  /** What else the file says of itself. */
  readonly metadata?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The encoding it was read in, where nothing in the file says so. */
  readonly guessedEncoding?: string | undefined;
  /** Letters and signs in elements that are not shown. They were left out. */
  readonly hiddenCharacters?: number;
  /** Slides or sheets that whoever made it has hidden. They were left out. */
  readonly hiddenPages?: number;
  /** It brings macros along, which were left out. */
  readonly macros?: boolean;
  /** Of a PDF. */
  readonly pages?: PdfPages | undefined;
  /** It goes on after what was read. */
  readonly cut?: boolean;
}
