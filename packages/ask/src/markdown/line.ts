/**
 * A cursor over one line that knows about tabs: block structure is told by columns, with a tab stop every four, and a
 * tab may be used up only in part (CommonMark 0.31 section 2.2).
 */
export class Line {
  readonly text: string;
  private offset = 0;
  private column = 0;
  /** Columns of a tab already entered that are not used up yet. */
  private inTab = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Width of the white space at the cursor, in columns. */
  get indent(): number {
    let column = this.column;
    let width = this.inTab;
    column += this.inTab;
    for (let at = this.inTab > 0 ? this.offset + 1 : this.offset; ; at += 1) {
      const character = this.text[at];
      if (character === " ") width += 1;
      else if (character === "\t") width += 4 - (column % 4);
      else return width;
      column = this.column + width;
    }
  }

  /** Nothing but white space is left. */
  get blank(): boolean {
    return this.rest === "";
  }

  /** What is left behind the white space at the cursor. */
  get rest(): string {
    let at = this.offset;
    while (this.text[at] === " " || this.text[at] === "\t") at += 1;
    return this.text.slice(at);
  }

  /** What is left, with the part of a tab that is not used up written as spaces. */
  get remainder(): string {
    return this.inTab > 0 ? " ".repeat(this.inTab) + this.text.slice(this.offset + 1) : this.text.slice(this.offset);
  }

  /** Skips white space up to a number of columns. */
  skipColumns(columns: number): void {
    let left = columns;
    while (left > 0) {
      const character = this.text[this.offset];
      if (character === " ") {
        this.offset += 1;
        this.column += 1;
        left -= 1;
      } else if (character === "\t") {
        const width = this.inTab > 0 ? this.inTab : 4 - (this.column % 4);
        const used = Math.min(width, left);
        this.column += used;
        left -= used;
        this.inTab = width - used;
        if (this.inTab === 0) this.offset += 1;
      } else break;
    }
  }

  /** Skips all white space at the cursor. */
  skipBlanks(): void {
    this.skipColumns(this.indent);
  }

  /** Skips characters that are no white space. */
  skip(characters: number): void {
    this.offset += characters;
    this.column += characters;
  }
}
