import { asFlag } from "../fields.ts";
import { markupIn } from "./markup.ts";

/** Something a careful app would not do, though Slack would take it. */
export interface Breach {
  /** What was not kept to. */
  readonly rule: "unfurls" | "link_names" | "parse_full" | "broadcast" | "misleading_label";
  /** What is wrong, in plain words. */
  readonly words: string;
}

const speaking: ReadonlySet<string> = new Set([
  "chat.postMessage",
  "chat.postEphemeral",
  "chat.update",
  "chat.startStream",
  "chat.appendStream",
  "chat.stopStream",
  "chat.unfurl",
  "views.open",
  "views.push",
  "views.update",
  "views.publish",
  "files.completeUploadExternal",
  "response_url",
  "command_reply",
  "submission_reply",
]);

/** Where an address or a label that looks like one leads: its host, without `www.`. */
function hostIn(text: string): string | undefined {
  const found = /^\s*(?:https?:\/\/)?(?:www\.)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?=[/:?#\s]|$)/iu.exec(text);
  return found?.[1]?.toLowerCase();
}

/** A label that reads like one address while the link leads to another. */
function misleads(label: string, url: string): boolean {
  if (!/^\s*(?:https?:\/\/|www\.)/i.test(label)) return false;
  const shown = hostIn(label);
  return shown !== undefined && shown !== hostIn(url);
}

/**
 * What a careful app would have done otherwise: unfurling is switched off in every `chat.postMessage` (the other methods
 * know no such switch or never unfurl), names are not looked up in text (`link_names`, `parse: "full"`), nobody is called
 * by a broadcast, no label reads like another address than the one behind it.
 */
export function policyOf(method: string, args: Record<string, unknown>): readonly Breach[] {
  if (!speaking.has(method)) return [];
  const unfurling = ["unfurl_links", "unfurl_media"].filter(
    (name) => method === "chat.postMessage" && asFlag(args[name]) !== false,
  );
  const { broadcasts, links } = markupIn(args);
  return [
    ...unfurling.map((name): Breach => ({ rule: "unfurls", words: `${name} is not false` })),
    ...breachIf(asFlag(args.link_names) === true, "link_names", "link_names looks names up"),
    ...breachIf(args.parse === "full", "parse_full", "parse full turns any word into a mention"),
    ...broadcasts.map((range): Breach => ({ rule: "broadcast", words: `calls everybody with ${range}` })),
    ...links
      .filter(({ label, url }) => misleads(label, url))
      .map(({ label, url }): Breach => ({ rule: "misleading_label", words: `${label} leads to ${url}` })),
  ];
}

function breachIf(wrong: boolean, rule: Breach["rule"], words: string): readonly Breach[] {
  return wrong ? [{ rule, words }] : [];
}
