import { type Archive, partAt } from "../archive/archive.ts";
import { localName } from "../archive/xml.ts";

/** A part that another one names. */
export interface Relation {
  readonly id: string;
  /** The last word of its type: `slide`, `worksheet`, `notesSlide`. The rest differs between versions of the standard. */
  readonly type: string;
  /** Where it is in the archive. */
  readonly part: string;
}

/** Parts that one may name. */
const MAX_RELATIONS = 20_000;

/** What a part of an office document refers to, within the archive. */
export async function relationsOf(archive: Archive, part: string): Promise<Relation[]> {
  const relations: Relation[] = [];
  const slash = part.lastIndexOf("/") + 1;
  await archive.read(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`, {
    open(name, { Id: id, Type: type, Target: target, TargetMode: mode }) {
      if (localName(name) !== "Relationship" || relations.length >= MAX_RELATIONS) return;
      if (id === undefined || type === undefined || target === undefined || mode === "External") return;
      relations.push({ id, type: type.slice(type.lastIndexOf("/") + 1), part: partAt(target, part) });
    },
    close: () => undefined,
    text: () => undefined,
  });
  return relations;
}
