import { UnsupportedError } from "@threadlore/client";
import * as z from "zod";
import type { Server } from "../../context.ts";
import { shortened } from "../../slack/render/escape.ts";

/** A question people can begin with by a click. */
export interface Prompt {
  readonly title: string;
  readonly message: string;
}

/** Answered by the bot itself, so that they work with every server and whatever it knows. */
export const OWN_PROMPTS: readonly [Prompt, ...Prompt[]] = [
  { title: "What can you do?", message: "What can you do?" },
  { title: "How do I ask in a channel?", message: "How do I ask in a channel?" },
];

/** The platform shows so many. */
const MOST = 4;
const MAX_TITLE = 60;

/** As servers keep them with their assistants. */
const Starters = z.array(z.object({ name: z.string().nullish(), message: z.string().min(1).max(1_000) }));

/**
 * What the bot's own conversation offers: the beginnings whoever set up the assistant has written for it, where the
 * server has some, then the bot's own.
 */
export async function promptsFor({ deployment }: Server, persona: number | undefined): Promise<[Prompt, ...Prompt[]]> {
  const personas = await deployment.personas().catch((error: unknown) => {
    if (error instanceof UnsupportedError) return [];
    throw error;
  });
  const chosen = personas.find(({ id }) => id === (persona ?? 0));
  const starters = Starters.safeParse(Reflect.get(chosen ?? {}, "starter_messages")).data ?? [];
  const [first, ...own] = OWN_PROMPTS;
  const theirs = starters.map(({ name, message }) => ({
    title: shortened(name?.trim() || message, MAX_TITLE),
    message,
  }));
  return [first, ...[...theirs, ...own].slice(0, MOST - 1)];
}
