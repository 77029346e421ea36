import type { Service } from "@threadlore/service";
import { createClient } from "@threadlore/client";
import { seededRandom } from "@threadlore/testkit";

/** A passage of a handbook. */
export interface Passage {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const SITES = "Alder Brook|Birchgate|Cold Ash|Dunmere|Elmswell|Fenwick|Garrow|Hollin Bank|Ivel Park|Jarrow Lane".split(
  "|",
);
const THINGS = [
  "air compressor|lathe|overhead door|greenhouse|forklift|conveyor|paint booth|weighbridge|cold room|sprinkler pump",
  "meeting room|bicycle store|post room|cleaning cupboard|franking machine|badge reader|archive|lift|smoke alarm|bulletin board",
  "apprentice scheme|company pension|works council|suggestion prize|jubilee gift|blood donation day|summer party|choir",
  "supplier audit|goods receipt|returns desk|credit note|price list|customs file|quality circle|tool crib|spare parts shelf",
  "printer|car park|training course|visitor badge|company van|home office|travel policy|telephone list|canteen terrace",
].flatMap((some) => some.split("|"));
const ROLES =
  "the shift lead|the works office|facilities|the purchasing desk|the safety officer|the team assistant|the plant manager|accounts";
const DAYS =
  "Monday|Tuesday|Wednesday|Thursday|Friday|the first working day of a month|the end of a quarter|the last shift";
const ASPECTS: readonly (readonly string[])[] = [
  [
    "{Role} looks after the {thing} at {site}.",
    "It is checked on {day}, and what is found goes into book {n}.",
    "Whoever notices a fault writes it on the card beside it.",
    "Repairs over {n} pounds need a second signature.",
  ],
  [
    "The {thing} at {site} is open to everybody who has signed sheet {n}.",
    "Ask {role} for the sheet; it is renewed on {day}.",
    "Groups of more than {n} people are announced a week ahead.",
    "Lost sheets are written out again on request.",
  ],
  [
    "Costs of the {thing} at {site} are booked by {role} on account {n}.",
    "The account is closed on {day}.",
    "Receipts are kept for {n} months and then shredded.",
    "Questions about single bookings are answered by mail.",
  ],
  [
    "When the {thing} at {site} is moved, {role} is told {n} days before.",
    "The plan hangs at the entrance until {day}.",
    "Signs are put up by whoever moves it.",
    "The old place is swept and handed over in writing.",
  ],
  [
    "For the {thing} at {site} there is a list of {n} points that new colleagues are shown.",
    "{Role} goes through it with them on {day}.",
    "Both sign, and a copy stays with the newcomer.",
    "The list is read again after {n} months.",
  ],
];

/**
 * So many passages about everyday things of another works, always the same ones. They share plenty of words with what people ask,
 * and answer none of the questions of the sets that gaps are measured by.
 */
export function worksPassages(count: number): readonly Passage[] {
  const random = seededRandom(5);
  const of = (some: readonly string[]): string => some[Math.floor(random() * some.length)] ?? "";
  return Array.from({ length: count }, (_, at) => {
    const thing = THINGS[at % THINGS.length] ?? "";
    const site = SITES[Math.floor(at / THINGS.length) % SITES.length] ?? "";
    const hall = Math.floor(at / (THINGS.length * SITES.length)) + 1;
    const aspect = ASPECTS[at % ASPECTS.length] ?? [];
    const sentences = aspect.map((sentence) => {
      const role = of(ROLES.split("|"));
      return sentence
        .replace("{Role}", `${role.charAt(0).toUpperCase()}${role.slice(1)}`)
        .replace("{role}", role)
        .replace("{day}", of(DAYS.split("|")))
        .replace("{thing}", thing)
        .replace("{site}", `${site}, hall ${hall}`)
        .replaceAll("{n}", () => String(2 + Math.floor(random() * 900)));
    });
    return { id: `works-${at}`, title: `${thing} at ${site}, hall ${hall}`, text: sentences.join(" ") };
  });
}

/** Sent at one time: the service lets no more of one caller wait. */
const AT_ONCE = 64;

/** Has a service store and index passages, each a document of its own. */
export async function addPassages(
  { service, apiKey }: { readonly service: Service; readonly apiKey: string },
  passages: readonly Passage[],
): Promise<void> {
  const fetch = (request: Request): Promise<Response> => service.fetch(request);
  const client = createClient({ baseUrl: "http://127.0.0.1:8412", apiKey, fetch });
  const rest = passages.values();
  const send = async (): Promise<void> => {
    for (const { id, title, text } of rest) {
      const link = `https://works.example/${id}`;
      await client.ingest({ document: { id, semantic_identifier: title, sections: [{ text, link }], source: "file" } });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  await service.drain();
}
