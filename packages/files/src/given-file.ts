/** A file as it is given to be read, and what is told of it. */
import type { FileKind } from "./kinds/file-kind.ts";
import type { PdfFile, PdfLimits } from "./kinds/pdf.ts";
import type { KindText } from "./part.ts";

/** A file of any kind as it was given. */
export interface GivenFile extends PdfFile {
  /** How to read it. Default: told by first bytes and name. */
  readonly kind?: FileKind | undefined;
}

/** How far a file is read. */
export interface ReadLimits {
  /** Characters of text. The parts may hold up to twice as many; whoever takes them keeps as many as they have room for. */
  readonly characters: number;
  /** Of a PDF. Default: 5,000 pages, 20 seconds. */
  readonly pdf?: Partial<PdfLimits> | undefined;
}

/** What a file says, and what was met on the way. */
export interface FileText extends Omit<KindText, Always>, Required<Pick<KindText, Always>> {
  readonly kind: FileKind;
  /** Characters nobody can see. They were left out. */
  readonly invisibleCharacters: number;
}

type Always = "authors" | "metadata" | "hiddenCharacters" | "hiddenPages" | "macros" | "cut";
