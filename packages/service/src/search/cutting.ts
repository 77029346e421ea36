import type { Metadata } from "@threadlore/client/models";
import { ownerNames, type StoredDocument } from "../store/documents.ts";
import { chunkSection } from "./chunk.ts";
import type { Put } from "./hosting/index-work.ts";
import type { IndexedDocument, IndexedPassage } from "./postings/index-writer.ts";

/** What the index keeps of a document beside its passages. */
function indexedDocument({
  number,
  sequence,
  pairId,
  source,
  updatedAt,
  title,
  metadata,
}: StoredDocument): IndexedDocument {
  return {
    number,
    version: sequence,
    pair: pairId,
    source,
    updatedAt,
    title: title.slice(0, MAX_TITLE_LENGTH).toWellFormed(),
    tags: tagsOf(metadata),
  };
}

function tagsOf(metadata: Metadata): { key: string; value: string }[] {
  return Object.entries(metadata).flatMap(([key, value]) =>
    [...new Set(typeof value === "string" ? [value] : value)].map((one) => ({ key, value: one })),
  );
}

/** What a document is found by. The first passage also carries the words about the whole document. */
export function* passagesOf(
  document: StoredDocument,
  fileName: (id: string) => string | undefined,
): Generator<IndexedPassage> {
  const { sections } = document;
  const imageOf = (id: string | null | undefined) =>
    id == null ? undefined : fileName(id)?.slice(0, MAX_TITLE_LENGTH);
  const images = sections.map(({ image_file_id }) => imageOf(image_file_id)).filter((name) => name !== undefined);
  let about: string | undefined = aboutDocument(document, images);
  for (const { text, link, image_file_id } of sections) {
    const image = imageOf(image_file_id);
    let isEmpty = true;
    for (const { heading, text: piece } of chunkSection(text ?? "")) {
      yield { heading, text: piece, about: about ?? "", link: keptLink(link) };
      about = undefined;
      isEmpty = false;
    }
    // An image without a text is found, and quoted, by its file's name.
    if (!isEmpty || image === undefined) continue;
    yield { heading: "", text: image, about: about ?? "", link: keptLink(link) };
    about = undefined;
  }
  if (about !== undefined && document.title.trim() !== "") {
    yield { heading: "", text: "", about, link: firstLink(document) };
  }
}

function aboutDocument(document: StoredDocument, images: readonly string[]): string {
  const owners = [...(document.primaryOwners ?? []), ...(document.secondaryOwners ?? [])];
  const words = [
    ...(ownerNames(owners) ?? []),
    ...owners.map(({ email }) => email ?? ""),
    ...Object.values(document.metadata).flat(),
    ...images,
  ];
  return [...new Set(words)]
    .filter((word) => word !== "")
    .join("\n")
    .slice(0, MAX_ABOUT_LENGTH)
    .toWellFormed();
}

function firstLink(document: StoredDocument): string | null {
  return keptLink(document.sections.find(({ link }) => link != null)?.link);
}

/** What every passage carries is kept short: else one document with many passages could fill the disk. */
const MAX_TITLE_LENGTH = 300;
const MAX_ABOUT_LENGTH = 2_000;
const MAX_LINK_LENGTH = 8_000;

/** Half a link leads nowhere. */
function keptLink(link: string | null | undefined): string | null {
  return link == null || link.length > MAX_LINK_LENGTH ? null : link;
}

/** All passages of a document; undefined: it has more than so many. */
export function passagesUpTo(
  document: StoredDocument,
  fileName: (id: string) => string | undefined,
  most: number,
): IndexedPassage[] | undefined {
  const passages: IndexedPassage[] = [];
  for (const one of passagesOf(document, fileName)) if (passages.push(one) > most) return undefined;
  return passages;
}

/** A document, or its next passages, as the index takes it. */
export function putOf(
  document: StoredDocument,
  passages: readonly IndexedPassage[],
  from: number,
  isWhole: boolean,
): Put {
  return { document: indexedDocument(document), passages, from, isWhole };
}
