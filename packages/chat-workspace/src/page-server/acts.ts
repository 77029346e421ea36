import { z } from "zod";
import { typedText } from "./view.ts";
import type { Person } from "../people.ts";
import type { Workspace } from "../running-workspace.ts";

const short = z.string().max(3_000);
const text = z.string().max(40_000);
const channel = z.string().min(1);
const ts = z.string().regex(/^\d+\.\d+$/);
const message = { channel, ts };
const placed = { channel: z.optional(channel), ts: z.optional(ts) };
const file = z.object({ name: z.string().max(255), mimetype: z.string().max(100), base64: z.base64() });

const speech = { channel, threadTs: z.optional(ts), text, files: z.array(file).max(10) };

type Asked<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** An act: what the page says with it, and what the person does then. */
function act<Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (person: Person, asked: Asked<Shape>, workspace: Workspace) => Promise<unknown>,
) {
  const schema = z.object(shape);
  const does = async (workspace: Workspace, as: string, asked: unknown): Promise<void> => {
    const said = parsed(schema, asked);
    await run(workspace.person(as), said, workspace);
  };
  return { schema, does };
}

/** What the page may ask for. */
const acts = {
  say: act(speech, say),
  command: act({ channel, command: short, text }, (person, asked) =>
    person.command(asked.channel, asked.command, asked.text),
  ),
  edit: act({ ...message, text }, (person, asked) => person.edit(asked.channel, asked.ts, asked.text)),
  delete: act(message, (person, asked) => person.delete(asked.channel, asked.ts)),
  pin: act(message, (person, asked) => person.pin(asked.channel, asked.ts)),
  unpin: act(message, (person, asked) => person.unpin(asked.channel, asked.ts)),
  react: act({ ...message, name: short, on: z.boolean() }, (person, asked) =>
    person[asked.on ? "react" : "unreact"](asked.channel, asked.ts, asked.name),
  ),
  press: act({ ...placed, viewId: z.optional(short), actionId: short, value: z.optional(short) }, (person, asked) =>
    person.press(pressed(person, asked), asked.actionId, asked.value),
  ),
  submit: act({ viewId: short, values: z.record(z.string(), z.string()) }, async (person, asked) =>
    refusedFields(await person.submit(asked.viewId, asked.values)),
  ),
  dismiss: act({ viewId: short }, (person, asked) => person.dismiss(asked.viewId)),
  shortcut: act({ ...placed, callbackId: short }, (person, { callbackId, channel: id, ts: at }) =>
    id !== undefined && at !== undefined
      ? person.shortcut(callbackId, { channel: id, ts: at })
      : person.globalShortcut(callbackId),
  ),
  stop: act({ channel, threadTs: ts }, (person, asked) => person.stop(asked.channel, asked.threadTs)),
  openHome: act({}, (person) => person.openHome()),
  openMessages: act({}, (person) => person.openMessages()),
  join: act({ channel }, (person, asked) => person.join(asked.channel)),
};

type Kind = keyof typeof acts;

type Schema<Each extends Kind> = (typeof acts)[Each]["schema"];

/** Something a person does on the page. */
export type Act = {
  [Each in Kind]: { kind: Each } & Pick<z.output<Schema<Each>>, keyof Schema<Each>["shape"]>;
}[Kind];

const head = z.object({ as: z.string(), kind: z.enum(Object.keys(acts) as Kind[]) });

/** Does what somebody asked for on the page. Throws an Error in plain words when it cannot be done. */
export async function perform(workspace: Workspace, asked: unknown): Promise<void> {
  const { as, kind } = parsed(head, asked);
  await acts[kind].does(workspace, as, asked);
}

function parsed<Value>(schema: z.ZodType<Value>, asked: unknown): Value {
  const { success, data, error } = schema.safeParse(asked);
  if (success) return data;
  throw new Error(`The page sent something odd: ${z.prettifyError(error)}`);
}

async function say(
  person: Person,
  { channel: id, threadTs, text: typed, files: given }: Asked<typeof speech>,
  workspace: Workspace,
): Promise<void> {
  const { text: said, mentionsApp } = typedText(workspace, typed);
  const files = given.map(({ base64, ...about }) => ({ ...about, content: Buffer.from(base64, "base64") }));
  const direct = workspace.dmOf(person.user.id).id === id;
  if (direct) await person.dm(said, { threadTs, files });
  else if (mentionsApp) await person.mention(id, said, { threadTs, files });
  else await person.say(id, said, { threadTs, files });
}

function pressed(
  person: Person,
  { channel: id, ts: at, viewId }: { channel?: string; ts?: string; viewId?: string },
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
