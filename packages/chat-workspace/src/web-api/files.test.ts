import { describe, expect, it } from "vitest";
import { boltApp, callApi, connect, startPlace } from "../testing/bolt.harness.ts";

interface FileEvent {
  readonly subtype?: string;
  readonly files?: readonly { readonly id: string; readonly name?: string; readonly url_private_download?: string }[];
}

describe("a file a person attaches", () => {
  it("comes with the message, and its bytes with the token only", async () => {
    const { workspace, ann } = await startPlace();
    const app = boltApp(workspace);
    const events: FileEvent[] = [];
    app.event("message", async ({ event }) => void events.push(event as FileEvent));
    await connect(app, workspace);
    const content = "The kettle is in the attic.\n";
    await ann.dm("see here", { files: [{ name: "kettle notes.txt", mimetype: "text/plain", content }] });
    const event = await workspace.until(() => events[0]);
    expect(event).toMatchObject({ subtype: "file_share", files: [{ name: "kettle notes.txt", filetype: "txt" }] });
    const address = String(event.files?.[0]?.url_private_download);
    const authorization = `Bearer ${workspace.credentials.botToken}`;
    const allowed = await fetch(address, { headers: { authorization } });
    expect([allowed.headers.get("content-type"), await allowed.text()]).toEqual(["text/plain", content]);
    const refused = await fetch(address);
    expect([refused.status, refused.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await refused.text()).not.toContain("attic");
  });

  it("is only named in a channel that is shared, and hidden from who is not there", async () => {
    const { workspace, ann, general } = await startPlace();
    workspace.share(general.id, "yes");
    const app = boltApp(workspace);
    const events: FileEvent[] = [];
    app.event("message", async ({ event }) => void events.push(event as FileEvent));
    await connect(app, workspace);
    const files = [{ name: "plan.md", mimetype: "text/markdown", content: "# Plan" }];
    await ann.say(general.id, "", { files });
    const event = await workspace.until(() => events[0]);
    const file = event.files?.[0]?.id;
    expect(event.files).toEqual([expect.objectContaining({ id: file, file_access: "check_file_info" })]);
    expect(event.files?.[0]).not.toHaveProperty("url_private_download");
    expect(await callApi(workspace, "files.info", { file })).toMatchObject({ file: { name: "plan.md", size: 6 } });
    const away = workspace.addChannel({ name: "away", withApp: false });
    const ts = await ann.say(away.id, "", { files });
    const unseen = workspace.message(away.id, ts)?.files[0];
    expect(await callApi(workspace, "files.info", { file: unseen })).toMatchObject({ error: "file_not_found" });
  });
});

describe("a file the app uploads", () => {
  it("goes through three steps of the genuine client into the thread", async () => {
    const { workspace, ann, general } = await startPlace();
    const app = boltApp(workspace);
    await connect(app, workspace);
    const thread_ts = await ann.say(general.id, "send me the list");
    await app.client.files.uploadV2({
      channel_id: general.id,
      thread_ts,
      filename: "list.csv",
      title: "The list",
      initial_comment: "Here it is",
      file: Buffer.from("a,b\n1,2\n"),
    });
    const [, answer] = workspace.messages(general.id, thread_ts);
    expect(answer?.text).toBe("Here it is");
    const file = workspace.file(String(answer?.files[0]));
    expect([file?.name, file?.mimetype, String(Buffer.from(file?.content ?? []))]).toEqual([
      "list.csv",
      "text/csv",
      "a,b\n1,2\n",
    ]);
  });

  it("is refused when a step is missing or another length comes", async () => {
    const { workspace, general } = await startPlace();
    const missing = await callApi(workspace, "files.getUploadURLExternal", { filename: "a.txt" });
    expect(missing).toMatchObject({ error: "missing_length" });
    const announced = await callApi(workspace, "files.getUploadURLExternal", { filename: "a.txt", length: 3 });
    const complete = { files: [{ id: announced["file_id"] }], channel_id: general.id };
    expect(await callApi(workspace, "files.completeUploadExternal", complete)).toMatchObject({
      error: "file_not_found",
    });
    const upload = (body: string) => fetch(String(announced["upload_url"]), { method: "POST", body });
    expect((await upload("longer")).status).toBe(400);
    expect((await upload("abc")).status).toBe(200);
    expect(await callApi(workspace, "files.completeUploadExternal", complete)).toMatchObject({ ok: true });
  });
});
