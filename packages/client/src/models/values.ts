import * as z from "zod/mini";
// oxlint-disable-next-line import/no-unassigned-import -- types alone, which the declarations of zod need
import "../ambient.ts";
import { parseMoment } from "./moment.ts";

/** A value typed as the known names, while any other string of the same kind is accepted too. */
export type Open<Known extends string> = Known | (string & Record<never, never>);

const identifier = z
  .string()
  .check(z.regex(/^[a-z][a-z0-9_]*$/, "Input should be a lower-case identifier such as 'web' or 'ingestion_api'"));

/** An ISO 8601 date or date-time, as a string. `2026-01-31`, `2026-01-31T10:00:00Z`, `2026-01-31T10:00:00+02:00`. */
export const dateTime = z
  .string()
  .check(
    z.refine(
      (text) => parseMoment(text) !== undefined,
      "Input should be an ISO 8601 date-time such as '2026-01-31T10:00:00Z'",
    ),
  );

export const uuid = z
  .string()
  .check(
    z.regex(
      /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
      "Input should be a UUID such as '3f2b8c1e-5d4a-4c6b-9e7f-0a1b2c3d4e5f'",
    ),
  );

export const integer = z.number().check(z.int("Input should be a whole number"));
export const optionalNullable = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(z.nullable(schema));

/** A JSON object, kept as it is. */
export const JsonObject = z.record(z.string(), z.unknown());
export type JsonObject = z.infer<typeof JsonObject>;

/**
 * The schema of a part of a request. Keys it does not know pass as they are: a server may know them, and a filter that
 * got lost on the way would widen what is searched. Its type names the known keys alone, so that a misspelt one is
 * still an error where it is written.
 */
export function requestObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const schema = z.looseObject(shape);
  return schema as unknown as ReturnType<typeof z.object<Shape>>;
}

/**
 * Origin system of a document: a value the specification prints, or any lower-case identifier (section 2). Servers know
 * many more, some of them nearly sixty.
 */
export const DocumentSource = identifier;
export type DocumentSource = Open<
  "ingestion_api" | "web" | "file" | "user_file" | "not_applicable" | "mock_connector" | "imap"
>;

/**
 * Where a message came from, for telemetry; unset when absent. The five printed origins, then the two the specification
 * leaves unnamed: the chat-platform bot and the extension.
 */
export const MessageOrigin = identifier;
export type MessageOrigin = Open<"webapp" | "api" | "widget" | "unknown" | "unset" | "slackbot" | "chrome_extension">;

/**
 * Kind of an attached file. Later servers say `tabular` where the specification says `csv`: send back the
 * `chat_file_type` an upload answered with.
 */
export const ChatFileType = identifier;
export type ChatFileType = Open<"image" | "document" | "plain_text" | "csv">;
