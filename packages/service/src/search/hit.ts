/** A passage that matched. */
export interface Hit {
  /** Of the passage. */
  readonly id: number;
  /** Number of the document it is of: ids are unique within a pair only. */
  readonly document: number;
  /** Higher is better; comparable within one list only. */
  readonly score: number;
}
