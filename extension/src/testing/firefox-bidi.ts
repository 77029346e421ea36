import { until } from "./until.ts";

/** A browser that is driven over WebDriver BiDi: commands by name, as the W3C's specification has them. */
export interface Bidi {
  /** Sends a command. Throws with the browser's own words when it fails, or the browser ends. */
  send<Result = unknown>(method: string, parameters: object): Promise<Result>;
  /** Evaluates an expression in a context, waits for what it promises, gives it as JSON would. Throws what it throws. */
  evaluate<Result>(context: string, expression: string): Promise<Result>;
  /** Leaves the browser alone. */
  close(): void;
}

interface Command {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Evaluated {
  readonly type: "success" | "exception";
  readonly result?: { readonly type: string; readonly value?: string };
  readonly exceptionDetails?: { readonly text: string };
}

/** Begins a session at the address a browser listens on, such as `ws://127.0.0.1:40001`. */
export async function connectBidi(address: string): Promise<Bidi> {
  const socket = new WebSocket(`${address}/session`);
  const waiting = new Map<number, Command>();
  let sent = 0;
  let failed = false;
  socket.addEventListener("message", ({ data }) => {
    const reply = JSON.parse(String(data)) as { id?: number; type: string; result?: unknown; message?: string };
    const command = waiting.get(reply.id ?? -1);
    if (command === undefined) return;
    waiting.delete(reply.id ?? -1);
    if (reply.type === "success") command.resolve(reply.result);
    else command.reject(new Error(`Firefox: ${reply.message}`));
  });
  socket.addEventListener("error", () => (failed = true));
  socket.addEventListener("close", () => {
    for (const command of waiting.values()) command.reject(new Error("Firefox has ended."));
    waiting.clear();
  });
  await until("Firefox lets itself be driven", () => {
    if (failed) throw new Error(`Nothing listens at ${address}.`);
    return socket.readyState === WebSocket.OPEN;
  });

  function send<Result>(method: string, parameters: object): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) return reject(new Error("Firefox has ended."));
      const id = (sent += 1);
      waiting.set(id, { resolve: resolve as Command["resolve"], reject });
      socket.send(JSON.stringify({ id, method, params: parameters }));
    });
  }

  await send("session.new", { capabilities: {} });
  return {
    send,
    async evaluate<Result>(context: string, expression: string) {
      const { type, result, exceptionDetails } = await send<Evaluated>("script.evaluate", {
        // As text, so that it arrives whole, however deep it is.
        expression: `(async () => JSON.stringify(await (${expression})))()`,
        target: { context },
        awaitPromise: true,
      });
      if (type === "exception") throw new Error(`Firefox: ${exceptionDetails?.text}`);
      return (result?.type === "string" ? JSON.parse(result.value ?? "null") : undefined) as Result;
    },
    close: () => socket.close(),
  };
}
