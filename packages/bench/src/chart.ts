/** One bar of a chart. */
export interface ChartBar {
  readonly label: string;
  readonly value: number;
  /** Drawn in the stronger colour. */
  readonly ours?: boolean;
}

const ROW = 26;
const LABEL = 330;
const WIDTH = 860;
const BARS = WIDTH - LABEL - 70;

/** Horizontal bars, one below the other, each with its figure. Legible on light and dark pages. */
export function barChart(title: string, groups: readonly { name: string; bars: readonly ChartBar[] }[]): string {
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
  const parts: string[] = [text(16, 26, title, 'font-size="16" font-weight="600"')];
  let y = 44;
  for (const { name, bars } of groups) {
    parts.push(text(16, y + 18, name, 'font-weight="600"'));
    y += ROW;
    for (const { label, value, ours } of bars) {
      const width = Math.max(1, (value / most) * BARS).toFixed(1);
      parts.push(
        text(LABEL - 8, y + 14, label, 'text-anchor="end"'),
        `<rect x="${LABEL}" y="${y + 2}" width="${width}" height="16" rx="2" fill="${ours === true ? "#2563eb" : "#94a3b8"}"/>`,
        text(LABEL + Number(width) + 6, y + 14, value.toFixed(2), ""),
      );
      y += ROW - 4;
    }
    y += 12;
  }
  const style = "text{fill:#1f2937}@media(prefers-color-scheme:dark){text{fill:#e5e7eb}}";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" font-family="system-ui,sans-serif" font-size="13">` +
    `<style>${style}</style>\n${parts.join("\n")}\n</svg>\n`
  );
}

function text(x: number, y: number, content: string, attributes: string): string {
  return `<text x="${x.toFixed(0)}" y="${y}" ${attributes}>${escaped(content)}</text>`;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
