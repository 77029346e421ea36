/** Styles of one document. */
const MAX_STYLES = 10_000;
const MAX_NAME = 200;

/** Which paragraphs are headings, by the styles a document has. */
export class RtfStyles {
  readonly #levels = new Map<number, number>();
  #style = 0;
  #name = "";

  begin(): void {
    this.#style = 0;
    this.#name = "";
  }

  control(word: string, number: number): void {
    if (word === "s") this.#style = number;
    else if (word === "outlinelevel") this.#tell(number + 1);
  }

  text(text: string): void {
    if (this.#name.length < MAX_NAME) this.#name += text;
  }

  end(): void {
    const name = this.#name.split(";", 1)[0]?.trim() ?? "";
    const level = /^heading (\d)$/i.exec(name)?.[1] ?? (/^title$/i.test(name) ? "1" : undefined);
    if (level !== undefined) this.#tell(Number(level));
    this.#name = "";
  }

  /** 1 to 9; 0: its paragraphs are no headings. */
  headingOf(style: number): number {
    return this.#levels.get(style) ?? 0;
  }

  #tell(level: number): void {
    if (this.#style > 0 && level >= 1 && level <= 9 && this.#levels.size < MAX_STYLES)
      this.#levels.set(this.#style, level);
  }
}
