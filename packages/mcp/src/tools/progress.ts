import type { ServerContext } from "@modelcontextprotocol/server";
import type { Answer, Step } from "@threadlore/ask";

/** Tells whoever called how far their call is. */
export interface Progress {
  answer(answer: Pick<Answer, "steps" | "text" | "status">): void;
  /** The call is over: nothing more is told. */
  end(): void;
}

const DOING: Readonly<Record<Step["kind"], string>> = {
  search: "Searching",
  read: "Reading",
  tool: "Using a tool",
  reasoning: "Thinking",
  plan: "Planning",
  research: "Looking into it",
  code: "Running code",
  image: "Drawing",
  file: "Reading a file",
  memory: "Remembering",
};

/** So many more characters are worth telling. */
const CHARACTERS = 400;

/** After so long without news it is told that the call goes on, milliseconds: clients give up what says nothing for 60 s. */
const STILL_MS = 10_000;

/**
 * The progress of a call, to those who asked for it. Nothing that documents say is in it: it is shown as the tool's own
 * words. Each notification counts one more; nobody knows how many there will be.
 */
export function progressOf({ mcpReq }: Pick<ServerContext, "mcpReq">): Progress {
  const token = mcpReq._meta?.progressToken;
  if (token === undefined) return { answer: () => {}, end: () => {} };
  const begun = performance.now();
  let told = "";
  let progress = 0;
  const send = (message: string): void => {
    progress++;
    // Whoever does not listen any more has ended the call.
    mcpReq
      .notify({ method: "notifications/progress", params: { progressToken: token, progress, message } })
      .catch(() => {});
  };
  const still = setInterval(() => {
    send(`${told || "Waiting for the server"} (${Math.round((performance.now() - begun) / 1_000)} s)`);
  }, STILL_MS).unref();
  const tell = (message: string): void => {
    if (message === told) return;
    told = message;
    still.refresh();
    send(message);
  };
  return {
    end: () => clearInterval(still),
    answer({ steps, text, status }) {
      if (status === "waiting") return tell("Asking");
      const characters = Math.floor(text.length / CHARACTERS) * CHARACTERS;
      if (text !== "") return tell(characters === 0 ? "Answering" : `Answering: ${characters} characters`);
      const step = steps.at(-1);
      if (step !== undefined) tell(step.state === "running" ? DOING[step.kind] : `${DOING[step.kind]}: done`);
    },
  };
}
