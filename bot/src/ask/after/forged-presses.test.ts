import { afterEach, describe, expect, it } from "vitest";
import { idle, startTown, type Town } from "../../testing/running-bot.ts";

const open: Town[] = [];

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const LONG = { timeout: 120_000 };
const ENDED = /Ask again|\[Share\]|Reference/;

/** A bot that takes signed requests, and one answer of each kind: for everybody, for its asker, in a direct message. */
async function answered(): Promise<{
  place: Town;
  tasks: Readonly<Record<"public" | "private" | "direct", { id: string; channel: string }>>;
  /** Sends, signed; the bot leaves unanswered what is not for it. */
  send: (body: Readonly<Record<string, unknown>>) => void;
  /** Resolves when everything that was sent is answered or given up, and the bot is idle. */
  settled: () => Promise<void>;
}> {
  const place = await startTown({ env: { RECEIVER: "http", PORT: "0" }, restricted: true });
  open.push(place);
  const { ada, general, workspace, bot } = place;
  const url = bot.eventUrl ?? "";
  await workspace.useRequestUrl(url);
  const question = "How many days of annual leave do I have?";
  await place.answered(general.id, await ada.mention(general.id, question));
  await ada.command(general.id, "/ask", question);
  await workspace.until(() => ada.ephemerals(general.id).some(({ shown }) => ENDED.test(shown)));
  const dm = workspace.dmOf(ada.user.id);
  await place.answered(dm.id, await ada.dm(question));
  await idle(place);
  const ids = [...new Set(workspace.calls.flatMap(({ args }) => valuesIn(args)))].filter((id) => !id.includes(":"));
  const tasks: Record<string, { id: string; channel: string }> = {};
  for (const id of ids) {
    const body: unknown = (await bot.context.store.find(id))?.body;
    if (typeof body !== "object" || body === null) continue;
    const channel: unknown = Reflect.get(body, "channel");
    const kind = Reflect.get(body, "private") === true ? "private" : channel === dm.id ? "direct" : "public";
    tasks[kind] = { id, channel: String(channel) };
  }
  const { public: everybody, private: own, direct } = tasks;
  if (everybody === undefined || own === undefined || direct === undefined) throw new Error("an answer is missing");
  const sent: Promise<void>[] = [];
  const send = (body: Readonly<Record<string, unknown>>): void => {
    const form = new URLSearchParams({ payload: JSON.stringify(body) }).toString();
    const options = { contentType: "application/x-www-form-urlencoded" };
    const answer = workspace.postSigned(url, form, options).then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof Error && error.name === "TimeoutError")) throw error;
      },
    );
    sent.push(answer);
  };
  const settled = async (): Promise<void> => {
    await Promise.all(sent.splice(0));
    await idle(place);
  };
  return { place, tasks: { public: everybody, private: own, direct }, send, settled };
}

/** Values of the buttons in a call's arguments. */
function valuesIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  const value: unknown = Reflect.get(part, "type") === "button" ? Reflect.get(part, "value") : undefined;
  return [...(typeof value === "string" ? [value] : []), ...Object.values(part).flatMap(valuesIn)];
}

const ACTIONS = [
  "answer_regenerate",
  "question_retry",
  "answer_share",
  "answer_human",
  "help_resolve",
  "answer_feedback",
  "answer_good",
  "answer_bad",
  "answer_more",
  "answer_next_0",
  "gap_same_0",
  "kept_changed_0",
];

/** What a button's value has before the reference of its answer. */
const BEFORE: Readonly<Record<string, string>> = {
  answer_feedback: "good:",
  answer_good: "good:",
  answer_bad: "bad:",
  answer_more: "how:",
  answer_next_0: "0:",
  gap_same_0: "0:",
  kept_changed_0: "0:",
};
/** What everybody of a channel may do. */
const EVERYBODYS = new Set(["answer_human", "help_resolve", "answer_next_0", "answer_more"]);

describe("presses that nobody can have made", LONG, () => {
  it("have no effect, whoever seems to press, wherever, for whatever", async () => {
    const { place, tasks, send, settled } = await answered();
    const { workspace, general, bo, ada, knowledge } = place;
    const other = workspace.addChannel({ name: "other", members: [ada.user.id, bo.user.id], withApp: true });
    const admin = workspace.addUser({ name: "root", kind: "admin" });
    const guest = workspace.addUser({ name: "guest", kind: "guest" });
    const stranger = workspace.addUser({ name: "stranger", kind: "stranger" });
    const before = knowledge.forSomebody().length;
    const said = (): number => workspace.calls.filter(({ method }) => /postMessage|startStream/.test(method)).length;
    const saidBefore = said();
    const own = { team: { id: workspace.team.id }, api_app_id: workspace.app.appId };
    let sent = 0;
    const press = (
      user: string,
      where: { action: string; channel: string; value: unknown },
      envelope: object = own,
    ): void => {
      sent += 1;
      send({
        type: "block_actions",
        ...envelope,
        user: { id: user, team_id: workspace.team.id },
        channel: { id: where.channel },
        container: { type: "message", channel_id: where.channel, message_ts: "1.1" },
        trigger_id: `${sent}.1.a`,
        response_url: `${workspace.url}/response/none`,
        actions: [
          { type: "button", action_id: where.action, block_id: "b", value: where.value, action_ts: `${sent}.1` },
        ],
      });
    };
    for (const action of ACTIONS) {
      const valueOf = (id: string): string => `${BEFORE[action] ?? ""}${id}`;
      // Answers nobody but their asker sees, also for an administrator.
      for (const person of [bo, admin, guest, stranger]) {
        for (const hidden of [tasks.private, tasks.direct]) {
          press(person.user.id, { action, channel: general.id, value: valueOf(hidden.id) });
          press(person.user.id, { action, channel: other.id, value: valueOf(hidden.id) });
        }
      }
      // The asker's own, from a place it does not stand in.
      for (const task of Object.values(tasks)) {
        const channel = task.channel === other.id ? general.id : other.id;
        press(ada.user.id, { action, channel, value: valueOf(task.id) });
      }
      // Colleagues and outsiders in the right place: asking again and speaking for the asker is the asker's alone.
      for (const person of [guest, stranger])
        press(person.user.id, { action, channel: general.id, value: valueOf(tasks.public.id) });
      if (!EVERYBODYS.has(action)) press(bo.user.id, { action, channel: general.id, value: valueOf(tasks.public.id) });
      // Another workspace's or app's delivery.
      const right = { action, channel: general.id, value: valueOf(tasks.public.id) };
      press(ada.user.id, right, { team: { id: "TOTHER" }, api_app_id: workspace.app.appId });
      press(ada.user.id, right, { team: { id: workspace.team.id }, api_app_id: "AOTHER" });
      press(ada.user.id, right, {});
      for (const value of ["", "' OR 1=1 --", "\u0000", "x".repeat(100_000), "__proto__", { a: 1 }, null, 7, ["x"]]) {
        press(ada.user.id, { action, channel: general.id, value });
      }
    }
    await settled();
    expect(knowledge.forSomebody().slice(before)).toEqual([]);
    expect(said() - saidBefore).toBe(0);
    expect(sent).toBeGreaterThan(200);
  });

  it("and modals, commands and shortcuts out of shape leave the bot as it was", async () => {
    const { place, send, settled } = await answered();
    const { ada, general, workspace, knowledge } = place;
    const before = knowledge.forSomebody().length;
    const own = { team: { id: workspace.team.id }, api_app_id: workspace.app.appId, user: { id: ada.user.id } };
    const metadata = ["", "{", "null", "[]", '{"__proto__":{"x":1}}', `{"channel":"${general.id}"}`, "x".repeat(3_000)];
    for (const callback of ["ask_view", "feedback_view", "add_view"]) {
      for (const words of metadata) {
        for (const values of [{}, { question: null }, { title: { title: { value: 7 } } }, { comment: [] }]) {
          send({
            type: "view_submission",
            ...own,
            view: { id: "V1", type: "modal", callback_id: callback, private_metadata: words, state: { values } },
          });
        }
      }
    }
    for (const message of [{}, { ts: 7 }, { ts: "x", thread_ts: {} }, null]) {
      for (const callback of ["ask_message", "add_to_knowledge", "why_no_answer"]) {
        send({ type: "message_action", ...own, callback_id: callback, channel: { id: general.id }, message });
      }
    }
    send({ type: "block_actions", ...own, actions: [] });
    send({ type: "block_actions", ...own });
    send({ type: "nothing_known", ...own });
    await settled();
    expect(knowledge.forSomebody().slice(before)).toEqual([]);
    const ts = await ada.mention(general.id, "How are train tickets booked?");
    expect((await place.answered(general.id, ts)).shown).toContain("I found nothing about this");
  });
});
