import type { Look, Piece } from "./screen.ts";

const CHARACTER = 8.4;
const LINE = 20;
const MARGIN = 22;
const TITLE_BAR = 36;

const COLOURS: Record<number, string> = {
  31: "#f7768e",
  32: "#9ece6a",
  33: "#e0af68",
  34: "#7aa2f7",
  35: "#bb9af7",
  36: "#7dcfff",
};

/** A picture of a terminal window with these lines. `description` is what it shows, for those who do not see it. */
export function terminalSvg(lines: readonly (readonly Piece[])[], columns: number, description: string): string {
  const width = Math.round(columns * CHARACTER + 2 * MARGIN);
  const shown = lines.slice(0, lines.findLastIndex((line) => line.length > 0) + 1);
  const height = TITLE_BAR + shown.length * LINE + MARGIN;
  const body = shown.flatMap((pieces, row) => pieces.map((piece) => pieceSvg(piece, TITLE_BAR + (row + 1) * LINE - 4)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(description)}">`,
    // The edge sets the window off from a page that is as dark.
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10" fill="#1a1b26" stroke="#3b4261"/>`,
    ...["#f7768e", "#e0af68", "#9ece6a"].map((fill, n) => `<circle cx="${22 + n * 20}" cy="18" r="6" fill="${fill}"/>`),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace" font-size="14" fill="#c0caf5" xml:space="preserve">`,
    ...body,
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/** Its width is said too, so that columns stand in line whatever the font. */
function pieceSvg({ text, column, look }: Piece, y: number): string {
  const lead = text.length - text.trimStart().length;
  const shown = text.trim();
  const x = (MARGIN + (column + lead) * CHARACTER).toFixed(1);
  const length = ([...shown].length * CHARACTER).toFixed(1);
  return `<text x="${x}" y="${y}" textLength="${length}"${attributes(look)}>${escaped(shown)}</text>`;
}

function attributes({ bold, dim, italic, colour }: Look): string {
  const fill = COLOURS[colour];
  return [
    bold ? ' font-weight="700"' : "",
    italic ? ' font-style="italic"' : "",
    fill === undefined ? "" : ` fill="${fill}"`,
    dim ? ' opacity="0.6"' : "",
  ].join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
