import { createParser, type ParseError } from "eventsource-parser";

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

/** A stream is cut into JSON texts; what they mean is not decided here. */
export interface Framing {
  /** Takes the next characters and hands on the JSON texts that are complete now. */
  push(characters: string): void;
  /** The stream is over. Gives the last line where it lacks its newline, which servers do leave out. */
  finish(): string | undefined;
  /** What the body is, judged by how its lines begin. `undecided`: too little of it came. */
  readonly looksLike: "packets" | "page" | "text" | "undecided";
  /** Lines and events completed so far, comments included: signs of life. */
  readonly signs: number;
  /** A single packet grew beyond the limit; nothing more is given. */
  readonly oversized: boolean;
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
export function createFraming(maxPacketLength: number, reader: TextReader): Framing {
  let line: "start" | "json" | "event" = "start";
  let parts: string[] = [];
  let partsLength = 0;
  /** The event parser holds nothing, so a whole event may pass it by. False until it has seen how the stream begins. */
  let betweenEvents = false;
  let oversized = false;
  let recognised = false;
  /** The first characters that are no blanks, to tell a page or a text from a stream. */
  let head = "";
  let first = true;
  let pendingMark = "";
  let signs = 0;

  const recognise = () => {
    recognised = true;
    signs++;
  };
  const parser = createParser({
    maxBufferSize: maxPacketLength,
    onEvent({ data }) {
      recognise();
      if (data.length > maxPacketLength) oversized = true;
      else if (!oversized && data !== "" && data !== "[DONE]") reader.take(data);
    },
    onComment: recognise,
    onId: recognise,
    onRetry: recognise,
    onError(error: ParseError) {
      if (error.type === "max-buffer-size-exceeded") oversized = true;
    },
  });

  function push(more: string): void {
    // A byte order mark before an event is the parser's to drop: it drops exactly one. Before a line it is dropped here.
    const characters = pendingMark + more;
    pendingMark = first && characters === BYTE_ORDER_MARK ? characters : "";
    if (characters === pendingMark) return;
    let at = first && characters.startsWith(`${BYTE_ORDER_MARK}{`) ? 1 : 0;
    first = false;
    if (head.length < 8) head = (head + characters.slice(at, at + 64)).trimStart().slice(0, 8);
    while (at < characters.length && !oversized) {
      if (line === "start") {
        const end = takeKnown(characters, at);
        if (end > 0) {
          at = end;
          continue;
        }
        line = characters.charCodeAt(at) === BRACE ? "json" : "event";
      }
      at = line === "json" ? takeJson(characters, at) : takeEvent(characters, at);
    }
  }

  /** A whole line or frame whose text the reader knows by its beginning: the index behind it, or 0. */
  function takeKnown(characters: string, at: number): number {
    let end = 0;
    if (characters.charCodeAt(at) === BRACE) end = reader.takeKnown(characters, at, LINE_END);
    else if (betweenEvents && characters.slice(at, at + FRAME_BEGIN.length) === FRAME_BEGIN) {
      end = reader.takeKnown(characters, at + FRAME_TEXT, FRAME_END);
    }
    if (end > 0) recognise();
    return end;
  }

  function takeJson(characters: string, from: number): number {
    const end = characters.indexOf(LINE_END, from);
    const part = characters.slice(from, end === -1 ? undefined : end);
    partsLength += part.length;
    if (partsLength > maxPacketLength) {
      oversized = true;
      parts = [];
      return characters.length;
    }
    if (end === -1) {
      parts.push(part);
      return characters.length;
    }
    reader.take(parts.length === 0 ? part : takeParts(part));
    partsLength = 0;
    recognise();
    line = "start";
    return end + 1;
  }

  function takeParts(last: string): string {
    const whole = parts.join("") + last;
    parts = [];
    return whole;
  }

  /** Hands the event parser one event, or what is there of it, up to the next line of JSON. */
  function takeEvent(characters: string, from: number): number {
    const blank = characters.indexOf(FRAME_END, from);
    const whole = characters.slice(from, blank === -1 ? undefined : blank + FRAME_END.length);
    const brace = whole.indexOf("\n{");
    const part = brace === -1 ? whole : whole.slice(0, brace + 1);
    parser.feed(part);
    betweenEvents = part.endsWith(FRAME_END);
    line = part.endsWith(LINE_END) ? "start" : "event";
    return from + part.length;
  }

  return {
    push,
    finish() {
      const rest = takeParts("").trim();
      return rest === "" || oversized ? undefined : rest;
    },
    get looksLike() {
      if (recognised) return "packets";
      if (head.charCodeAt(0) === LESS_THAN) return "page";
      if (head === "" || head.startsWith("{")) return "undecided";
      return FIELDS.some((field) => field.startsWith(head) || head.startsWith(field)) ? "undecided" : "text";
    },
    get signs() {
      return signs;
    },
    get oversized() {
      return oversized;
    },
  };
}
