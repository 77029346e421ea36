import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A service as the extension reaches it through somebody who listens. */
export interface Overheard {
  readonly url: string;
  /** What of pages went along with the last question; "" for nothing. */
  lastContext(): string;
  /** From here on, no question was asked. */
  forget(): void;
  close(): Promise<void>;
}

/** Passes everything on to the service at `url` as it is, and reads what goes along with questions. */
export async function overhear(url: string): Promise<Overheard> {
  let last = "";
  const server = createServer((asked, reply) => {
    const isQuestion = asked.method === "POST" && asked.url?.endsWith("/chat/send-chat-message") === true;
    const body: Buffer[] = [];
    const { host } = new URL(url);
    const passed = { method: asked.method, headers: { ...asked.headers, host } };
    const onward = request(new URL(asked.url ?? "/", url), passed, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    onward.on("error", () => reply.destroy());
    reply.on("close", () => onward.destroy());
    asked.on("data", (chunk: Buffer) => {
      if (isQuestion) body.push(chunk);
      onward.write(chunk);
    });
    asked.on("end", () => {
      onward.end();
      if (!isQuestion) return;
      const { additional_context: context } = JSON.parse(Buffer.concat(body).toString()) as {
        additional_context?: string | null;
      };
      last = context ?? "";
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lastContext: () => last,
    forget: () => void (last = ""),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
