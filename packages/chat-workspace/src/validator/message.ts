import { z } from "zod";
import { fieldsOf, isObject, isGiven, repeatedIn, type Arguments, type Fields } from "../fields.ts";
import { messageBlock } from "./blocks.ts";
import { chunk } from "./chunks.ts";
import { LIMITS } from "./limits.ts";
import { refusalsFrom, refusedIf, type Refusal } from "./refusal.ts";

/** Why blocks would be refused that have the id of another. */
export function blockIdRefusals(blocks: unknown, code: string, pointer: string): readonly Refusal[] {
  return repeatedIn(fieldsOf(blocks), "block_id").map(({ index, value }) => {
    return { code, pointer: `${pointer}/${index}/block_id`, words: `block_id ${String(value)} is used twice` };
  });
}

/** Why the blocks of a message would be refused. `many` is the code for too many of them. */
export function blocksRefusals(blocks: unknown, pointer: string, many = "invalid_blocks"): readonly Refusal[] {
  if (!isGiven(blocks)) return [];
  if (!Array.isArray(blocks) || !blocks.every(isObject)) {
    return [{ code: "invalid_blocks_format", pointer, words: "must be a list of blocks" }];
  }
  const most = LIMITS.blocksPerMessage;
  return [
    ...refusedIf(blocks.length > most, many, pointer, `no more than ${most} elements allowed`),
    ...refusalsFrom(z.array(messageBlock), blocks, "invalid_blocks", pointer),
    ...blockIdRefusals(blocks, "invalid_blocks", pointer),
    ...togetherRefusals(
      blocks.flatMap((block) => [block, ...fieldsOf(block["child_blocks"])]),
      pointer,
    ),
  ];
}

/** What is limited over all blocks of one message, those within containers too. */
function togetherRefusals(blocks: readonly Fields[], pointer: string): readonly Refusal[] {
  const tables = blocks.filter(({ type }) => type === "table" || type === "data_table");
  const markdown = blocks.filter(({ type, text }) => type === "markdown" && typeof text === "string");
  const most = LIMITS.markdownBlocks;
  const long = markdown.length > 1 && lengthOf(markdown) > most;
  const words = `no more than ${most} characters allowed in all markdown blocks`;
  return [
    ...refusedIf(tables.length > LIMITS.tables, "invalid_blocks", pointer, "only one table allowed in a message"),
    ...refusedIf(long, "msg_blocks_too_long", pointer, words),
  ];
}

function lengthOf(texts: readonly Fields[]): number {
  return texts.reduce((sum, { text }) => sum + String(text).length, 0);
}

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const flat = z.record(z.string(), scalar);

const eventMetadata = z.looseObject({
  event_type: z.string().regex(/^[\w.-]+$/, "must be letters, digits, _, - and . only"),
  event_payload: z.record(z.string(), z.union([scalar, flat, z.array(z.union([scalar, flat]))])),
});

/** Why the metadata of a message would be refused. An empty object takes away what was there. */
export function metadataRefusals(metadata: unknown, pointer: string): readonly Refusal[] {
  if (!isGiven(metadata)) return [];
  if (!isObject(metadata)) return [{ code: "invalid_metadata_format", pointer, words: "must be an object" }];
  if (Buffer.byteLength(JSON.stringify(metadata)) > LIMITS.metadataBytes) {
    return [{ code: "metadata_too_large", pointer, words: `no more than ${LIMITS.metadataBytes} bytes allowed` }];
  }
  if (Object.keys(metadata).length === 0 || isGiven(metadata.entities)) return [];
  return refusalsFrom(eventMetadata, metadata, "invalid_metadata_schema", pointer);
}

const said = z.string().optional();
const attachment = z.looseObject({
  blocks: z.array(z.unknown()).optional(),
  text: said,
  fallback: said,
  color: said,
  pretext: said,
  title: said,
  title_link: said,
  footer: said,
  mrkdwn_in: z.array(z.enum(["pretext", "text", "fields"])).optional(),
});

/** Why the attachments of a message would be refused. */
export function attachmentsRefusals(attachments: unknown, pointer: string): readonly Refusal[] {
  if (!isGiven(attachments)) return [];
  if (!Array.isArray(attachments)) {
    return [{ code: "invalid_attachments", pointer, words: "must be a list of attachments" }];
  }
  if (attachments.length > LIMITS.attachments) {
    return [{ code: "too_many_attachments", pointer, words: `no more than ${LIMITS.attachments} elements allowed` }];
  }
  return [
    ...refusalsFrom(z.array(attachment), attachments, "invalid_attachments", pointer),
    ...attachments.flatMap((each: unknown, index) =>
      isObject(each) ? blocksRefusals(each.blocks, `${pointer}/${index}/blocks`) : [],
    ),
  ];
}

function lengthRefusals(args: Arguments, name: string, most: number): readonly Refusal[] {
  const value = args[name];
  if (!isGiven(value)) return [];
  const pointer = `/${name}`;
  if (typeof value === "object") return [{ code: "invalid_arguments", pointer, words: "must be string" }];
  return refusedIf(String(value).length > most, "msg_too_long", pointer, `no more than ${most} characters allowed`);
}

/** Whether an argument is given, and no empty list. */
export function isSomething(value: unknown): boolean {
  return isGiven(value) && !(Array.isArray(value) && value.length === 0);
}

/** Why what a message says would be refused. */
export function contentRefusals(args: Arguments, longestText: number): readonly Refusal[] {
  const { text, blocks, attachments, markdown_text: markdown } = args;
  const conflict = isGiven(markdown) && (isGiven(text) || isSomething(blocks));
  const words = "markdown_text cannot be used together with text or blocks";
  const empty = ![text, blocks, attachments, markdown].some(isSomething);
  return [
    ...refusedIf(conflict, "markdown_text_conflict", "/markdown_text", words),
    ...refusedIf(empty, "no_text", "", "text, blocks, attachments or markdown_text needed"),
    ...lengthRefusals(args, "text", longestText),
    ...lengthRefusals(args, "markdown_text", LIMITS.markdownText),
    ...blocksRefusals(blocks, "/blocks"),
    ...attachmentsRefusals(attachments, "/attachments"),
    ...metadataRefusals(args["metadata"], "/metadata"),
  ];
}

/** Why what one call adds to a streamed message would be refused, whatever was streamed before. */
export function streamedRefusals(args: Arguments): readonly Refusal[] {
  const both = isGiven(args["markdown_text"]) && isGiven(args["chunks"]);
  const words = "markdown_text and chunks cannot be used together";
  return [
    ...lengthRefusals(args, "markdown_text", LIMITS.streamedPerCall),
    ...refusedIf(both, "cannot_provide_both_markdown_text_and_chunks", "/chunks", words),
    ...chunksRefusals(args["chunks"], "/chunks"),
  ];
}

function chunksRefusals(chunks: unknown, pointer: string): readonly Refusal[] {
  if (!isGiven(chunks)) return [];
  if (!Array.isArray(chunks)) return [{ code: "invalid_chunks", pointer, words: "must be a list of chunks" }];
  const given = fieldsOf(chunks);
  const texts = given.filter(({ type, text }) => type === "markdown_text" && typeof text === "string");
  const blocks = given.flatMap((each) => (each["type"] === "blocks" ? fieldsOf(each["blocks"]) : []));
  const most = LIMITS.streamedPerCall;
  return [
    ...refusalsFrom(z.array(chunk), chunks, "invalid_chunks", pointer),
    ...refusedIf(
      lengthOf(texts) > most,
      "msg_too_long",
      pointer,
      `no more than ${most} characters allowed in one call`,
    ),
    ...blocksRefusals(blocks, pointer, "msg_blocks_too_many"),
  ];
}
