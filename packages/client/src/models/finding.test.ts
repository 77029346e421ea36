import { describe, expect, it } from "vitest";
import { createPacketDecoder, isPlacedPacket } from "../index.ts";
import { ChatFullResponse, Finding, type Packet } from "../models.ts";

const closest = { document_id: "travel", title: "Travel", link: null, sentence: "Book trains in second class." };
const says = { document_id: "leave", title: "Leave", link: "https://handbook.example/leave", says: "30 days" };

describe("Finding", () => {
  it("has empty lists where nothing is said", () => {
    expect(Finding.parse({ state: "quote" })).toEqual({ state: "quote", closest: [], conflict: [], corrected: [] });
  });

  it("takes states of later servers, and keeps what it does not know", () => {
    const told = { state: "guess", odds: 3, closest: [{ ...closest, score: 2 }], conflict: [says], corrected: [] };
    expect(Finding.parse(told)).toEqual(told);
  });

  it("may be absent, and null, in a complete response", () => {
    expect(ChatFullResponse.parse({ answer: "Yes." }).finding).toBeUndefined();
    expect(ChatFullResponse.parse({ answer: "Yes.", finding: null }).finding).toBeNull();
    const finding = { state: "nothing", reason: "No document mentions “Mongolia”." };
    expect(ChatFullResponse.parse({ answer: "No.", finding }).finding).toMatchObject(finding);
  });

  it("comes with the packet an answer begins with", () => {
    const finding = { state: "closest", reason: null, closest: [closest], conflict: [], corrected: [] };
    const obj = { type: "message_start", final_documents: null, finding };
    const line = `${JSON.stringify({ placement: { turn_index: 0, tab_index: 0 }, obj })}\n`;
    const packets: Packet[] = createPacketDecoder().push(new TextEncoder().encode(line));
    expect(packets.find(isPlacedPacket)?.obj).toEqual(obj);
  });
});
