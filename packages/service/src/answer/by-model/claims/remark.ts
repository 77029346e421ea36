/** A doubt, in words. */
import { LinkGuard } from "../link-guard.ts";
import type { Wording } from "../../wording/wording.ts";
import type { Doubt } from "./claim.ts";

/** Values that are named, and characters of each: a remark is a few words. */
const MAX_VALUES = 5;
const MAX_LENGTH = 80;

/** What stands behind a doubtful sentence, with the blank before it where its language writes one. */
export function remarkOf({ values, isOpposite }: Doubt, wording: Wording): string {
  const named = values.slice(0, MAX_VALUES).map(shown);
  const remarks = [
    ...(named.length > 0 ? [wording.notInSource(named)] : []),
    ...(isOpposite ? [wording.oppositeInSource] : []),
  ];
  // Set apart from the model's words; where no blank stands between sentences, stars would not be read as emphasis.
  const isSpaced = wording.language !== "ja";
  return remarks.map((remark) => (isSpaced ? ` *${remark}*` : remark)).join("");
}

/** The words are the model's: an address among them is no link here either. */
function shown(value: string): string {
  const short = value.length <= MAX_LENGTH ? value : `${value.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
  const guard = new LinkGuard([]);
  return guard.push(short.replace(/[\\[\]<>()*_]/g, "")) + guard.settle();
}
