import { z } from "zod";
import { asFlag, isObject, isGiven, type Arguments } from "../fields.ts";
import { presentedRefusals, unfurledEntitiesRefusals } from "./entities.ts";
import { LIMITS } from "./limits.ts";
import {
  attachmentsRefusals,
  blockIdRefusals,
  blocksRefusals,
  contentRefusals,
  isSomething,
  metadataRefusals,
  streamedRefusals,
} from "./message.ts";
import { refusalsFrom, refusedIf, type Refusal } from "./refusal.ts";
import { filled, listOf, some } from "./text-objects.ts";
import { anyView, homeView, modalView } from "./views.ts";

type Check = (args: Arguments) => readonly Refusal[];

/** Refuses a call that leaves out what it must name. */
function needs(...names: readonly string[]): Check {
  return (args) =>
    names.flatMap((name) =>
      refusedIf(!isGiven(args[name]), "invalid_arguments", `/${name}`, `missing required field: ${name}`),
    );
}

/** Refuses an argument that is given and not what the schema says. */
function argument(name: string, schema: z.ZodType): Check {
  return (args) => (isGiven(args[name]) ? refusalsFrom(schema, args[name], "invalid_arguments", `/${name}`) : []);
}

const all =
  (...checks: readonly Check[]): Check =>
  (args) =>
    checks.flatMap((check) => check(args));

const timestamp = z.string().regex(/^\d+\.\d{6}$/, "must be a message's ts");
const posted: Check = (args) => contentRefusals(args, LIMITS.text);

/** What is replaced: without new content the message would say nothing, so the same rules as for a post. */
const updated: Check = (args) => contentRefusals(args, LIMITS.updatedText);

const view =
  (schema: z.ZodType): Check =>
  (args) => {
    const pointer = "/view";
    if (!isObject(args.view)) return [{ code: "invalid_arguments", pointer, words: "must be a view" }];
    if (Buffer.byteLength(JSON.stringify(args.view)) > LIMITS.viewBytes) {
      return [{ code: "view_too_large", pointer, words: `no more than ${LIMITS.viewBytes} bytes allowed` }];
    }
    return [
      ...refusalsFrom(schema, args.view, "invalid_arguments", pointer),
      ...blockIdRefusals(args.view.blocks, "invalid_arguments", "/view/blocks"),
    ];
  };

/** An append that adds nothing is refused; a start or a stop may. */
const adding: Check = ({ markdown_text, chunks }) => {
  const nothing = !isGiven(markdown_text) && !isSomething(chunks);
  return refusedIf(nothing, "markdown_text_or_chunks_required", "", "markdown_text or chunks needed");
};

const sessionStatus = z.enum(["active", "processing", "suspended", "closed"]);

const finished: Check = (args) => [
  ...blocksRefusals(args.blocks, "/blocks", "msg_blocks_too_many"),
  ...metadataRefusals(args.metadata, "/metadata"),
];

const unfurled: Check = (args) => [
  ...Object.entries(isObject(args.unfurls) ? args.unfurls : {}).flatMap(([url, unfurl]) =>
    attachmentsRefusals([unfurl], `/unfurls/${url.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  ),
  ...unfurledEntitiesRefusals(args),
];

/** An answer to a response_url may also only take the message away. */
const responded: Check = (args) => (asFlag(args.delete_original) === true ? [] : posted(args));

/** What a slash command is answered with at once; nothing is an answer too. */
const replied: Check = (args) => (Object.keys(args).length === 0 ? [] : posted(args));

const errors = z.record(z.string(), some).refine((given) => Object.keys(given).length > 0, "at least one error needed");

const submissionReply = z.discriminatedUnion("response_action", [
  z.looseObject({ response_action: z.literal("clear") }),
  z.looseObject({ response_action: z.literal("errors"), errors }),
  z.looseObject({ response_action: z.enum(["update", "push"]), view: z.unknown() }),
]);

/** What a submitted modal is answered with. */
const submitted: Check = (args) => {
  if (Object.keys(args).length === 0) return [];
  const refusals = refusalsFrom(submissionReply, args, "invalid_arguments", "");
  const opens = args.response_action === "update" || args.response_action === "push";
  return opens ? [...refusals, ...view(modalView)(args)] : refusals;
};

const prompts = listOf(z.looseObject({ title: some, message: some }), LIMITS.suggestedPrompts);

const validated: Check = (args) => {
  const given = ["blocks", "message", "view"].filter((name) => isGiven(args[name]));
  const words = "exactly one of blocks, message and view needed";
  if (given.length !== 1) return [{ code: "invalid_arguments", pointer: "", words }];
  if (isGiven(args.view)) return view(anyView)(args).map((refusal) => ({ ...refusal, code: "invalid_view" }));
  if (!isGiven(args.message)) return blocksRefusals(args.blocks, "/blocks");
  const message = isObject(args.message) ? args.message : {};
  return [
    ...blocksRefusals(message.blocks, "/message/blocks"),
    ...attachmentsRefusals(message.attachments, "/message/attachments"),
  ].map((refusal) => ({ ...refusal, code: "invalid_message" }));
};

const checks: Readonly<Record<string, Check>> = {
  "chat.postMessage": all(needs("channel"), argument("thread_ts", timestamp), posted),
  "chat.postEphemeral": all(needs("channel", "user"), argument("thread_ts", timestamp), posted),
  "chat.update": all(needs("channel", "ts"), updated),
  "chat.delete": needs("channel", "ts"),
  "chat.getPermalink": needs("channel", "message_ts"),
  "chat.startStream": all(
    needs("channel", "thread_ts"),
    argument("thread_ts", timestamp),
    argument("task_display_mode", z.enum(["timeline", "plan", "dense"])),
    streamedRefusals,
  ),
  "chat.appendStream": all(needs("channel", "ts"), adding, streamedRefusals),
  "chat.stopStream": all(needs("channel", "ts"), argument("session_status", sessionStatus), streamedRefusals, finished),
  "chat.unfurl": unfurled,
  "entity.presentDetails": all(needs("trigger_id"), presentedRefusals),
  "functions.completeSuccess": needs("function_execution_id", "outputs"),
  "functions.completeError": all(needs("function_execution_id", "error"), argument("error", some)),
  "assistant.search.context": all(
    needs("query"),
    argument("sort", z.enum(["score", "timestamp"])),
    argument("sort_dir", z.enum(["asc", "desc"])),
  ),
  response_url: responded,
  command_reply: replied,
  submission_reply: submitted,
  "views.open": view(modalView),
  "views.push": view(modalView),
  "views.update": view(anyView),
  "views.publish": all(needs("user_id"), view(homeView)),
  "files.completeUploadExternal": (args) => blocksRefusals(args.blocks, "/blocks"),
  "assistant.threads.setSuggestedPrompts": all(needs("channel_id", "prompts"), argument("prompts", prompts)),
  "assistant.threads.setStatus": all(
    needs("channel_id", "thread_ts"),
    argument("loading_messages", z.array(some).max(LIMITS.loadingMessages)),
  ),
  "assistant.threads.setTitle": needs("channel_id", "thread_ts", "title"),
  "agents.sessions.setStatus": all(
    needs("channel_id", "thread_ts", "status"),
    argument("status", sessionStatus),
    argument("title", z.string().max(LIMITS.sessionTitle)),
  ),
  "agents.sessions.rename": all(
    needs("channel_id", "thread_ts", "title"),
    argument("title", filled(LIMITS.sessionTitle)),
  ),
  "blocks.validate": validated,
};

/**
 * Why Slack would refuse a call for what it says, whatever the state of the workspace; empty when it would not, or when
 * the method is one nothing is known of. Beside methods of the Web API: `response_url` for what is posted to one,
 * `command_reply` and `submission_reply` for what a slash command or a submitted modal is acknowledged with.
 */
export function refusalsOf(method: string, args: Record<string, unknown>): readonly Refusal[] {
  return Object.hasOwn(checks, method) ? (checks[method]?.(args) ?? []) : [];
}
