/** Signs that are in every font, for the names apps use most. */
const SIGNS: Readonly<Record<string, string>> = {
  eyes: "◉◉",
  white_check_mark: "✓",
  heavy_check_mark: "✓",
  warning: "⚠",
  x: "✗",
  inbox_tray: "⇩",
  hourglass_flowing_sand: "⌛",
  hourglass: "⌛",
  pushpin: "⚑",
  round_pushpin: "⚑",
  raising_hand: "☝",
  speech_balloon: "❝",
  wastebasket: "⊘",
  pencil2: "✎",
  sos: "SOS",
  lock: "⚿",
  thumbsup: "+1",
  "+1": "+1",
};

/** What stands for an emoji's name; one that is not known is named. */
export function signOf(name: string): string {
  return SIGNS[name] ?? `:${name}:`;
}

/** Text with the known names made signs. */
export function withSigns(text: string): string {
  return text.replaceAll(/:([a-z0-9_+-]{1,40}):/g, (whole, name: string) => SIGNS[name] ?? whole);
}
