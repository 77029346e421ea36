import { fileObject } from "../objects.ts";
import type { State, StoredFile } from "../state.ts";
import { channelOf } from "./conversations.ts";
import { count, names, objects, required, method, SlackError, text, type Methods } from "./method.ts";

/** Methods about files. */
export const fileMethods: Methods = {
  "files.getUploadURLExternal": method({ tier: 4, scope: "files:write" }, (args, { state }) => {
    const length = count(args, "length");
    if (length === undefined || length < 1) throw new SlackError("missing_length");
    const name = text(args, "filename");
    if (name === undefined) throw new SlackError("missing_filename");
    const file: StoredFile = {
      id: state.id("F"),
      name,
      title: name,
      mimetype: mimetypeOf(name),
      user: state.app.botUserId,
      created: Math.floor(state.now() / 1000),
      channels: new Set(),
      expectedLength: length,
      uploadTicket: state.hex(24),
    };
    state.files.set(file.id, file);
    return { upload_url: `${state.url}/upload/${file.id}/${file.uploadTicket}`, file_id: file.id };
  }),
  "files.completeUploadExternal": method({ tier: 4, scope: "files:write" }, (args, call) => {
    const { state, acts } = call;
    const given = objects(args, "files") ?? [];
    if (given.length === 0) throw new SlackError("invalid_arguments");
    const files = given.map(({ id, title }) => {
      const file = state.files.get(String(id));
      if (file?.uploadTicket === undefined || file.content === undefined) throw new SlackError("file_not_found");
      if (typeof title === "string" && title !== "") file.title = title;
      return file;
    });
    const ids = [text(args, "channel_id"), ...(names(args, "channels") ?? [])].filter((id) => id !== undefined);
    const channels = [...new Set(ids)].map((channel) => channelOf(call, { channel }));
    const closed = channels.find((channel) => channel.archived);
    if (closed !== undefined) throw new SlackError("is_archived");
    if (channels.some((channel) => !state.appIsIn(channel.id))) throw new SlackError("not_in_channel");
    for (const channel of channels) {
      acts.postAsApp({
        channel: channel.id,
        text: text(args, "initial_comment") ?? "",
        threadTs: text(args, "thread_ts"),
        blocks: objects(args, "blocks"),
        files: files.map(({ id }) => id),
      });
      for (const { id } of files) acts.fileShared(id, channel.id, state.app.botUserId);
    }
    return { files: files.map((file) => fileObject(state, file)) };
  }),
  "files.info": method({ tier: 4, scope: "files:read" }, (args, { state }) => {
    const file = state.files.get(required(args, "file"));
    if (file?.content === undefined || !appSees(state, file)) throw new SlackError("file_not_found");
    return { file: fileObject(state, file), comments: [], response_metadata: { next_cursor: "" } };
  }),
};

/** Whether a file is the app's own or in a channel it is in. */
export function appSees(state: State, file: StoredFile): boolean {
  return file.user === state.app.botUserId || [...file.channels].some((channel) => state.appIsIn(channel));
}

const MIMETYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  txt: "text/plain",
};

function mimetypeOf(name: string): string {
  return MIMETYPES[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream";
}
