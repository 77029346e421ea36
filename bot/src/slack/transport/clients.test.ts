import { startWorkspace, type Workspace } from "@threadlore/chat-workspace";
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from "@slack/web-api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type Clients, createClients } from "./clients.ts";
import { refusalOf } from "./refusals.ts";

let workspace: Workspace;
let clients: Clients;
let channel: string;
beforeEach(async () => {
  workspace = await startWorkspace();
  clients = createClients({
    botToken: workspace.credentials.botToken,
    slackApiUrl: workspace.slackApiUrl,
    timeoutMs: 1000,
  });
  channel = workspace.addChannel({ name: "general", withApp: true }).id;
});
afterEach(() => workspace.close());

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("the clients", () => {
  it("let a limit on one kind of call hold up nothing else", async () => {
    workspace.faults.rateLimit("chat.appendStream", { retryAfterS: 600 });
    const append = clients.streaming.chat.appendStream({ channel, ts: "1.1", markdown_text: "x" });
    expect(refusalOf(await failure(append), "chat.appendStream")).toMatchObject({
      kind: "limited",
      waitMs: 600_000,
    });
    await clients.posts.chat.postMessage({ channel, text: "still here" });
    await clients.reads.auth.test();
    expect(workspace.messages(channel).map(({ text }) => text)).toEqual(["still here"]);
  });

  it("never post twice, whatever is lost", async () => {
    workspace.faults.dropResponse("chat.postMessage");
    const lost = await failure(clients.posts.chat.postMessage({ channel, text: "once" }));
    expect(refusalOf(lost, "chat.postMessage").kind).toBe("lost");
    workspace.faults.fail("chat.postMessage", { status: 503 });
    const failed = await failure(clients.posts.chat.postMessage({ channel, text: "never" }));
    expect(refusalOf(failed, "chat.postMessage")).toEqual({ kind: "lost", code: "http_503" });
    expect(workspace.messages(channel).map(({ text }) => text)).toEqual(["once"]);
    expect(workspace.calls.filter(({ method }) => method === "chat.postMessage")).toHaveLength(2);
  });

  it("read again what was lost", async () => {
    workspace.faults.dropResponse("conversations.history");
    const read = await clients.reads.conversations.history({ channel });
    expect(read.ok).toBe(true);
  });

  it("end a call that takes too long", async () => {
    workspace.faults.delay("chat.postMessage", 20_000, { before: true });
    const late = await failure(clients.posts.chat.postMessage({ channel, text: "late" }));
    expect(refusalOf(late, "chat.postMessage")).toEqual({ kind: "lost", code: "no_answer" });
  });

  it("wait half a minute where a limit names no time", async () => {
    const unclear = createClients({
      botToken: workspace.credentials.botToken,
      fetch: async () => new Response("slow down", { status: 429 }),
    });
    expect(await failure(unclear.posts.chat.postMessage({ channel, text: "x" }))).toMatchObject({ retryAfter: 30 });
  });
});

describe("a refusal", () => {
  const platform = (error: string): Error => new WebAPIPlatformError({ ok: false, error });

  it.each([
    ["token_revoked", "chat.postMessage", "revoked"],
    ["account_inactive", "chat.startStream", "revoked"],
    ["is_archived", "chat.appendStream", "gone"],
    ["message_not_found", "chat.stopStream", "gone"],
    ["feature_not_enabled", "chat.startStream", "unstreamable"],
    ["restricted_action_thread_only_channel", "chat.startStream", "unstreamable"],
    ["restricted_action_thread_only_channel", "chat.postMessage", "gone"],
    ["unknown_method", "chat.appendStream", "unstreamable"],
    ["stopped_by_user", "chat.appendStream", "stopped"],
    ["message_not_in_streaming_state", "chat.stopStream", "ended"],
    ["msg_too_long", "chat.appendStream", "content"],
    ["invalid_blocks", "chat.postMessage", "content"],
    ["ratelimited", "chat.update", "limited"],
    ["fatal_error", "chat.postMessage", "lost"],
    ["<html>Bad gateway</html>", "chat.postMessage", "lost"],
    ["missing_scope", "chat.postMessage", "other"],
  ])("%s of %s is %s", (code, method, kind) => {
    expect(refusalOf(platform(code), method).kind).toBe(kind);
  });

  it("is told by what became of the request", () => {
    expect(refusalOf(new WebAPIRateLimitedError(3), "chat.update")).toMatchObject({ kind: "limited", waitMs: 3000 });
    expect(refusalOf(new WebAPIRequestError(new Error("reset")), "chat.update").kind).toBe("lost");
    expect(refusalOf(new WebAPIHTTPError(502, "", {}), "chat.update").kind).toBe("lost");
    expect(refusalOf(new WebAPIHTTPError(404, "", {}), "chat.update")).toEqual({ kind: "other", code: "http_404" });
    expect(refusalOf(new TypeError("terminated"), "chat.update").kind).toBe("lost");
  });
});
