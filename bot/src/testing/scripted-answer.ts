/** An answer whose packets a test sends one by one, in place of the service's own. */
export interface ScriptedAnswer {
  readonly response: Response;
  /** Text of the answer, as the next packet. */
  say(text: string): void;
  /** Any other packet. */
  packet(packet: object): void;
  /** The answer is complete. */
  end(): void;
  /** The connection ends in the middle. */
  cut(): void;
  /** Resolves when the reader has gone. */
  readonly left: Promise<void>;
}

/** A streamed reply that begins with the session and the ids of its messages. */
export function scriptedAnswer({
  session = "7c9e2f04-31ab-4f5d-8a60-5be1d2c3f4a5",
  userMessageId = 1,
  messageId = 2,
  documents = null,
  finding = null,
}: {
  session?: string;
  userMessageId?: number;
  messageId?: number;
  /** What its text begins with. */
  documents?: readonly object[] | null;
  finding?: object | null;
} = {}): ScriptedAnswer {
  const left = Promise.withResolvers<void>();
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel: () => left.resolve(),
  });
  const send = (packet: object): void => controller?.enqueue(encoder.encode(`data: ${JSON.stringify(packet)}\n\n`));
  const placed = (obj: object): object => ({
    placement: { turn_index: 0, tab_index: 0, sub_turn_index: null, model_index: 0 },
    obj,
  });
  send({ chat_session_id: session });
  send({ user_message_id: userMessageId, reserved_assistant_message_id: messageId });
  let begun = false;
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
    say(text) {
      if (!begun) send(placed({ type: "message_start", final_documents: documents, finding }));
      begun = true;
      send(placed({ type: "message_delta", content: text }));
    },
    packet: send,
    end() {
      send(placed({ type: "stop", stop_reason: null }));
      controller?.close();
    },
    cut: () => controller?.error(new TypeError("terminated")),
    left: left.promise,
  };
}
