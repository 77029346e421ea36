import type { Me } from "@threadlore/client/deployment";

/** What of asking people concerns who has the key. */
export interface PeopleOf {
  /** Somebody is there to be asked. */
  readonly canBeAsked: boolean;
  /** So many of their questions have an answer they were not shown. */
  readonly untold: number;
  /** They may list what nobody could answer. */
  readonly mayList: boolean;
}

/** Undefined in private windows, and where the service says nothing of asking people. */
export function peopleOf(me: Me | undefined, isPrivate: boolean): PeopleOf | undefined {
  if (isPrivate || me?.asks_people == null) return undefined;
  return {
    canBeAsked: me.asks_people,
    untold: Number(me["untold_asks"] ?? 0),
    mayList: me.effective_permissions?.includes("admin") === true,
  };
}
