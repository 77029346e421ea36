/** Parts of Slack's forms and pages that more than one of ours has. */
import type { InputBlock, KnownBlock, ModalView, PlainTextElement, SectionBlock } from "@slack/types";
import type { ViewOutput } from "@slack/bolt";
import { packed } from "../slack/render/text-blocks.ts";
import { LIMITS } from "../slack/transport/limits.ts";

/** Text without markup. */
export const plainText = (text: string): PlainTextElement => ({ type: "plain_text", text });

/** mrkdwn of our own. */
export const section = (text: string): SectionBlock => ({ type: "section", text: { type: "mrkdwn", text } });

type Form = Pick<ModalView, "callback_id" | "notify_on_close" | "private_metadata"> & {
  readonly title: string;
  readonly submit?: string;
  readonly close?: string;
};

/** A form or a page in front of the conversation; without `submit` it is only read. */
export function modal({ title, submit, close = "Close", ...rest }: Form, blocks: KnownBlock[]): ModalView {
  const sent = submit === undefined ? undefined : plainText(submit);
  return { type: "modal", title: plainText(title), submit: sent, close: plainText(close), ...rest, blocks };
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
      placeholder: placeholder === undefined ? undefined : plainText(placeholder),
    },
  };
}

/** What somebody wrote into a {@link wordsField}, without blanks around it. */
export function wordsIn({ state }: Pick<ViewOutput, "state">, block: string): string {
  return state.values[block]?.["words"]?.value?.trim() ?? "";
}

/** Lines as sections, as many together as one takes. */
export function sections(lines: readonly string[]): SectionBlock[] {
  return packed(lines, LIMITS.sectionText - 1).map(section);
}
