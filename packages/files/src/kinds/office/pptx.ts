import type { KindText } from "../../part.ts";
import { Archive } from "../archive/archive.ts";
import { ChartReading } from "./chart.ts";
import { DeckText } from "./deck-text.ts";
import { propertiesOf } from "./properties.ts";
import { type Relation, relationsOf } from "./relations.ts";
import { SlideOrder, SlideReading } from "./slide.ts";

const PRESENTATION = "ppt/presentation.xml";

/**
 * Reads a presentation (PPTX, also with macros, which are left out): one part per slide that holds text, under its title, with
 * what its speaker noted. Hidden slides are left out and counted. Slides beyond `characters` are not read.
 */
export async function partsOfPptx(bytes: Uint8Array, file: string, characters: number): Promise<KindText> {
  const archive = new Archive(bytes, file);
  const properties = await propertiesOf(archive);
  const order = new SlideOrder();
  await archive.read(PRESENTATION, order);
  const slides = new Map((await relationsOf(archive, PRESENTATION)).map(({ id, part }) => [id, part]));
  const deck = new DeckText(characters);
  for (const id of order.ids) {
    if (deck.full) break;
    const part = slides.get(id);
    const slide = new SlideReading();
    if (part === undefined || !(await archive.read(part, slide))) deck.skip(false);
    else if (slide.hidden) deck.skip(true);
    else {
      const relations = await relationsOf(archive, part);
      const drawings = [await textsOf(archive, relations, "diagramData"), await chartsOf(archive, relations)];
      const notes = await textsOf(archive, relations, "notesSlide");
      deck.add(slide.result(), drawings.filter((text) => text !== "").join("\n\n"), notes);
    }
  }
  return { ...deck.result(properties.title), ...withoutTitle(properties), macros: archive.has("ppt/vbaProject.bin") };
}

const withoutTitle = ({ authors = [], updated }: Pick<KindText, "authors" | "updated">) => ({ authors, updated });

/** Parts a slide may have of one kind. */
const MAX_PARTS = 50;

async function chartsOf(archive: Archive, relations: readonly Relation[]): Promise<string> {
  const texts: string[] = [];
  for (const { part } of relations.filter(({ type }) => type === "chart").slice(0, MAX_PARTS)) {
    const chart = new ChartReading();
    await archive.read(part, chart);
    texts.push(chart.result());
  }
  return texts.filter((text) => text !== "").join("\n\n");
}

async function textsOf(archive: Archive, relations: readonly Relation[], type: string): Promise<string> {
  const texts: string[] = [];
  for (const { part } of relations.filter((relation) => relation.type === type).slice(0, MAX_PARTS)) {
    const reading = new SlideReading(type === "notesSlide");
    await archive.read(part, reading);
    texts.push(reading.result().text);
  }
  return texts.filter((text) => text !== "").join("\n\n");
}
