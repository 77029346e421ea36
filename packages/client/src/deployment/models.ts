/**
 * What servers answer beyond the four specified operations (docs/wire.md, section 1.9). Nothing of it is in the
 * specification, so every shape is open: only what this client reads must be there, all else is kept as it came.
 */
import * as z from "zod/mini";

const text = z.optional(z.nullable(z.string()));
const integer = z.number().check(z.int());

export const Version = z.looseObject({ backend_version: z.string() });

const flag = z.optional(z.nullable(z.boolean()));

/**
 * What a server keeps of an account beside its conversations. `use_memories`: what it remembers stands in every
 * question's prompt. `enable_memory_tool`: the model may add to it, whatever tools a question allows.
 */
export const Personalization = z.looseObject({
  use_memories: flag,
  enable_memory_tool: flag,
  /** Texts on some servers, objects with a `content` on others. */
  memories: z.optional(z.nullable(z.array(z.unknown()))),
});
export type Personalization = z.infer<typeof Personalization>;

/**
 * Who a key belongs to. `effective_permissions` on newer servers, `role` on older ones. `account_type` is
 * "SERVICE_ACCOUNT" for a key that was made for no person; see `accountOf`. `instance` says which data the
 * embedded service has: another `id` is another database, another `epoch` one that was restored from a backup.
 * `answered_by` is the embedded service's too: "model", or "quotes" where none is set up and sources are quoted;
 * `takes_traceparent`: pages of browser extensions may send it `traceparent` (W3C Trace Context); `asks_people`: people of the
 * company can be asked (`@threadlore/client/asks`), and of the caller's own asks so many (`untold_asks`) have an answer they
 * were not shown.
 */
export const Me = z.looseObject({
  id: z.string(),
  email: text,
  role: text,
  effective_permissions: z.optional(z.nullable(z.array(z.string()))),
  is_anonymous_user: flag,
  account_type: text,
  personalization: z.optional(z.nullable(Personalization)),
  instance: z.optional(z.nullable(z.looseObject({ id: z.string(), epoch: z.string() }))),
  answered_by: text,
  takes_traceparent: flag,
  asks_people: flag,
});
export type Me = z.infer<typeof Me>;

/** A session in a list. `name` is empty until somebody or the server named it. */
export const Session = z.looseObject({
  id: z.string(),
  name: text,
  persona_id: z.optional(z.nullable(integer)),
  time_created: text,
  time_updated: text,
});
export type Session = z.infer<typeof Session>;

/** A part of the list of sessions; `has_more`: there are older ones. */
export const SessionPage = z.looseObject({ sessions: z.array(Session), has_more: z.optional(z.boolean()) });
export type SessionPage = z.infer<typeof SessionPage>;

export const CreatedSession = z.looseObject({ chat_session_id: z.string() });

/** Questions the documents of an answer answer, too. Of the embedded service alone. */
export const FollowUps = z.looseObject({
  follow_ups: z.array(z.looseObject({ question: z.string(), document_id: z.string() })),
});
export type FollowUps = z.infer<typeof FollowUps>;

export const RenamedSession = z.looseObject({ new_name: z.string() });

/** A stored message. `parent_message` null: the root. `citations` ties numbers of the text to document ids. */
export const StoredMessage = z.looseObject({
  message_id: integer,
  parent_message: z.optional(z.nullable(integer)),
  latest_child_message: z.optional(z.nullable(integer)),
  message: z.string(),
  message_type: z.string(),
  citations: z.optional(z.nullable(z.record(z.string(), z.string()))),
  error: text,
  time_sent: text,
});
export type StoredMessage = z.infer<typeof StoredMessage>;

/** A session with everything said in it. `current_run` is there while an answer is being written. */
export const SessionDetail = z.looseObject({
  chat_session_id: z.string(),
  description: text,
  persona_id: z.optional(z.nullable(integer)),
  messages: z.array(StoredMessage),
  current_run: z.optional(z.nullable(z.looseObject({ run_id: integer }))),
});
export type SessionDetail = z.infer<typeof SessionDetail>;

/** What a session can be created with. Those with `is_listed: false` are not meant to be offered. */
export const Persona = z.looseObject({
  id: integer,
  name: z.string(),
  description: text,
  is_listed: z.optional(z.nullable(z.boolean())),
});
export type Persona = z.infer<typeof Persona>;

/** Questions are restricted by the `name`, not by the id. */
export const DocumentSet = z.looseObject({ id: integer, name: z.string(), description: text });
export type DocumentSet = z.infer<typeof DocumentSet>;

/** A tool; its `id` goes into `allowed_tool_ids`. `in_code_tool_id` is set for those built into the server. */
export const Tool = z.looseObject({
  id: integer,
  name: z.string(),
  display_name: text,
  description: text,
  in_code_tool_id: text,
});
export type Tool = z.infer<typeof Tool>;

const Named = z.looseObject({ id: integer, name: text, source: text });

/** A connector/credential pair; its own id is `cc_pair_id` in lists and `id` when it is asked for alone. */
export const Pair = z.looseObject({
  cc_pair_id: z.optional(integer),
  id: z.optional(integer),
  name: text,
  connector: Named,
  credential: Named,
  access_type: text,
});
export type Pair = z.infer<typeof Pair>;

/** What a connector can be given by a swap. No server shows its secret. */
export const Credential = Named;
export type Credential = z.infer<typeof Credential>;

/**
 * A document that was ingested. `document_id` is what deletion takes; `older`, which the embedded service tells, is how many
 * of those that could be listed were written before it.
 */
export const IngestedDocument = z.looseObject({
  document_id: z.string(),
  semantic_id: text,
  link: text,
  older: z.optional(z.nullable(integer)),
  /** Grows with each write of any document; the embedded service tells it to whoever sees everything. */
  written: z.optional(z.nullable(integer)),
});
export type IngestedDocument = z.infer<typeof IngestedDocument>;

/** A passage a search found. Servers list several of one document; their order is the server's ranking. */
export const FoundPassage = z.looseObject({
  citation_id: z.optional(z.nullable(integer)),
  /** What `documentText` takes; the embedded service tells it. */
  document_id: text,
  title: text,
  content: text,
  link: text,
  source_type: text,
  updated_at: text,
});
export type FoundPassage = z.infer<typeof FoundPassage>;

/**
 * A document's text, or a stretch of it: `next` is where the rest begins, null where nothing is left; `length` is of the
 * whole, in characters (UTF-16). Of the embedded service alone.
 */
export const DocumentText = z.looseObject({
  document_id: z.string(),
  title: z.string(),
  /** What is said of it as a whole, by whoever ingested it. */
  metadata: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  link: text,
  source_type: text,
  updated_at: text,
  length: integer,
  next: z.nullable(integer),
  pieces: z.array(z.looseObject({ text: z.string(), link: text })),
});
export type DocumentText = z.infer<typeof DocumentText>;

export const SearchReply = z.looseObject({ results: z.array(FoundPassage) });

/** An uploaded file: `id` names the user's file, `file_id` its bytes. The older upload gave one id for both. */
export const StoredFile = z.looseObject({
  id: z.string(),
  file_id: text,
  name: text,
  chat_file_type: text,
  status: text,
});

/** Both observed replies of an upload: a bare array, and an object that also tells what was refused. */
export const UploadReply = z.union([
  z.array(StoredFile),
  z.looseObject({
    user_files: z.array(StoredFile),
    rejected_files: z.optional(z.array(z.looseObject({ file_name: z.string(), reason: text }))),
  }),
]);
export type UploadReply = z.infer<typeof UploadReply>;
