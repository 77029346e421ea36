import { readForm, type UploadedFile } from "../world/uploads.ts";
import type { World } from "../world/world.ts";
import { anything, isUuid, list, required } from "./reading.ts";
import { broken, detail, json } from "./replies.ts";
import { reading, route, type Route } from "./routing.ts";

const file = "features/projects/api.py";
const readable =
  /\.(txt|md|mdx|csv|tsv|xlsx|json|xml|ya?ml|html?|log|conf|sql|pdf|docx|pptx|eml|epub|png|jpe?g|gif|webp)$/i;
const scopes = ["write:chat"];

/** Files beside questions. */
export function uploadRoutes({ uploads, settings }: World): Route[] {
  return [
    route(
      "POST /user/projects/file/upload",
      { scopes, in: { file, line: 174, name: "upload_user_files" } },
      ({ account, body, headers }) => {
        const parts = readForm(body, headers["content-type"] ?? "").filter(({ name }) => name === "files");
        if (parts.length === 0)
          return [{ type: "missing", loc: ["body", "files"], msg: "Field required", input: null }];
        const { accepted = [], rejected = [] } = Object.groupBy(parts, ({ filename }) =>
          readable.test(filename) ? "accepted" : "rejected",
        );
        return json({
          user_files: accepted.map(({ filename: name, type, bytes }) =>
            fileEntry(uploads.add(account, { name, type, bytes })),
          ),
          rejected_files: rejected.map(({ filename }) => ({
            file_name: filename,
            reason: `Unsupported file type: ${/\.[^.]*$/.exec(filename)?.[0] ?? ""}`,
          })),
        });
      },
    ),
    route(
      "POST /user/projects/file/statuses",
      { scopes, in: { file, line: 400, name: "get_user_file_statuses" } },
      reading({ file_ids: required(list(anything)) }, ({ file_ids: ids }, { account }) => {
        const files = [...uploads.files.values()].filter((one) => ids.includes(one.id) && one.account === account);
        for (const one of files) one.status = settings.uploads;
        return json(files.map(fileEntry));
      }),
    ),
    route("GET /chat/file/{file_id}", { scopes: ["read:chat", "write:chat"] }, ({ param: id }) => {
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
