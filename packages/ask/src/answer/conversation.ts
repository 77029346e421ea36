/** The ids under which a server keeps a question and its answer. Each is absent until the server told it. */
export interface ConversationRef {
  /**
   * Session to continue with `chat_session_id`. A server tells it when it created the session; `ask` fills it in from
   * the question when that named one.
   */
  readonly chatSessionId?: string;
  /** The answer's own message: what feedback is given on, and the parent of a follow-up. */
  readonly messageId?: number;
  /** The question's message: asking again with this as parent regenerates the answer. */
  readonly userMessageId?: number;
}

/**
 * Where a surface keeps which conversation goes on in which place: a channel's thread, a browser tab, the terminal.
 * `place` is the surface's own key. Each surface brings its own storage; nothing here does I/O.
 */
export interface ConversationStore {
  /** The conversation of a place; undefined when there is none, or it was forgotten. */
  get(place: string): Promise<ConversationRef | undefined>;
  /** Remembers where a place's conversation now stands, replacing what was known. */
  set(place: string, conversation: ConversationRef): Promise<void>;
  /** Forgets a place: its next question starts a new conversation. Unknown places are no error. */
  delete(place: string): Promise<void>;
}
