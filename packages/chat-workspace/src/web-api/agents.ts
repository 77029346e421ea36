import type { StoredSession } from "../state.ts";
import { channelOf, joinedChannel } from "./conversations.ts";
import { names, objects, required, method, SlackError, text, type Call, type Methods } from "./method.ts";
import type { Arguments } from "../fields.ts";

/** Methods about what the agent is doing in a thread. */
export const agentMethods: Methods = {
  "agents.sessions.setStatus": method({ tier: 3, scope: "chat:write" }, (args, call) => {
    const session = sessionOf(args, call);
    const status = required(args, "status") as StoredSession["status"];
    session.status = status;
    session.statusAt = call.state.now();
    session.title = text(args, "title") ?? session.title;
    session.user = text(args, "initiator_user_id") ?? session.user;
    // A status line and a session's status take the same place: the last one written is seen.
    if (status !== "processing") Object.assign(session, { line: "", loadingMessages: [] });
    call.state.changed();
    const events = call.state.options.app?.events;
    const stoppable = events === undefined || events.includes("agent_session_stopped");
    if (status !== "processing" || stoppable) return {};
    const warning = "missing_agent_session_stopped_event_subscription";
    return { warning, response_metadata: { warnings: [warning] } };
  }),
  "agents.sessions.rename": method({ tier: 3, scope: "chat:write" }, (args, call) => {
    sessionOf(args, call).title = required(args, "title");
    call.state.changed();
  }),
  "assistant.threads.setStatus": method({ tier: 4, scope: ["chat:write", "assistant:write"] }, (args, call) => {
    const session = sessionOf(args, call);
    session.line = text(args, "status") ?? "";
    session.loadingMessages = session.line === "" ? [] : (names(args, "loading_messages") ?? []);
    session.status = session.line === "" ? "active" : "processing";
    session.statusAt = call.state.now();
    call.state.changed();
  }),
  "assistant.threads.setTitle": method({ tier: 4, scope: "assistant:write" }, (args, call) => {
    sessionOf(args, call).title = required(args, "title");
    call.state.changed();
  }),
  "assistant.threads.setSuggestedPrompts": method({ tier: 4, scope: "assistant:write" }, (args, call) => {
    const channel = channelOf(call, { channel: required(args, "channel_id") });
    const prompts = objects(args, "prompts") ?? [];
    call.state.prompts.set(channel.id, { title: text(args, "title"), prompts });
    call.state.changed();
  }),
};

function sessionOf(args: Arguments, call: Call): StoredSession {
  const channel = joinedChannel(call, { channel: required(args, "channel_id") });
  const threadTs = required(args, "thread_ts");
  if (call.state.message(channel.id, threadTs) === undefined) throw new SlackError("thread_not_found");
  return call.state.session(channel.id, threadTs);
}
