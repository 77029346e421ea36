/** A passage that matched. */
export interface Hit {
  /** Of the passage. */
  readonly id: number;
  readonly documentId: string;
  /** Higher is better; comparable within one list only. */
  readonly score: number;
}
