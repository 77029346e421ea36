import { randomUUID } from "node:crypto";
import type { UploadedFile, World } from "../world/world.ts";
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
      async ({ account, body, headers }) => {
        const sent = new Response(new Uint8Array(body), { headers: { "content-type": headers["content-type"] ?? "" } });
        const form = await sent.formData().catch(() => new FormData());
        const files = form.getAll("files").filter((part) => part instanceof File);
        if (files.length === 0)
          return [{ type: "missing", loc: ["body", "files"], msg: "Field required", input: null }];
        const { accepted = [], rejected = [] } = Object.groupBy(files, ({ name }) =>
          readable.test(name) ? "accepted" : "rejected",
        );
        const kept = accepted.map(async (given): Promise<UploadedFile> => {
          const bytes = Buffer.from(await given.arrayBuffer());
          const { name, type } = given;
          const [id, fileId, createdAt] = [randomUUID(), randomUUID(), new Date()];
          return { id, fileId, name, type, account, bytes, createdAt, status: "PROCESSING" };
        });
        const user_files = await Promise.all(kept);
        for (const one of user_files) uploads.set(one.id, one);
        const rejected_files = rejected.map(({ name }) => ({
          file_name: name,
          reason: `Unsupported file type: ${/\.[^.]*$/.exec(name)?.[0] ?? ""}`,
        }));
        return json({ user_files: user_files.map(fileEntry), rejected_files });
      },
    ),
    route(
      "POST /user/projects/file/statuses",
      { scopes, in: { file, line: 400, name: "get_user_file_statuses" } },
      reading({ file_ids: required(list(anything)) }, ({ file_ids: ids }, { account }) => {
        const files = [...uploads.values()].filter((one) => ids.includes(one.id) && one.account === account);
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
      const found = [...uploads.values()].find((one) => one.fileId === id || one.id === id);
      if (found === undefined) return detail(404, "File not found");
      return { status: 200, headers: { "content-type": found.type }, body: found.bytes };
    }),
  ];
}

function fileEntry({ id, fileId, name, type, account, bytes, createdAt, status }: UploadedFile) {
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
