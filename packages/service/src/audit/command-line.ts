import { addAuditEntries, forgetAuditEntriesOf } from "../store/audit.ts";
import type { Steps } from "../store/steps.ts";
import type { AuditKind } from "./kinds.ts";

/** Who did what is done on the machine itself, as the audit log has it. */
const COMMAND_LINE = "command line";
/** For how long that is kept where no service says it is shorter, milliseconds. */
const KEPT_MS = 365 * 86_400_000;

/**
 * Notes what the owner's commands change, in the transaction that changes it: it is there or nothing happened. They ask no
 * service, so it is noted whether one notes anything or not, for a year; what is changed and for whom is not noted.
 * @param account of the operating system
 */
export function* noteCommand(kind: AuditKind, account: string, now: number): Steps<void> {
  yield* addAuditEntries([{ moment: now, user: COMMAND_LINE, kind, origin: account, address: "", status: 200 }]);
  yield* forgetAuditEntriesOf(COMMAND_LINE, now - KEPT_MS);
}
