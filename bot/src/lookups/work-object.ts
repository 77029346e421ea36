import { type EntityMetadata, EntityType, type KnownBlock } from "@slack/types";
import { parseMoment } from "@threadlore/client/models";
import { literalText, markupAddress, mrkdwnText, shortened } from "../slack/render/escape.ts";
import { excerptOf } from "./excerpts.ts";
import type { FoundDocument } from "./documents.ts";

const MAX_TITLE = 150;
/** Below a message everybody reads along; whoever opens a preview wants more. */
export const EXCERPT = { below: 300, opened: 1_500 } as const;

/** A document as the platform shows what lies elsewhere. `app_unfurl_url` is added where it stands below a message. */
export function workObject({ id, title, link, passages, updatedAt }: FoundDocument, longest: number): EntityMetadata {
  const moment = parseMoment(updatedAt ?? "");
  const seconds = moment === undefined ? undefined : Math.floor(moment / 1_000);
  const excerpt = excerptOf(passages, title, longest);
  return {
    entity_type: EntityType.ContentItem,
    url: link,
    external_ref: { id, type: "document" },
    entity_payload: {
      attributes: {
        title: { text: titleOf(title) },
        display_type: "Document",
        ...(seconds !== undefined && { metadata_last_modified: seconds }),
      },
      fields: {
        ...(excerpt !== "" && { description: { value: excerpt } }),
        ...(seconds !== undefined && { date_updated: { value: seconds } }),
      },
    },
  };
}

/** The same for a workspace that knows no Work Objects. */
export function previewBlocks({ title, link, passages, updatedAt }: FoundDocument): KnownBlock[] {
  const moment = parseMoment(updatedAt ?? "");
  const day = moment === undefined ? "" : ` · ${new Date(moment).toISOString().slice(0, 10)}`;
  const head = `<${markupAddress(link)}|${mrkdwnText(titleOf(title)).replaceAll("|", "¦")}>${day}`;
  const text = [head, mrkdwnText(excerptOf(passages, title, EXCERPT.below))].filter((line) => line !== "").join("\n");
  return [{ type: "section", text: { type: "mrkdwn", text } }];
}

const titleOf = (title: string): string => shortened(literalText(title), MAX_TITLE) || "Untitled";
