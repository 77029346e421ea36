import { type BaseFilters, parseMoment } from "@threadlore/client/models";
import type { Steps } from "../store/steps.ts";
import { pairsInSets } from "../store/visibility.ts";
import type { Filter } from "./postings/scope.ts";

/** What may be found of what a caller sees. An empty list is no restriction; several tags are alternatives, as on
 * deployed servers. */
export function* filterOf(filters: BaseFilters): Steps<Filter> {
  const { document_set: sets, source_type: sources, tags, time_cutoff, updated_at_range: range } = filters;
  const since = [time_cutoff, range?.start].flatMap((moment) => (moment == null ? [] : [parseMoment(moment) ?? 0]));
  const until = range?.end == null ? undefined : (parseMoment(range.end) ?? 0);
  return {
    pairs: sets?.length ? yield* pairsInSets(sets) : undefined,
    sources: sources?.length ? sources : undefined,
    tags: tags?.length ? tags.map(({ tag_key, tag_value }) => ({ key: tag_key, value: tag_value })) : undefined,
    since: since.length === 0 ? undefined : Math.max(...since),
    until,
  };
}
