import { localName, type XmlHandler } from "../archive/xml.ts";
import type { Attributes } from "../html-text.ts";
import { NamedRows } from "../tables/named-rows.ts";
import { formatOfCode, type NumberFormat, shownNumber } from "./number-formats.ts";
import { oneLine } from "../../text/visible-text.ts";

/** Lines of one chart, and points of a line. */
const MAX_SERIES = 100;
const MAX_POINTS = 5_000;

interface Series {
  name: string;
  readonly names: string[];
  readonly values: string[];
}

/** What the text of an element within a chart is. */
const ROLES: Readonly<Record<string, "title" | "name" | "names" | "values">> = {
  title: "title",
  tx: "name",
  cat: "names",
  xVal: "names",
  val: "values",
  yVal: "values",
};

/** Reads the numbers a chart was drawn from: its title, then a line for each point with the value of each series. */
export class ChartReading implements XmlHandler {
  readonly #series: Series[] = [];
  /** Roles of the elements that are open; undefined: none of its own. */
  readonly #open: (string | undefined)[] = [];
  #title = "";
  #point = 0;
  #format: NumberFormat = "plain";
  #inCode = false;
  #code = "";
  #text: string | undefined;

  open(name: string, attributes: Attributes): void {
    const local = localName(name);
    this.#open.push(ROLES[local]);
    if (local === "ser" && this.#series.length < MAX_SERIES) this.#series.push({ name: "", names: [], values: [] });
    else if (local === "pt") this.#point = Number(attributes["idx"] ?? 0);
    else if (local === "numCache" || local === "strCache") this.#format = "plain";
    else if (local === "formatCode") this.#inCode = true;
    else if (local === "v" || local === "t") this.#text = "";
  }

  text(text: string): void {
    if (this.#inCode) this.#code += text;
    else if (this.#text !== undefined) this.#text += text;
  }

  close(name: string): void {
    const local = localName(name);
    if (local === "formatCode") {
      this.#format = formatOfCode(this.#code);
      this.#inCode = false;
      this.#code = "";
    } else if ((local === "v" || local === "t") && this.#text !== undefined) {
      this.#take(oneLine(this.#text));
      this.#text = undefined;
    }
    this.#open.pop();
  }

  result(): string {
    const named = new NamedRows(["", ...this.#series.map(({ name }) => name)]);
    const points = Math.max(0, ...this.#series.map(({ values }) => values.length));
    const lines = Array.from({ length: points }, (_, at) => {
      const name = this.#series.map(({ names }) => names[at]).find((one) => one !== undefined);
      return named.line([name ?? "", ...this.#series.map(({ values }) => values[at] ?? "")]);
    });
    return [this.#title, ...lines].filter((line) => line !== "").join("\n");
  }

  #take(text: string): void {
    // A title has parts of the names that series have.
    const role = this.#open.includes("title") ? "title" : this.#open.findLast((one) => one !== undefined);
    const series = this.#series.at(-1);
    if (role === "title") this.#title = `${this.#title} ${text}`.trim();
    else if (series === undefined || !(this.#point >= 0 && this.#point < MAX_POINTS)) return;
    else if (role === "name") series.name = text;
    else if (role === "names") series.names[this.#point] = shownNumber(text, this.#format, false);
    else if (role === "values") series.values[this.#point] = shownNumber(text, this.#format, false);
  }
}
