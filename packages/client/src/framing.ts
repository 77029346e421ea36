import { createParser, type ParseError } from "eventsource-parser";

/** A stream is cut into JSON texts; what they mean is not decided here. */
export interface Framing {
  /** Takes the next characters and gives the JSON texts that are complete now. */
  push(characters: string): string[];
  /** The stream is over. Gives the last line where it lacks its newline, which servers do leave out. */
  finish(): string | undefined;
  /** What the body is, judged by how its lines begin. `undecided`: too little of it came. */
  readonly looksLike: "packets" | "page" | "text" | "undecided";
  /** Lines and events completed so far, comments included: signs of life. */
  readonly signs: number;
  /** A single packet grew beyond the limit; nothing more is given. */
  readonly oversized: boolean;
}

const LF = 10;
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
export function createFraming(maxPacketLength: number): Framing {
  let texts: string[] = [];
  let line: "start" | "json" | "event" = "start";
  let parts: string[] = [];
  let partsLength = 0;
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
      else if (!oversized && data !== "" && data !== "[DONE]") texts.push(data);
    },
    onComment: recognise,
    onId: recognise,
    onRetry: recognise,
    onError(error: ParseError) {
      if (error.type === "max-buffer-size-exceeded") oversized = true;
    },
  });

  function push(more: string): string[] {
    texts = [];
    // A byte order mark before an event is the parser's to drop: it drops exactly one. Before a line it is dropped here.
    const characters = pendingMark + more;
    pendingMark = first && characters === BYTE_ORDER_MARK ? characters : "";
    if (characters === pendingMark) return texts;
    let at = first && characters.startsWith(`${BYTE_ORDER_MARK}{`) ? 1 : 0;
    first = false;
    if (head.length < 8) head = (head + characters.slice(at, at + 64)).trimStart().slice(0, 8);
    while (at < characters.length && !oversized) {
      if (line === "start") line = characters.charCodeAt(at) === BRACE ? "json" : "event";
      at = line === "json" ? takeJson(characters, at) : takeEvents(characters, at);
    }
    return texts;
  }

  function takeJson(characters: string, from: number): number {
    const end = characters.indexOf("\n", from);
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
    texts.push(parts.length === 0 ? part : takeParts(part));
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

  /** Hands everything up to the next line of JSON to the event parser, in one piece. */
  function takeEvents(characters: string, from: number): number {
    const newline = characters.indexOf("\n{", from);
    const end = newline === -1 ? characters.length : newline + 1;
    parser.feed(from === 0 && end === characters.length ? characters : characters.slice(from, end));
    line = characters.charCodeAt(end - 1) === LF ? "start" : "event";
    return end;
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
