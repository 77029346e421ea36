import * as z from "zod/mini";
import { DocumentSource, JsonObject, dateTime, integer, optionalNullable, requestObject } from "./values.ts";

/**
 * A part of a document: a text, an uploaded image or an uploaded table. The specification demands `text` of each;
 * deployed servers take a section for an image only where it has none, or where `type` says so (docs/wire.md, section 3).
 */
export const Section = requestObject({
  /** Absent only where `image_file_id`, `csv_file_id` or `type: "image"` says what stands there instead. */
  text: optionalNullable(z.string()),
  link: optionalNullable(z.string()),
  image_file_id: optionalNullable(z.string()),
  /** "text", "image" or "tabular". Not specified; deployed servers tell the kinds apart without it. */
  type: optionalNullable(z.string()),
  /** What stands above the text. Not specified; deployed servers have it. */
  heading: optionalNullable(z.string()),
  /** An uploaded table, which needs a `link` too. Not specified; deployed servers have it. */
  csv_file_id: optionalNullable(z.string()),
}).check(({ value, issues }) => {
  if (value.text != null || value.image_file_id || value.csv_file_id || value.type === "image") return;
  issues.push({ code: "invalid_type", expected: "string", input: undefined, path: ["text"] });
});
export type Section = z.infer<typeof Section>;

/** A person answerable for a document. All strings; `middle_initial` may be null. */
export const Owner = requestObject({
  display_name: optionalNullable(z.string()),
  first_name: optionalNullable(z.string()),
  middle_initial: optionalNullable(z.string()),
  last_name: optionalNullable(z.string()),
  email: optionalNullable(z.string()),
});
export type Owner = z.infer<typeof Owner>;

/** Free attributes of a document: string keys, values a string or an array of strings. */
export const Metadata = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string())], "Input should be a string or an array of strings"),
);
export type Metadata = z.infer<typeof Metadata>;

/** A document to be indexed. */
export const IngestionDocument = requestObject({
  /** Stable identifier. Absent or empty: the server derives one. */
  id: optionalNullable(z.string()),
  /** Title shown to people. */
  semantic_identifier: z.string(),
  /** Title used for search; absent: `semantic_identifier`. */
  title: optionalNullable(z.string()),
  sections: z.array(Section),
  source: z._default(DocumentSource, "ingestion_api"),
  metadata: z._default(Metadata, {}),
  /** Always send an offset: deployed servers cannot update a document that once had none (docs/wire.md, section 3). */
  doc_updated_at: optionalNullable(dateTime),
  chunk_count: optionalNullable(integer),
  primary_owners: optionalNullable(z.array(Owner)),
  secondary_owners: optionalNullable(z.array(Owner)),
  from_ingestion_api: z.optional(z.nullable(z.boolean())),
  // What follows is not specified; deployed servers have it.
  /** For `created_at_range`; since v4.4. Always send an offset. */
  doc_created_at: optionalNullable(dateTime),
  /** The uploaded file the document was made of. */
  file_id: optionalNullable(z.string()),
  /** Accepted and not kept, as are the three below (docs/wire.md, section 3). */
  doc_metadata: optionalNullable(JsonObject),
  external_access: optionalNullable(JsonObject),
  parent_hierarchy_raw_node_id: optionalNullable(z.string()),
  parent_hierarchy_node_id: optionalNullable(integer),
});
/** A document after parsing: source and metadata filled in. */
export type IngestionDocument = z.output<typeof IngestionDocument>;
/** A document as a caller writes it: title and sections are required. */
export type IngestionDocumentInput = Omit<z.input<typeof IngestionDocument>, "source"> & { source?: DocumentSource };

/** The request body of ingestion. Without `cc_pair_id` deployed servers use their public default pair. */
export const IngestionRequest = requestObject({ document: IngestionDocument, cc_pair_id: optionalNullable(integer) });
export type IngestionRequest = z.output<typeof IngestionRequest>;
/** An ingestion request as a caller writes it. */
export type IngestionRequestInput = { document: IngestionDocumentInput; cc_pair_id?: number | null };

/**
 * What ingestion answers. `document_id` is the identity the server keeps, which can differ from the id sent; the
 * specification shows only `already_existed`.
 */
export const IngestionResponse = z.looseObject({
  already_existed: z.boolean(),
  document_id: z.optional(z.string()),
});
export type IngestionResponse = z.infer<typeof IngestionResponse>;
