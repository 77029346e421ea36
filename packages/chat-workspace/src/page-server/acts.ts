import { z } from "zod";
import { typedText } from "./view.ts";
import type { Person } from "../people.ts";
import type { Workspace } from "../running-workspace.ts";

const channel = z.string().min(1);
const ts = z.string().regex(/^\d+\.\d+$/);
const short = z.string().max(3_000);

/** What the page may ask for, checked once. */
const acts = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("say"),
    channel,
    threadTs: z.optional(ts),
    text: z.string().max(40_000),
    files: z.array(z.object({ name: z.string().max(255), mimetype: z.string().max(100), base64: z.base64() })).max(10),
  }),
  z.object({ kind: z.literal("command"), channel, command: short, text: z.string().max(40_000) }),
  z.object({ kind: z.literal("edit"), channel, ts, text: z.string().max(40_000) }),
  z.object({ kind: z.enum(["delete", "pin", "unpin"]), channel, ts }),
  z.object({ kind: z.literal("react"), channel, ts, name: short, on: z.boolean() }),
  z.object({
    kind: z.literal("press"),
    channel: z.optional(channel),
    ts: z.optional(ts),
    viewId: z.optional(short),
    actionId: short,
    value: z.optional(short),
  }),
  z.object({ kind: z.literal("submit"), viewId: short, values: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal("dismiss"), viewId: short }),
  z.object({ kind: z.literal("shortcut"), callbackId: short, channel: z.optional(channel), ts: z.optional(ts) }),
  z.object({ kind: z.literal("stop"), channel, threadTs: ts }),
  z.object({ kind: z.enum(["openHome", "openMessages"]) }),
  z.object({ kind: z.enum(["join", "leave"]), channel }),
]);

/** Something a person does on the page. */
export type Act = z.output<typeof acts>;

/** Who does what, as the page sends it. */
const Asked = z.intersection(z.object({ as: z.string() }), acts);

/** Does what somebody asked for on the page. Throws an Error in plain words when it cannot be done. */
export async function perform(workspace: Workspace, asked: unknown): Promise<void> {
  const parsed = Asked.safeParse(asked);
  if (!parsed.success) throw new Error(`The page sent something odd: ${z.prettifyError(parsed.error)}`);
  const person = workspace.person(parsed.data.as);
  await (parsed.data.kind === "say" ? say(workspace, person, parsed.data) : act(person, parsed.data));
}

async function say(
  workspace: Workspace,
  person: Person,
  { channel: id, threadTs, text: typed, files }: Extract<Act, { kind: "say" }>,
): Promise<void> {
  const { text, mentionsApp } = typedText(workspace, typed);
  const attachments = files.map(({ name, mimetype, base64 }) => ({
    name,
    mimetype,
    content: Buffer.from(base64, "base64"),
  }));
  const options = {
    ...(threadTs !== undefined && { threadTs }),
    ...(attachments.length > 0 && { files: attachments }),
  };
  const direct = workspace.dmOf(person.user.id).id === id;
  if (direct) await person.dm(text, options);
  else if (mentionsApp) await person.mention(id, text, options);
  else await person.say(id, text, options);
}

async function act(person: Person, asked: Exclude<Act, { kind: "say" }>): Promise<void> {
  switch (asked.kind) {
    case "command":
      await person.command(asked.channel, asked.command, asked.text);
      return;
    case "edit":
      return person.edit(asked.channel, asked.ts, asked.text);
    case "delete":
      return person.delete(asked.channel, asked.ts);
    case "pin":
      return person.pin(asked.channel, asked.ts);
    case "unpin":
      return person.unpin(asked.channel, asked.ts);
    case "react":
      return asked.on
        ? person.react(asked.channel, asked.ts, asked.name)
        : person.unreact(asked.channel, asked.ts, asked.name);
    case "press":
      return person.press(pressed(person, asked), asked.actionId, asked.value);
    case "submit":
      return refusedFields(await person.submit(asked.viewId, asked.values));
    case "dismiss":
      return person.dismiss(asked.viewId);
    case "shortcut":
      return asked.channel !== undefined && asked.ts !== undefined
        ? person.shortcut(asked.callbackId, { channel: asked.channel, ts: asked.ts })
        : person.globalShortcut(asked.callbackId);
    case "stop":
      return person.stop(asked.channel, asked.threadTs);
    case "openHome":
      return person.openHome();
    case "openMessages":
      return person.openMessages();
    case "join":
      return person.join(asked.channel);
    case "leave":
      return person.leave(asked.channel);
    default:
      asked satisfies never;
  }
}

function pressed(
  person: Person,
  { channel: id, ts: at, viewId }: Extract<Act, { kind: "press" }>,
): { channel: string; ts: string } | { viewId: string } {
  if (id !== undefined && at !== undefined) return { channel: id, ts: at };
  // The page does not know the Home's own id: everybody has one.
  const home = viewId === "home" ? person.home()?.["id"] : viewId;
  if (typeof home !== "string") throw new Error("There is nothing to press there any more.");
  return { viewId: home };
}

/** What the app did not accept in a dialog, told to whoever filled it in. */
function refusedFields(reply: Record<string, unknown> | undefined): void {
  const errors = reply?.["response_action"] === "errors" ? reply["errors"] : undefined;
  if (typeof errors === "object" && errors !== null) throw new Error(Object.values(errors).join(" "));
}
