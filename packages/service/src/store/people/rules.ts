import type { Role } from "../../context.ts";
import { all, get, run, type Row, type Steps, values, withJson } from "../steps.ts";
import { EVERYBODY, groupNameOf, isGroupName, LOCAL_ISSUER } from "./persons.ts";
import { PersonError } from "./user-names.ts";

/** What a rule gives to every member of a group. */
export interface Grant {
  /** Null: the rule says nothing of it. Whoever signed in is at least ordinary. */
  readonly role: Role | null;
  /** Every document set and pair. */
  readonly seesAll: boolean;
  readonly documentSets: readonly string[];
  readonly pairs: readonly number[];
}

/** What members of a group may do and see. */
export interface GroupRule extends Grant {
  /** `local`, or the address of an identity provider; '': everybody who signed in. */
  readonly issuer: string;
  readonly name: string;
}

/** Which group a rule is about. */
export type GroupOfRule = Pick<GroupRule, "issuer" | "name">;

/** Everybody who signed in. */
export const EVERYBODY_GROUP: GroupOfRule = { issuer: EVERYBODY, name: EVERYBODY };

/** A group, and who says who is in it; by default this service. */
export function groupNamed(name: string, issuer: string = LOCAL_ISSUER): GroupOfRule {
  const own = groupNameOf(name);
  if (!isGroupName(own)) throw new PersonError("A group's name has 1 to 200 characters.");
  if (issuer !== LOCAL_ISSUER && !/^https?:\/\/\S{1,490}$/.test(issuer)) {
    throw new PersonError(
      `${issuer} is no address of an identity provider. Give its issuer, such as https://login.example.com.`,
    );
  }
  return { issuer, name: own };
}

const RULE = `issuer, name, role, sees_all AS "seesAll", document_sets AS "documentSets", pairs`;

/** Every rule; that of everybody first. */
export function* listRules(): Steps<GroupRule[]> {
  return (yield* all(`SELECT ${RULE} FROM group_rules ORDER BY issuer, name`)).map(ruleOf);
}

function ruleOf(row: Row): GroupRule {
  const rule = withJson<GroupRule>(row, "documentSets", "pairs");
  return { ...rule, seesAll: Number(rule.seesAll) === 1 };
}

/** What a rule is changed by: what is absent stays as it is. */
export interface RuleChange {
  readonly role?: Role | undefined;
  readonly seesAll?: boolean | undefined;
  /** Added to what it gives already. */
  readonly documentSets?: readonly string[] | undefined;
  readonly pairs?: readonly number[] | undefined;
}

/** Gives more to the members of a group, or another role. Throws PersonError where there is no such set or pair. */
export function* setRule({ issuer, name }: GroupOfRule, change: RuleChange): Steps<GroupRule> {
  yield* requireKnown("document set", change.documentSets ?? [], "SELECT name FROM document_sets");
  yield* requireKnown("pair", change.pairs ?? [], "SELECT id FROM pairs");
  yield* run("INSERT INTO group_rules (issuer, name) VALUES (?, ?) ON CONFLICT DO NOTHING", issuer, name);
  const row = yield* get(`SELECT ${RULE} FROM group_rules WHERE issuer = ? AND name = ?`, issuer, name);
  if (row === undefined) throw new Error("a rule that was just made is missing");
  const before = ruleOf(row);
  const rule: GroupRule = {
    ...before,
    role: change.role ?? before.role,
    seesAll: change.seesAll ?? before.seesAll,
    documentSets: [...new Set([...before.documentSets, ...(change.documentSets ?? [])])],
    pairs: [...new Set([...before.pairs, ...(change.pairs ?? [])])],
  };
  yield* run(
    `UPDATE group_rules SET role = ?, sees_all = ?, document_sets = ?, pairs = ? WHERE issuer = ? AND name = ?`,
    rule.role,
    rule.seesAll ? 1 : 0,
    JSON.stringify(rule.documentSets),
    JSON.stringify(rule.pairs),
    issuer,
    name,
  );
  return rule;
}

function* requireKnown(what: string, named: readonly (string | number)[], sql: string): Steps<void> {
  if (named.length === 0) return;
  const known = new Set(yield* values<string | number>(sql));
  const unknown = named.filter((one) => !known.has(one));
  if (unknown.length === 0) return;
  throw new PersonError(`There is no ${what} ${unknown.join(", ")}. \`threadlore ${what} list\` shows them.`);
}

/** Takes a rule away; whoever was in the group has nothing by it from then on. Answers whether there was one. */
export function* removeRule({ issuer, name }: GroupOfRule): Steps<boolean> {
  return (yield* run("DELETE FROM group_rules WHERE issuer = ? AND name = ?", issuer, name)) > 0;
}

/** What rules give to a person now. */
export function* grantsOf(person: number): Steps<Grant[]> {
  const rows = yield* all(
    `SELECT role, sees_all AS "seesAll", document_sets AS "documentSets", pairs
     FROM memberships JOIN group_rules ON group_rules.issuer = memberships.issuer AND group_rules.name = memberships.name
     WHERE person = ?`,
    person,
  );
  return rows.map(ruleOf);
}

const RANK: Readonly<Record<Role, number>> = { ordinary: 0, editor: 1, admin: 2 };

/** What all rules together give somebody who signed in: the highest role, and everything any of them shows. */
export function unionOf(grants: readonly Grant[]): Grant & { readonly role: Role } {
  return {
    role: grants.reduce<Role>((best, { role }) => (role !== null && RANK[role] > RANK[best] ? role : best), "ordinary"),
    seesAll: grants.some(({ seesAll }) => seesAll),
    documentSets: [...new Set(grants.flatMap(({ documentSets }) => documentSets))].toSorted(),
    pairs: [...new Set(grants.flatMap(({ pairs }) => pairs))].toSorted((one, other) => one - other),
  };
}
