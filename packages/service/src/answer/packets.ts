/** The packets a run sends, in the shapes deployed servers use (docs/wire.md, sections 1.1 to 1.4). */
import type {
  ErrorPacket,
  Finding,
  MessageIdsPacket,
  PacketObject,
  Placement,
  SearchDoc,
  SessionPacket,
} from "@threadlore/client/models";
import type { Doubt } from "./by-model/claims/claim.ts";
import { citationMark } from "./citations.ts";
import type { Source } from "./source.ts";

/** What goes over the wire, one JSON object each. */
export type WirePacket = SessionPacket | MessageIdsPacket | ErrorPacket | PlacedWirePacket;
export type PlacedWirePacket = { placement: Placement; obj: PacketObject };

export function isPlaced(packet: WirePacket): packet is PlacedWirePacket {
  return "obj" in packet;
}

/** A packet of a run; `stored` is the text to keep instead of a message_delta's content, where they differ. */
export interface Emission {
  readonly packet: WirePacket;
  readonly stored?: string;
}

/** Where a step of a run is shown: its turn, the branch within it, and the step within that branch. */
export interface PacketPlace {
  readonly turn: number;
  readonly tab?: number;
  readonly sub?: number;
}

export function placed({ turn, tab = 0, sub }: PacketPlace, obj: PacketObject): Emission {
  const placement = { turn_index: turn, tab_index: tab, sub_turn_index: sub ?? null, model_index: 0 };
  return { packet: { placement, obj } };
}

/** A packet of the server itself rather than of a model's turn. */
export function serverMade(turn: number, obj: PacketObject): Emission {
  return { packet: { placement: { turn_index: turn, tab_index: 0, sub_turn_index: null, model_index: null }, obj } };
}

/**
 * Begins a group of message deltas; only the last group of a run is its answer.
 * @param finding how the answer stands to the question, where that is known before its first word
 */
export function messageStart(turn: number, documents: readonly SearchDoc[], finding?: Finding): Emission {
  const told = finding === undefined ? {} : { finding };
  return placed({ turn }, { type: "message_start", final_documents: [...documents], ...told });
}

export function messageDelta(turn: number, content: string, stored?: string): Emission {
  const { packet } = placed({ turn }, { type: "message_delta", content });
  return stored === undefined ? { packet } : { packet, stored };
}

/** A remark on the sentence before it, in words and for programs: what it says that the sources it cites do not. */
export function doubted(
  turn: number,
  content: string,
  { cited, doubt }: { readonly cited: readonly number[]; readonly doubt: Doubt },
): Emission {
  const { values, isOpposite } = doubt;
  const not_in_source = { citation_numbers: [...cited], values: [...values], opposite: isOpposite };
  return placed({ turn }, { type: "message_delta", content, not_in_source });
}

/**
 * Cites a source: the first time with the packet that says what its number stands for. A link of text that is never stored
 * is not stored either.
 */
export function* citation(
  turn: number,
  number: number,
  { documentId, link, passing }: Source,
  { isFirst, before }: { readonly isFirst: boolean; readonly before: string },
): Generator<Emission> {
  if (isFirst) yield placed({ turn }, { type: "citation_info", citation_number: number, document_id: documentId });
  const mark = (to: string | null) => before + citationMark(number, to);
  yield messageDelta(turn, mark(link), passing ? mark(null) : undefined);
}

/** Why a run failed, after the status 200 is out. There is never a stack trace in it. */
export function errorPacket(error: string, code: string, retryable: boolean): WirePacket {
  return { error, error_code: code, is_retryable: retryable, stack_trace: null, details: null };
}
