import type { VNode } from "preact";
import { i18n } from "#i18n";

/** What a person notices of this version, the most useful first. */
const NOTES = [
  "panel.news.again",
  "panel.news.site",
  "panel.news.undo",
  "panel.news.hanging",
  "panel.news.differ",
] as const;

/** What is new in this version. */
export function Notes(): VNode {
  return (
    <ul>
      {NOTES.map((note) => (
        <li key={note}>{i18n.t(note)}</li>
      ))}
    </ul>
  );
}
