import type { Socket } from "node:net";

/** The first line and headers of a request, and how its body ends. */
export interface RequestHead {
  method: string;
  /** Path with query, as sent. */
  path: string;
  /** Names in lower case; a repeated header's values are joined with ", ". */
  headers: Record<string, string>;
}

/** Reads HTTP/1.1 requests off a socket, byte counts visible: `node:http` would hide what a fault script needs. */
export class RequestReader {
  #buffer = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => {};

  constructor(socket: Socket) {
    socket.on("data", (bytes) => {
      this.#buffer = Buffer.concat([this.#buffer, typeof bytes === "string" ? Buffer.from(bytes) : bytes]);
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    socket.on("end", end);
    socket.on("close", end);
    socket.on("error", end);
  }

  /** Waits until at least `count` bytes that were not consumed yet are there. False: the client left first. */
  async has(count: number): Promise<boolean> {
    while (this.#buffer.length < count) {
      if (this.#ended) return false;
      await this.#more();
    }
    return true;
  }

  /** Whether what has come begins like a request: a TLS handshake, for one, does not. */
  get speaksHttp(): boolean {
    const first = this.#buffer[0] ?? 0;
    return first >= 0x41 && first <= 0x5a;
  }

  /** The next request's head, or undefined when the client closed instead of sending one. */
  async head(): Promise<RequestHead | undefined> {
    const text = await this.#upTo("\r\n\r\n");
    if (text === undefined) return undefined;
    const [requestLine = "", ...lines] = text.trimEnd().split("\r\n");
    const [method = "", path = ""] = requestLine.split(" ");
    const headers: Record<string, string> = {};
    for (const line of lines) {
      const colon = line.indexOf(":");
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
    return { method, path, headers };
  }

  /** The body that belongs to `head`; what had arrived when the client left early. */
  async body(head: RequestHead): Promise<Buffer> {
    if (head.headers["transfer-encoding"]?.includes("chunked")) return this.#chunked();
    const length = Number(head.headers["content-length"] ?? 0);
    await this.has(length);
    return this.#consume(length);
  }

  async #chunked(): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (;;) {
      const line = await this.#upTo("\r\n");
      if (line === undefined) return Buffer.concat(parts);
      const size = Number.parseInt(line, 16) || 0;
      await this.has(size + 2);
      parts.push(this.#consume(size));
      this.#consume(2);
      if (size === 0) return Buffer.concat(parts);
    }
  }

  /** What comes up to this mark, with it. Undefined: the client left first. */
  async #upTo(mark: string): Promise<string | undefined> {
    for (;;) {
      const end = this.#buffer.indexOf(mark);
      if (end >= 0) return this.#consume(end + mark.length).toString("latin1");
      if (this.#ended) return undefined;
      await this.#more();
    }
  }

  #consume(count: number): Buffer {
    const taken = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return taken;
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
