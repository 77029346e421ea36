import { isUuid } from "./field-reader.ts";
import { unreadable } from "../python-repr.ts";
import { broken, detail, json, type DoubleReply } from "./replies.ts";
import { route, withBody, type Route } from "./routing.ts";
import { readForm, type UploadedFile } from "../world/uploads.ts";
import type { Call, World } from "../world/world.ts";

const file = "features/projects/api.py";
const readable =
  /\.(txt|md|mdx|csv|tsv|xlsx|json|xml|ya?ml|html?|log|conf|sql|pdf|docx|pptx|eml|epub|png|jpe?g|gif|webp)$/i;
const writing = ["write:chat"];

/** Files beside questions. */
export function uploadRoutes(world: World): Route[] {
  const { uploads, settings } = world;
  return [
    route("POST", "/user/projects/file/upload", { scopes: writing }, (call) => upload(world, call)),
    route("POST", "/user/projects/file/statuses", { scopes: writing }, (call) => {
      const handler = { file, line: 400, name: "get_user_file_statuses", route: "POST /user/projects/file/statuses" };
      return withBody(call, handler, (_body, fields) => {
        fields.require("file_ids");
        const ids = fields.list("file_ids", { nullable: false }) ?? [];
        if (fields.flaws.length > 0) return fields.flaws;
        const files = [...uploads.files.values()].filter((one) => ids.includes(one.id) && one.account === call.account);
        for (const one of files) one.status = settings.uploads;
        return json(files.map(fileEntry));
      });
    }),
    route("GET", "/chat/file/{}", { scopes: ["read:chat", "write:chat"] }, ({ params: [id = ""] }) => {
      if (!isUuid(id)) {
        const text = `(psycopg2.errors.InvalidTextRepresentation) invalid input syntax for type uuid: "${id}"`;
        return broken(
          `${text}\n[SQL: SELECT user_file.id AS user_file_id \nFROM user_file]\n(Background on this error at: https://sqlalche.me/e/20/9h9h)`,
        );
      }
      const found = [...uploads.files.values()].find((one) => one.fileId === id || one.id === id);
      if (found === undefined) return detail(404, "File not found");
      return { status: 200, headers: { "content-type": found.type }, body: found.bytes };
    }),
  ];
}

function upload({ uploads }: World, { account, body, headers }: Call): DoubleReply {
  const parts = readForm(body, String(headers["content-type"] ?? "")).filter(({ name }) => name === "files");
  if (parts.length === 0) {
    const handler = { file, line: 174, name: "upload_user_files", route: "POST /user/projects/file/upload" };
    return unreadable([{ type: "missing", loc: ["body", "files"], msg: "Field required", input: null }], handler);
  }
  const accepted: Record<string, unknown>[] = [];
  const rejected: Record<string, unknown>[] = [];
  for (const { filename = "", type, bytes } of parts) {
    if (readable.test(filename)) accepted.push(fileEntry(uploads.add(account, { name: filename, type, bytes })));
    else
      rejected.push({ file_name: filename, reason: `Unsupported file type: ${/\.[^.]*$/.exec(filename)?.[0] ?? ""}` });
  }
  return json({ user_files: accepted, rejected_files: rejected });
}

function fileEntry({
  id,
  fileId,
  name,
  type,
  account,
  bytes,
  createdAt,
  status,
}: UploadedFile): Record<string, unknown> {
  const done = status === "COMPLETED";
  return {
    id,
    temp_id: null,
    name,
    project_id: null,
    user_id: account.id,
    file_id: fileId,
    created_at: createdAt.toISOString(),
    status,
    last_accessed_at: createdAt.toISOString(),
    file_type: type,
    chat_file_type: chatFileType(name, type),
    token_count: done ? Math.ceil(bytes.length / 4) : 0,
    chunk_count: done ? 1 : null,
  };
}

function chatFileType(name: string, type: string): string {
  if (type.startsWith("image/")) return "image";
  if (/\.(csv|tsv|xlsx)$/i.test(name)) return "tabular";
  return /\.(pdf|docx|pptx|eml|epub)$/i.test(name) ? "document" : "plain_text";
}
