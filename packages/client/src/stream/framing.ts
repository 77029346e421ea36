import { createParser, type EventSourceParser } from "eventsource-parser";

/** Whoever is given the JSON texts of a stream, each once and in order. */
export interface TextReader {
  /** Takes a text that is complete. */
  take(text: string): void;
  /**
   * Takes the text that begins at `from` without its being cut out, where it is known by its beginning and `ending`
   * stands behind it. Gives the index behind the ending; 0 where the text is not taken.
   */
  takeKnown(characters: string, from: number, ending: TextEnding): number;
}

/** Behind a text that is a line. */
export const LINE_END = "\n";
/** Behind a text that is a frame of its own. */
export const FRAME_END = "\n\n";
/** What can stand behind a text. */
export type TextEnding = typeof LINE_END | typeof FRAME_END;

const FRAME_BEGIN = "data: {";
/** Of the JSON text in a frame that begins so. */
const FRAME_TEXT = FRAME_BEGIN.length - 1;
const BRACE = 0x7b;
const LESS_THAN = 0x3c;
const BYTE_ORDER_MARK = "\ufeff";
const FIELDS = ["data", "event", "id", "retry", ":"];

/**
 * Cuts both framings seen in the world, told line by line: a line that begins with `{` is a packet (line JSON), anything
 * else belongs to a server-sent event. So a stream of events that ends in a bare error line is read whole, and so is
 * line JSON between a proxy's keep-alive comments.
 *
 * Linear in the length of the stream however it is cut: an unfinished line is kept in parts and joined once.
 */
export class Framing {
  readonly #maxPacketLength: number;
  readonly #reader: TextReader;
  readonly #events: EventSourceParser;
  #line: "start" | "json" | "event" = "start";
  #parts: string[] = [];
  #partsLength = 0;
  /** The event parser holds nothing, so a whole event may pass it by. False until it has seen how the stream begins. */
  #betweenEvents = false;
  #recognised = false;
  /** The first characters that are no blanks, to tell a page or a text from a stream. */
  #head = "";
  #first = true;
  #pendingMark = "";
  /** Lines and events completed so far, comments included: signs of life. */
  signs = 0;
  /** A single packet grew beyond the limit; nothing more is given. */
  oversized = false;

  constructor(maxPacketLength: number, reader: TextReader) {
    this.#maxPacketLength = maxPacketLength;
    this.#reader = reader;
    const recognise = () => this.#recognise();
    this.#events = createParser({
      maxBufferSize: maxPacketLength,
      onEvent: ({ data }) => this.#takeData(data),
      onComment: recognise,
      onId: recognise,
      onRetry: recognise,
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") this.oversized = true;
      },
    });
  }

  /** What the body is, judged by how its lines begin. `undecided`: too little of it came. */
  get looksLike(): "packets" | "page" | "text" | "undecided" {
    if (this.#recognised) return "packets";
    const head = this.#head;
    if (head.charCodeAt(0) === LESS_THAN) return "page";
    if (head === "" || head.startsWith("{")) return "undecided";
    return FIELDS.some((field) => field.startsWith(head) || head.startsWith(field)) ? "undecided" : "text";
  }

  /** Takes the next characters and hands on the JSON texts that are complete now. */
  push(more: string): void {
    // A byte order mark before an event is the parser's to drop: it drops exactly one. Before a line it is dropped here.
    const characters = this.#pendingMark + more;
    this.#pendingMark = this.#first && characters === BYTE_ORDER_MARK ? characters : "";
    if (characters === this.#pendingMark) return;
    let at = this.#first && characters.startsWith(`${BYTE_ORDER_MARK}{`) ? 1 : 0;
    this.#first = false;
    if (this.#head.length < 8) this.#head = (this.#head + characters.slice(at, at + 64)).trimStart().slice(0, 8);
    while (at < characters.length && !this.oversized) {
      if (this.#line === "start") {
        const end = this.#takeKnown(characters, at);
        if (end > 0) {
          at = end;
          continue;
        }
        this.#line = characters.charCodeAt(at) === BRACE ? "json" : "event";
      }
      at = this.#line === "json" ? this.#takeJson(characters, at) : this.#takeEvent(characters, at);
    }
  }

  /** The stream is over. Gives the last line where it lacks its newline, which servers do leave out. */
  finish(): string | undefined {
    const rest = this.#takeParts("").trim();
    return rest === "" || this.oversized ? undefined : rest;
  }

  #recognise(): void {
    this.#recognised = true;
    this.signs++;
  }

  #takeData(data: string): void {
    this.#recognise();
    if (data.length > this.#maxPacketLength) this.oversized = true;
    else if (!this.oversized && data !== "" && data !== "[DONE]") this.#reader.take(data);
  }

  /** A whole line or frame whose text the reader knows by its beginning: the index behind it, or 0. */
  #takeKnown(characters: string, at: number): number {
    let end = 0;
    if (characters.charCodeAt(at) === BRACE) end = this.#reader.takeKnown(characters, at, LINE_END);
    else if (this.#betweenEvents && characters.slice(at, at + FRAME_BEGIN.length) === FRAME_BEGIN) {
      end = this.#reader.takeKnown(characters, at + FRAME_TEXT, FRAME_END);
    }
    if (end > 0) this.#recognise();
    return end;
  }

  #takeJson(characters: string, from: number): number {
    const end = characters.indexOf(LINE_END, from);
    const part = characters.slice(from, end === -1 ? undefined : end);
    this.#partsLength += part.length;
    if (this.#partsLength > this.#maxPacketLength) {
      this.oversized = true;
      this.#parts = [];
      return characters.length;
    }
    if (end === -1) {
      this.#parts.push(part);
      return characters.length;
    }
    this.#reader.take(this.#parts.length === 0 ? part : this.#takeParts(part));
    this.#partsLength = 0;
    this.#recognise();
    this.#line = "start";
    return end + 1;
  }

  #takeParts(last: string): string {
    const whole = this.#parts.join("") + last;
    this.#parts = [];
    return whole;
  }

  /** Hands the event parser one event, or what is there of it, up to the next line of JSON. */
  #takeEvent(characters: string, from: number): number {
    const blank = characters.indexOf(FRAME_END, from);
    const whole = characters.slice(from, blank === -1 ? undefined : blank + FRAME_END.length);
    const brace = whole.indexOf("\n{");
    const part = brace === -1 ? whole : whole.slice(0, brace + 1);
    this.#events.feed(part);
    this.#betweenEvents = part.endsWith(FRAME_END);
    this.#line = part.endsWith(LINE_END) ? "start" : "event";
    return from + part.length;
  }
}
