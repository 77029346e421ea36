import type { Caller, ServiceContext } from "../context.ts";
import { turnOf } from "./authorize.ts";
import { evenly } from "../search/even.ts";

/**
 * Does what takes as long as a search when it is the caller's turn, and gives what came of it at a moment that tells nothing of
 * what is hidden: see `evenly`. The place at work is given back as soon as the work is done, so that whoever only waits for that
 * moment keeps nobody else waiting. Throws a Problem (503) where too many wait, or the wait was too long.
 */
export function evenlyInTurn<Result>(
  { questions, settings }: ServiceContext,
  caller: Caller,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  return evenly(caller, settings.evenMs, async () => {
    const ticket = questions.join(turnOf(caller));
    try {
      await ticket.enter(signal);
      return await work();
    } finally {
      ticket.leave();
    }
  });
}

/**
 * What `work` finds as a reply that is whole before the moment it is given at (see `evenly`): how long writing it takes tells
 * how much this process has read, too.
 */
export function evenReply(
  { settings }: ServiceContext,
  caller: Caller,
  work: () => Promise<unknown>,
): Promise<Response> {
  return evenly(caller, settings.evenMs, async () => Response.json(await work()));
}
