import type { Command } from "commander";
import type { Owner } from "../embedded/owner.ts";
import { UsageError } from "../exit-codes.ts";
import { oneLine, table, type Terminal } from "../terminal/output.ts";
import { onData, wholeNumber } from "./options.ts";

interface AuditFlags {
  user?: string;
  kind?: string;
  since?: string;
  until?: string;
  limit: number;
}

/** `threadlore audit`: who did what kind of thing with the embedded service on this machine. */
export function addAuditCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command("audit")
    .summary("who did what kind of thing with the embedded service")
    .description(
      "Shows who asked, searched, read, sent, deleted or administered, when, by which front end, from which address, and how " +
        "it ended; newest first. No question, answer, title or document is noted. It is noted while the service runs with " +
        "`serve --audit <days>`, and for so many days. What `key`, `person`, `group` and other commands change on the machine " +
        "itself is noted always, for a year at most: the user is then `command line`, and BY the account there.",
    )
    .option("--user <user>", "of this user only")
    .option("--kind <kind>", "of this kind only, such as ask")
    .option("--since <date>", "from this day or moment on, such as 2026-11-27")
    .option("--until <date>", "until just before this day or moment")
    .option("--limit <n>", "at most so many", wholeNumber(1, 100_000), 100);
  onData(command, terminal, async (owner) => {
    const { since, until, ...filter } = command.opts<AuditFlags>();
    const entries = await owner.listAuditEntries({
      ...filter,
      since: momentIn(owner, since, "--since"),
      until: momentIn(owner, until, "--until"),
    });
    const rows = entries.map(({ moment: at, user, kind, origin, address, status }) => [
      new Date(at).toISOString().slice(0, 19).replace("T", " "),
      oneLine(user),
      kind,
      oneLine(origin),
      address,
      String(status),
    ]);
    const head = ["WHEN (UTC)", "USER", "WHAT", "BY", "FROM", "STATUS"];
    const json = entries.map(({ moment: at, ...entry }) => ({ ...entry, at: new Date(at).toISOString() }));
    return {
      json: { ok: true, entries: json },
      out: entries.length === 0 ? "" : table([head, ...rows]),
      notes: entries.length === 0 ? ["Nothing is noted. `threadlore serve --audit 90` notes it, for 90 days."] : [],
    };
  });
}

function momentIn(owner: Owner, text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const moment = owner.momentOf(text);
  if (moment !== undefined) return moment;
  throw new UsageError(`${option} must be a date such as 2026-11-27 or 2026-11-27T14:00Z.`);
}
