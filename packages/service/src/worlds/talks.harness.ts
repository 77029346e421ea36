/**
 * Conversations of a company: what was answered in one while somebody had rights is their own; what is answered in it later
 * holds what they may see then, and nobody else's key comes to it.
 */
import { randomUUID } from "node:crypto";
import type { Service } from "../index.ts";
import { send, type Told } from "./looks.harness.ts";
import type { Corpus, Kept, Rights } from "./people-plan.harness.ts";

/** A conversation, and what may stand in it. */
interface Talk {
  readonly id: string;
  /** Number of its last answer. */
  last: number;
  /** Whose it is. */
  readonly person: number;
  /** What was asked for first. */
  readonly first: Kept;
  /** Pairs that its person saw when something was answered in it. */
  readonly pairs: Set<number>;
  /** Whether it was gone on with since its person lost what it was begun about. */
  isTried: boolean;
}

/** Who looks at conversations. */
interface Talker {
  readonly service: Service;
  readonly key: string;
  readonly person: number;
  readonly rights: Rights;
  readonly turn: number;
}

const secretsIn = (text: string): string[] => text.match(/secret\d+x/g) ?? [];

/** The conversations of one company. */
export class Talks {
  readonly #corpus: Corpus;
  readonly #told: (problem: string) => void;
  readonly #talks: Talk[] = [];
  /** Answers that were given in a conversation after its person had lost what it was begun about. */
  afterLoss = 0;

  constructor(corpus: Corpus, told: (problem: string) => void) {
    this.#corpus = corpus;
    this.#told = told;
  }

  /** Begins one, goes on with one, reads, and tries those of others: by turns, and where something was lost at once. */
  async look(talker: Talker): Promise<void> {
    const { rights, turn } = talker;
    const own = this.#talks.find(({ person }) => person === talker.person);
    const isLost = own !== undefined && !rights.pairs.has(own.first.pair);
    const isDue = own === undefined ? rights.pairs.size > 0 : isLost && !own.isTried;
    if (!isDue && turn % 4 !== 1) return;
    const others = this.#talks.find(({ person }) => person !== talker.person);
    await this.#listed(talker);
    if (own === undefined) await this.#begin(talker);
    else if (isDue || turn % 8 === 1) await this.#goOn(talker, own);
    else await this.#read(talker, own);
    if (others !== undefined) await this.#tryOthers(talker, others);
  }

  async #begin({ service, key, person, rights }: Talker): Promise<void> {
    const [first] = this.#corpus.documents.filter(({ pair }) => rights.pairs.has(pair));
    if (first === undefined) return;
    const { status, text } = await plainly(service, key, "POST", "/chat/send-chat-message", {
      message: `Who is the ${first.mark} kept by?`,
      stream: false,
    });
    if (!text.includes(first.secret)) this.#told(`a conversation begins without ${first.secret}: ${status} ${text}`);
    this.#judge("a conversation that begins", text, rights.pairs);
    const { chat_session_id: id, message_id: last } = JSON.parse(text) as {
      chat_session_id: string;
      message_id: number;
    };
    this.#talks.push({ id, last, person, first, pairs: new Set(rights.pairs), isTried: false });
  }

  /** Asks the same again, and then about it without naming it; what was answered before does not count. */
  async #goOn({ service, key, rights, turn }: Talker, talk: Talk): Promise<void> {
    const { id, first } = talk;
    const isLost = !rights.pairs.has(first.pair);
    if (isLost) this.afterLoss++;
    talk.isTried = isLost;
    const isAgain = turn % 3 !== 0;
    const message = isAgain ? `Who is the ${first.mark} kept by?` : "And who keeps it? Tell me more about it.";
    const { status, text } =
      turn % 4 !== 3
        ? await plainly(service, key, "POST", "/chat/send-chat-message", { message, chat_session_id: id, stream: true })
        : await assistantGoesOn(service, key, message, talk);
    if (status !== 200) this.#told(`a conversation is gone on with: ${status} ${text}`);
    this.#judge("a conversation that is gone on with", text, rights.pairs);
    if (isAgain && !isLost && !text.includes(first.secret)) {
      this.#told(`a conversation that is gone on with does not show ${first.secret}: ${text}`);
    }
    for (const pair of rights.pairs) talk.pairs.add(pair);
    const numbers = [...text.matchAll(/"reserved_assistant_message_id":(\d+)/g)].map(([, number]) => Number(number));
    talk.last = numbers.at(-1) ?? talk.last;
    const asked = await send(service, key, "GET", `/chat/follow-ups?chat_message_id=${talk.last}`);
    this.#judge("what could be asked next", asked.text, rights.pairs);
  }

  /** What was answered stays with whom it was answered. */
  async #read({ service, key }: Talker, { id, pairs }: Talk): Promise<void> {
    const named = await send(service, key, "PUT", "/chat/rename-chat-session", { chat_session_id: id, name: null });
    if (named.status !== 200) this.#told(`a conversation of one's own is not named: ${named.status} ${named.text}`);
    const { status, text } = await send(service, key, "GET", `/chat/get-chat-session/${id}`);
    if (status !== 200) this.#told(`a conversation of one's own is not read: ${status} ${text}`);
    this.#judge("a conversation that is read", text, pairs);
  }

  async #listed({ service, key, person }: Talker): Promise<void> {
    const { text } = await plainly(service, key, "GET", "/chat/get-user-chat-sessions?page_size=100");
    const listed = new Set((JSON.parse(text) as { sessions: { id: string }[] }).sessions.map(({ id }) => id));
    for (const { id, person: of } of this.#talks) {
      if (listed.has(id) !== (of === person)) {
        this.#told(`person ${person} ${of === person ? "is not" : "is"} listed a conversation of ${of}`);
      }
    }
  }

  /** To anybody else it is one that is not there, to the byte. */
  async #tryOthers({ service, key, turn }: Talker, { id, last }: Talk): Promise<void> {
    const ways: ((session: string, message: number) => Promise<Told>)[] = [
      (session) => send(service, key, "GET", `/chat/get-chat-session/${session}`),
      (session) => send(service, key, "PUT", "/chat/rename-chat-session", { chat_session_id: session, name: "mine" }),
      (session) =>
        send(service, key, "POST", "/chat/send-chat-message", {
          message: "Who keeps it?",
          chat_session_id: session,
          stream: false,
        }),
      (session) => send(service, key, "POST", `/chat/stop-chat-session/${session}`),
      (session) => send(service, key, "GET", `/chat/resume-chat-session/${session}`),
      (_, message) => send(service, key, "GET", `/chat/follow-ups?chat_message_id=${message}`),
      (_, message) =>
        send(service, key, "POST", "/chat/create-chat-message-feedback", {
          chat_message_id: message,
          is_positive: true,
        }),
      (session, message) => assistantGoesOn(service, key, "Who keeps it?", { id: session, last: message }),
      (session) => send(service, key, "DELETE", `/chat/delete-chat-session/${session}`),
    ];
    const way = ways[turn % ways.length] as (typeof ways)[number];
    const own = await way(id, last);
    const none = await way(randomUUID(), 999_999_999);
    if (own.status !== none.status || own.text !== none.text) {
      this.#told(
        `a conversation of somebody else is told from none:\n${own.status} ${own.text}\n${none.status} ${none.text}`,
      );
    }
    this.#judge("a conversation of somebody else", own.text, new Set());
  }

  #judge(what: string, text: string, pairs: ReadonlySet<number>): void {
    const said = new Set(secretsIn(text));
    for (const { secret, pair } of this.#corpus.documents) {
      if (said.has(secret) && !pairs.has(pair)) this.#told(`${what} shows ${secret} of pair ${pair}: ${text}`);
    }
  }
}

function assistantGoesOn(
  service: Service,
  key: string,
  question: string,
  { id, last }: Pick<Talk, "id" | "last">,
): Promise<Told> {
  const params = { name: "ask", arguments: { question, conversation: `${id}/${last}` } };
  return send(service, key, "POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params });
}

/** As it came: with the ids that a conversation is gone on by. */
async function plainly(service: Service, key: string, method: string, path: string, body?: unknown): Promise<Told> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const reply = await service.fetch(new Request(`http://127.0.0.1${path}`, init));
  return { status: reply.status, text: await reply.text() };
}
