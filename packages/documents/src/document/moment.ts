import { parseMoment } from "@threadlore/client/models";

/**
 * A date as people and files write it -> ISO 8601 with an offset, or undefined when it is none. A time without an
 * offset counts as UTC: deployed servers never update a document that once had none (docs/wire.md, section 3).
 */
export function moment(written: string): string | undefined {
  const match =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)?\s*(Z|UTC|[+-]\d{2}:?\d{2})?$/i.exec(
      written.trim(),
    ) ??
    /^(?:D:)?(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?(Z|[+-]\d{2}'?\d{2}|[+-]\d{2})?/.exec(
      written.trim().replaceAll("'", ""),
    );
  if (match === null) return undefined;
  const [, year = "", month = "", day = "", hour = "00", minute = "00", second = "00", offset = "Z"] = match;
  const two = (digits: string) => digits.padStart(2, "0");
  const zone = /^[+-]/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3).replace(":", "") || "00"}` : "Z";
  const iso = `${year}-${two(month)}-${two(day)}T${hour}:${minute}:${second}${zone}`;
  const time = parseMoment(iso);
  if (time === undefined) return undefined;
  return zone === "Z" ? iso : new Date(time).toISOString().replace(".000Z", "Z");
}
