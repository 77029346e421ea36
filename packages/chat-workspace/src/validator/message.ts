import { z } from "zod";
import { fieldsOf, isObject, isGiven, repeatedIn, type Arguments, type Fields } from "../fields.ts";
import { messageBlock } from "./blocks.ts";
import { chunk } from "./chunks.ts";
import { LIMITS } from "./limits.ts";
import { refusalsFrom, type Refusal } from "./refusal.ts";

/** Blocks with those within containers. */
function withChildren(blocks: readonly Fields[]): readonly Fields[] {
  return blocks.flatMap((block) => [block, ...fieldsOf(block.child_blocks)]);
}

function repeatedIds(blocks: readonly Fields[], code: string, pointer: string): readonly Refusal[] {
  return repeatedIn(blocks, "block_id").map(({ index, value }) => {
    return { code, pointer: `${pointer}/${index}/block_id`, words: `block_id ${String(value)} is used twice` };
  });
}

/** Why blocks in a view would be refused beside what each is by itself. */
export function blockIdRefusals(blocks: unknown, code: string, pointer: string): readonly Refusal[] {
  return repeatedIds(fieldsOf(blocks), code, pointer);
}

/** Why the blocks of a message would be refused. `many` is the code for too many of them. */
export function blocksRefusals(blocks: unknown, pointer: string, many = "invalid_blocks"): readonly Refusal[] {
  if (!isGiven(blocks)) return [];
  if (!Array.isArray(blocks) || !blocks.every(isObject)) {
    return [{ code: "invalid_blocks_format", pointer, words: "must be a list of blocks" }];
  }
  const refusals: Refusal[] = [];
  if (blocks.length > LIMITS.blocksPerMessage) {
    const words = `no more than ${LIMITS.blocksPerMessage} elements allowed`;
    refusals.push({ code: many, pointer, words });
  }
  refusals.push(
    ...refusalsFrom(z.array(messageBlock), blocks, "invalid_blocks", pointer),
    ...repeatedIds(blocks, "invalid_blocks", pointer),
    ...togetherRefusals(withChildren(blocks), pointer),
  );
  return refusals;
}

/** What is limited over all blocks of one message. */
function togetherRefusals(blocks: readonly Fields[], pointer: string): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const tables = blocks.filter(({ type }) => type === "table" || type === "data_table");
  if (tables.length > LIMITS.tables) {
    refusals.push({ code: "invalid_blocks", pointer, words: "only one table allowed in a message" });
  }
  const markdown = blocks.filter(({ type, text }) => type === "markdown" && typeof text === "string");
  const length = markdown.reduce((sum, { text }) => sum + String(text).length, 0);
  if (markdown.length > 1 && length > LIMITS.markdownBlocks) {
    const words = `no more than ${LIMITS.markdownBlocks} characters allowed in all markdown blocks`;
    refusals.push({ code: "msg_blocks_too_long", pointer, words });
  }
  return refusals;
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
  if (!isObject(metadata)) {
    return [{ code: "invalid_metadata_format", pointer, words: "must be an object" }];
  }
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > LIMITS.metadataBytes) {
    const words = `no more than ${LIMITS.metadataBytes} bytes allowed`;
    return [{ code: "metadata_too_large", pointer, words }];
  }
  if (Object.keys(metadata).length === 0 || isGiven(metadata.entities)) return [];
  return refusalsFrom(eventMetadata, metadata, "invalid_metadata_schema", pointer);
}

const attachment = z.looseObject({
  blocks: z.array(z.unknown()).optional(),
  text: z.string().optional(),
  fallback: z.string().optional(),
  color: z.string().optional(),
  pretext: z.string().optional(),
  title: z.string().optional(),
  title_link: z.string().optional(),
  footer: z.string().optional(),
  mrkdwn_in: z.array(z.enum(["pretext", "text", "fields"])).optional(),
});

/** Why the attachments of a message would be refused. */
export function attachmentsRefusals(attachments: unknown, pointer: string): readonly Refusal[] {
  if (!isGiven(attachments)) return [];
  if (!Array.isArray(attachments)) {
    return [{ code: "invalid_attachments", pointer, words: "must be a list of attachments" }];
  }
  if (attachments.length > LIMITS.attachments) {
    const words = `no more than ${LIMITS.attachments} elements allowed`;
    return [{ code: "too_many_attachments", pointer, words }];
  }
  return [
    ...refusalsFrom(z.array(attachment), attachments, "invalid_attachments", pointer),
    ...attachments.flatMap((each: unknown, index) =>
      isObject(each) ? blocksRefusals(each.blocks, `${pointer}/${index}/blocks`) : [],
    ),
  ];
}

function lengthRefusals(args: Arguments, name: string, longest: number): readonly Refusal[] {
  const value = args[name];
  if (!isGiven(value)) return [];
  const pointer = `/${name}`;
  if (typeof value === "object") return [{ code: "invalid_arguments", pointer, words: "must be string" }];
  if (String(value).length <= longest) return [];
  return [{ code: "msg_too_long", pointer, words: `no more than ${longest} characters allowed` }];
}

const isSomething = (value: unknown) => isGiven(value) && !(Array.isArray(value) && value.length === 0);

/** Why what a message says would be refused. */
export function contentRefusals(args: Arguments, longestText: number): readonly Refusal[] {
  const refusals: Refusal[] = [];
  if (isGiven(args.markdown_text) && (isGiven(args.text) || isSomething(args.blocks))) {
    const words = "markdown_text cannot be used together with text or blocks";
    refusals.push({ code: "markdown_text_conflict", pointer: "/markdown_text", words });
  }
  const parts = [args.text, args.blocks, args.attachments, args.markdown_text];
  if (!parts.some(isSomething)) {
    refusals.push({ code: "no_text", pointer: "", words: "text, blocks, attachments or markdown_text needed" });
  }
  refusals.push(
    ...lengthRefusals(args, "text", longestText),
    ...lengthRefusals(args, "markdown_text", LIMITS.markdownText),
    ...blocksRefusals(args.blocks, "/blocks"),
    ...attachmentsRefusals(args.attachments, "/attachments"),
    ...metadataRefusals(args.metadata, "/metadata"),
  );
  return refusals;
}

/** Why what one call adds to a streamed message would be refused, whatever was streamed before. */
export function streamedRefusals(args: Arguments): readonly Refusal[] {
  const refusals: Refusal[] = [...lengthRefusals(args, "markdown_text", LIMITS.streamedPerCall)];
  if (isGiven(args.markdown_text) && isGiven(args.chunks)) {
    const words = "markdown_text and chunks cannot be used together";
    refusals.push({ code: "cannot_provide_both_markdown_text_and_chunks", pointer: "/chunks", words });
  }
  return [...refusals, ...chunksRefusals(args.chunks)];
}

function chunksRefusals(chunks: unknown): readonly Refusal[] {
  const pointer = "/chunks";
  if (!isGiven(chunks)) return [];
  if (!Array.isArray(chunks)) return [{ code: "invalid_chunks", pointer, words: "must be a list of chunks" }];
  const given = fieldsOf(chunks);
  const texts = given.filter(({ type, text }) => type === "markdown_text" && typeof text === "string");
  const blocks = given.flatMap((each) => (each.type === "blocks" ? fieldsOf(each.blocks) : []));
  const refusals: Refusal[] = [...refusalsFrom(z.array(chunk), chunks, "invalid_chunks", pointer)];
  if (texts.reduce((sum, { text }) => sum + String(text).length, 0) > LIMITS.streamedPerCall) {
    const words = `no more than ${LIMITS.streamedPerCall} characters allowed in one call`;
    refusals.push({ code: "msg_too_long", pointer, words });
  }
  return [...refusals, ...blocksRefusals(blocks, pointer, "msg_blocks_too_many")];
}
