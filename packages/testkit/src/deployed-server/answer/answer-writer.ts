import { packet, type Packet } from "../../fixtures/wire-json.ts";
import { wordsAsSent } from "./answer-script.ts";
import type { Run } from "./run.ts";
import type { SearchDocument } from "../world/search-document.ts";

type PacketObject = Packet["obj"];

const citationMark = /(\[\[?\d+(?:\s*,\s*\d+)*\]\]?|【\d+】|［\d+］)/;

/**
 * Writes an answer packet by packet, with the turns and tabs servers give them, and keeps what is stored of it. A model
 * round that calls tools ends its turn; text before the call is a preamble in the same turn.
 */
export class AnswerWriter {
  /** What was found, in the order of the numbers it is cited by. */
  readonly documents: SearchDocument[] = [];
  readonly citations: Record<number, string> = {};
  readonly citationInfo: PacketObject[] = [];
  /** Tool calls as a reply that is no stream lists them. */
  readonly calls: { search_docs: SearchDocument[] | null; [key: string]: unknown }[] = [];
  readonly toolPackets: Packet[] = [];
  /** How many packets were sent. */
  packets = 0;
  turn = 0;
  reasoning: string | null = null;
  #hasDocuments = false;
  #segments: { text: string; mark: boolean }[] = [];
  #lastIn: "text" | "tool" | "reasoning" | undefined;
  readonly #run: Run;
  readonly #cites: boolean;
  readonly #before: (packets: number) => Promise<void>;

  /** `before` is asked before every packet, with the number of those sent: it may wait, or throw to end the answer. */
  constructor(run: Run, { cites, before }: { cites: boolean; before: (packets: number) => Promise<void> }) {
    this.#run = run;
    this.#cites = cites;
    this.#before = before;
  }

  /** The answer: the text since the last tool call, with its marks. */
  get answer(): string {
    return this.#segments.map(({ text }) => text).join("");
  }

  /** The same without marks. */
  get answerWithoutCitations(): string {
    let plain = "";
    for (const { text, mark } of this.#segments) plain = mark ? plain.replace(/ $/, "") : plain + text;
    return plain;
  }

  /** From now on these can be cited, numbered on. */
  showDocuments(documents: readonly SearchDocument[]): void {
    this.#hasDocuments = true;
    this.documents.push(...documents);
  }

  async text(raw: string): Promise<void> {
    for (const part of raw.split(citationMark)) {
      if (citationMark.test(part)) await this.#cite([...part.matchAll(/\d+/g)].map(Number));
      else for (const word of wordsAsSent(part)) await this.piece(word);
    }
  }

  async piece(content: string, mark = false): Promise<void> {
    await this.#openGroup();
    this.#segments.push({ text: content, mark });
    await this.send({ type: "message_delta", content });
  }

  async reason(text: string): Promise<void> {
    if (this.#lastIn !== undefined) this.turn++;
    this.#lastIn = "reasoning";
    this.reasoning = text;
    await this.send({ type: "reasoning_start" });
    for (const word of wordsAsSent(text)) await this.send({ type: "reasoning_delta", reasoning: word });
    await this.send({ type: "reasoning_done" });
  }

  /** The packets of a tool's call, in a section of their own. */
  async tool(
    objects: readonly PacketObject[],
    tool_name: string,
    tool_arguments: Record<string, unknown>,
    tool_result: string,
    search_docs: SearchDocument[] | null = null,
  ): Promise<void> {
    const afterText = this.#lastIn === "text";
    if (this.#lastIn !== undefined && !afterText) this.turn++;
    this.#lastIn = "tool";
    for (const obj of [...objects, { type: "section_end" }]) {
      this.toolPackets.push(packet(obj, { turn: this.turn, model: null }));
      await this.send(obj, afterText ? 1 : 0);
    }
    const called = { tool_name, tool_arguments, tool_result, search_docs };
    this.calls.push({ ...called, generated_images: null, pre_reasoning: this.reasoning });
  }

  async send(obj: PacketObject, tab = 0): Promise<void> {
    await this.#before(this.packets);
    this.packets++;
    this.#run.write(packet(obj, { turn: this.turn, tab }));
  }

  /** The last packet. */
  async stop(): Promise<void> {
    await this.send({ type: "stop", stop_reason: null });
  }

  /** The last packet of an answer that somebody stopped. */
  writeCancelled(): void {
    this.packets++;
    this.#run.write(packet({ type: "stop", stop_reason: "user_cancelled" }, { turn: this.turn, model: null }));
  }

  async #openGroup(): Promise<void> {
    if (this.#lastIn === "text") return;
    if (this.#lastIn !== undefined) this.turn++;
    this.#lastIn = "text";
    this.#segments = [];
    const final_documents = this.#hasDocuments ? this.documents : null;
    await this.send({ type: "message_start", final_documents, pre_answer_processing_seconds: 0.0031 });
  }

  /** Marks for these numbers; those that name nothing vanish. */
  async #cite(numbers: readonly number[]): Promise<void> {
    const known = numbers.filter((number) => this.documents[number - 1] !== undefined);
    if (!this.#cites || known.length === 0) return;
    await this.#openGroup();
    const marks: string[] = [];
    for (const number of known) {
      const document = this.documents[number - 1];
      const document_id = document?.document_id ?? "";
      const fresh = !Object.values(this.citations).includes(document_id);
      this.citations[number] = document_id;
      if (fresh) {
        const info = { type: "citation_info", citation_number: number, document_id };
        this.citationInfo.push(info);
        await this.send(info);
      }
      marks.push(`[[${number}]](${document?.link ?? ""})`);
    }
    const before = this.answer;
    await this.piece(`${before === "" || /\s$/.test(before) ? "" : " "}${marks.join(" ")}`, true);
  }
}
