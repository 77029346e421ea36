/**
 * Texts that grow at their end, so that a surface can show what was added without looking at what stands there already:
 * a long run of text or block of code is one node of the tree, and comparing or copying it for every piece would cost
 * time that grows with its square.
 */
import type { CodeBlock, TextRun } from "./tree.ts";

/** A text that is only ever added to. Nodes made of it share it, each seeing its own length. */
export class Tape {
  /** All of it; a chain of pieces to the engine until somebody reads a character. */
  text = "";
  private pieces: string[] = [];

  /** Adds a piece. */
  add(piece: string): void {
    if (piece === "") return;
    this.text += piece;
    this.pieces.push(piece);
  }

  /** What stands between two positions; costs no more than what stands behind `from`. */
  between(from: number, to: number): string {
    const found: string[] = [];
    let start = this.text.length;
    for (let at = this.pieces.length - 1; at >= 0 && start > from; at -= 1) {
      const piece = this.pieces[at] ?? "";
      start -= piece.length;
      found.push(piece);
    }
    return found
      .toReversed()
      .join("")
      .slice(from - start, to - start);
  }
}

/** What was added to a growing text. */
export interface Growth {
  /** Goes behind the part that stays. */
  readonly added: string;
  /** Comes last, and may be another the next time. */
  readonly rest: string;
}

/** A node whose text grows. It is plain data to everyone who does not ask `growthOf`. */
abstract class Growing {
  readonly #tape: Tape;
  /** Length of the part of the tape that is in this node. */
  readonly #firm: number;
  readonly #rest: string;

  constructor(tape: Tape, rest: string) {
    this.#tape = tape;
    this.#firm = tape.text.length;
    this.#rest = rest;
  }

  static between(before: unknown, after: unknown): Growth | undefined {
    if (!(after instanceof Growing)) return undefined;
    const known = before instanceof Growing && before.#tape === after.#tape ? before.#firm : undefined;
    if (before !== undefined && (known === undefined || known > after.#firm)) return undefined;
    return { added: after.#tape.between(known ?? 0, after.#firm), rest: after.#rest };
  }
}

class GrowingText extends Growing implements TextRun {
  readonly type = "text";
  readonly text: string;

  constructor(tape: Tape, rest: string) {
    super(tape, rest);
    this.text = tape.text + rest;
  }
}

/** The node of a code block that may still grow. */
export class GrowingCode extends Growing implements CodeBlock {
  declare readonly language?: string;
  readonly type = "code";
  readonly text: string;

  /** @param language empty for none */
  constructor(tape: Tape, language: string) {
    super(tape, "");
    this.text = tape.text;
    if (language !== "") this.language = language;
  }
}

/** Shorter texts are plain nodes: they are shown anew as quickly. */
const WORTH_TELLING = 256;

/** The node of a text that may still grow. */
export function growingText(tape: Tape, rest: string): TextRun {
  return tape.text.length < WORTH_TELLING ? { type: "text", text: tape.text + rest } : new GrowingText(tape, rest);
}

/**
 * How a text came from an earlier version of itself: what was added since to the part that stays, and the end that may
 * still change. With no earlier version, all of it is added. Undefined where nothing is known: for a text that is
 * complete, and for two that are not versions of one.
 */
export function growthOf<Node extends TextRun | CodeBlock>(before: Node | undefined, after: Node): Growth | undefined {
  return Growing.between(before, after);
}

/** A text that was added to piece by piece holds every piece, at many times its own size, until it is read. */
export function inOnePiece(text: string): string {
  text.charCodeAt(text.length - 1);
  return text;
}
