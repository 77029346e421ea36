/** The message that asks people, as it stands at each moment; pure. */
import type { Button, ConfirmationDialog, ContextBlock, KnownBlock, RichTextBlock } from "@slack/types";
import type { CallRecord, PinRecord } from "@threadlore/inbox";
import { plainText, section } from "../../ask/block-kit.ts";
import { button } from "../../slack/render/answer-actions.ts";
import { literalText, markupAddress, mrkdwnText, shortened } from "../../slack/render/escape.ts";
import { context } from "../../slack/render/text-blocks.ts";
import type { Place } from "../../slack/read/people.ts";

/** `action_id`s of its buttons. */
export const CALL_ACTIONS = { keep: /^help_keep(?:_\d)?$/, resolve: "help_resolve" } as const;

/** Of a call, what its message shows besides. */
export interface CallShown {
  /** What is kept of it, where something is or was to be. */
  readonly kept?: Pick<PinRecord, "state" | "title" | "permalink" | "reason" | "by"> | undefined;
  /** It can be found by now. */
  readonly isFound?: boolean;
  /** Who of those who replied may have it kept, and how they are called. */
  readonly keepers: readonly { readonly user: string; readonly name: string }[];
  /** What whoever presses is told first: who will find it. */
  readonly visibility: string;
  /** Of which kind the channel was when that was said; goes with the press. */
  readonly kind?: Place["kind"] | undefined;
}

/** Mentions are built from ids alone, never from anything written. */
export const mentionOf = (id: string): string => (id.startsWith("S") ? `<!subteam^${id}>` : `<@${id}>`);

/** So many who replied have a button of their own. */
const MAX_KEEPERS = 3;
/** Characters of a question in the message: it has to fit a telephone. */
const MAX_QUOTED = 300;
const MAX_TITLE = 60;

/** Its text and blocks. */
export function callMessage(
  call: CallRecord,
  shown: CallShown,
): { readonly text: string; readonly blocks: KnownBlock[] } {
  const stage = stageOf(call, shown);
  const head = stage === "kept" || stage === "resolved" ? askedBy(call) : headOf(call);
  const quoted = call.question === "" ? [] : [quote(call.question)];
  const text = `${head}${call.question === "" ? "" : ` ${mrkdwnText(call.question)}`}`;
  return { text, blocks: [section(head), ...quoted, ...END[stage](call, shown)] };
}

function headOf({ helpers, asker, by, private: isPrivate, panel, question }: CallRecord): string {
  const whom = helpers.map(mentionOf).join(" ");
  if (question === "") return `:raising_hand: ${whom}: the question was ${asker === "" ? "taken back" : "deleted"}.`;
  if (panel !== undefined) {
    const who = panel.name === undefined ? "Somebody" : mrkdwnText(panel.name);
    return `:raising_hand: ${whom}: ${who} asks in the side panel, and reads the answer there once it is kept:`;
  }
  if (isPrivate !== undefined) {
    const who = isPrivate.named ? `<@${asker}> asks` : "Somebody asks, who does not want to be named";
    return `:raising_hand: ${whom}: ${who}:`;
  }
  const whose = by === asker ? "this question" : `this question of <@${asker}>`;
  return `:raising_hand: ${whom}: ${by === "" ? "somebody" : `<@${by}>`} needs a person for ${whose}:`;
}

/** Nobody is wanted any more. */
function askedBy({ asker, private: isPrivate }: CallRecord): string {
  return isPrivate?.named === false || asker === "" ? "Somebody asked:" : `<@${asker}> asked:`;
}

type Stage = "open" | "keeping" | "failed" | "kept" | "resolved";

function stageOf({ state, toldAt }: CallRecord, { kept, isFound = false }: CallShown): Stage {
  if (state !== "kept") return state;
  if (kept?.state === "tombstone") return "open";
  if (isFound || toldAt !== undefined) return "kept";
  return kept?.state === "failed" ? "failed" : "keeping";
}

const END: Readonly<Record<Stage, (call: CallRecord, shown: CallShown) => KnownBlock[]>> = {
  open: (call, shown) => [...closestLine(call), ...directLine(call), ...repliesLine(call), ...actions(call, shown)],
  keeping: () => [context([":hourglass_flowing_sand: There is an answer. It is being kept."])],
  failed: (call, shown) => [
    context([
      `:warning: The answer of <@${shown.kept?.by}> could not be kept. ${mrkdwnText(shown.kept?.reason ?? "")}`,
    ]),
    ...actions(call, shown),
  ],
  kept: (_, { kept }) => [
    context([
      `:white_check_mark: Answered by <@${kept?.by}>, kept as ${linkTo("a document", kept?.permalink)} for whoever asks next.`,
    ]),
  ],
  resolved: ({ resolvedBy }) => [context([`:white_check_mark: <@${resolvedBy}> marked this as resolved.`])],
};

/** A title as a link of mrkdwn, where there is an address. */
function linkTo(title: string, address: string | undefined, longest = MAX_TITLE): string {
  const words = mrkdwnText(shortened(title.replace(/\s+/g, " ").trim(), longest)).replaceAll("|", "¦") || "a document";
  return address === undefined ? words : `<${markupAddress(address)}|${words}>`;
}

/** Somebody's words, shown as they are. */
function quote(words: string): RichTextBlock {
  const text = shortened(literalText(words), MAX_QUOTED);
  return { type: "rich_text", elements: [{ type: "rich_text_quote", elements: [{ type: "text", text }] }] };
}

function closestLine({ closest, replies }: CallRecord): ContextBlock[] {
  if (closest.length === 0 || replies.length > 0) return [];
  const names = closest.slice(0, 3).map(({ title, link }) => linkTo(title, link));
  return [context([`Closest in the documents: ${names.join(" · ")}`])];
}

/** Whoever asked reads nothing of a direct message but what is kept of it. */
function directLine({ channel, replies }: CallRecord): ContextBlock[] {
  if (!channel.startsWith("D") || replies.length > 0) return [];
  return [
    context(["Reply in this thread. Whoever asked is told once you have your answer kept, and can read it then."]),
  ];
}

function repliesLine({ replies }: CallRecord): ContextBlock[] {
  if (replies.length === 0) return [];
  const first = replies.slice(0, MAX_KEEPERS).map(({ user }) => `<@${user}>`);
  const more = replies.length - first.length;
  const names = more > 0 ? [...first, `${more} more`] : first;
  const listed = names.length === 1 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return [context([`:speech_balloon: ${listed} replied.`])];
}

function actions({ task }: CallRecord, { keepers, visibility, kind }: CallShown): KnownBlock[] {
  const some = keepers.slice(0, MAX_KEEPERS);
  const keep = some.map(({ user, name }, at): Button => {
    const words = some.length === 1 ? "Keep as the answer" : `Keep ${shortened(literalText(name), 40)}’s answer`;
    return {
      ...button(words, `help_keep_${at}`, [task, user, kind].filter(Boolean).join(":")),
      style: "primary",
      confirm: confirmation(visibility),
    };
  });
  return [{ type: "actions", elements: [...keep, button("Mark as resolved", CALL_ACTIONS.resolve, task)] }];
}

function confirmation(visibility: string): ConfirmationDialog {
  const text = `What you wrote in this thread since the question becomes a document. ${visibility}`;
  return {
    title: plainText("Keep as the answer?"),
    text: plainText(shortened(text, 300)),
    confirm: plainText("Keep"),
    deny: plainText("Cancel"),
  };
}
