/** Parts of Slack's forms and pages that more than one of ours has. */
import type { InputBlock, KnownBlock, ModalView, PlainTextElement, SectionBlock, View } from "@slack/types";
import { packed } from "../slack/render/blocks.ts";
import { LIMITS } from "../slack/transport/limits.ts";

/** Text without markup. */
export const plainText = (text: string): PlainTextElement => ({ type: "plain_text", text });

/** mrkdwn of our own. */
export const section = (text: string): SectionBlock => ({ type: "section", text: { type: "mrkdwn", text } });

/** A form or a page in front of the conversation; without `submit` it is only read. */
export function modal(
  {
    title,
    submit,
    close = "Close",
    ...rest
  }: { title: string; submit?: string; close?: string } & Partial<
    Pick<ModalView, "callback_id" | "notify_on_close" | "private_metadata">
  >,
  blocks: KnownBlock[],
): View {
  return {
    type: "modal",
    title: plainText(title),
    ...(submit === undefined ? {} : { submit: plainText(submit) }),
    close: plainText(close),
    ...rest,
    blocks,
  };
}

/** A field for some sentences; read by {@link wordsIn}. */
export function wordsField(block: string, label: string, placeholder?: string): InputBlock {
  return {
    type: "input",
    block_id: block,
    label: plainText(label),
    element: {
      type: "plain_text_input",
      action_id: "words",
      multiline: true,
      max_length: 3_000,
      ...(placeholder === undefined ? {} : { placeholder: plainText(placeholder) }),
    },
  };
}

/** What somebody wrote into a {@link wordsField}, without blanks around it. */
export function wordsIn(
  view: { state: { values: Record<string, Record<string, { value?: string | null }>> } },
  block: string,
): string {
  return view.state.values[block]?.["words"]?.value?.trim() ?? "";
}

/** Lines as sections, as many together as one takes. */
export function sections(lines: readonly string[]): SectionBlock[] {
  return packed(lines, LIMITS.sectionText - 1).map(section);
}
