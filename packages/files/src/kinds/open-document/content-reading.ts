import type { KindText } from "../../part.ts";
import type { XmlHandler } from "../archive/xml.ts";

/** Who reads the content of an OpenDocument file of one kind. */
export interface ContentReading extends XmlHandler {
  result(): KindText;
}
