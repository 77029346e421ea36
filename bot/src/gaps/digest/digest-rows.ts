/** Rows of a section of the digest. */
const MAX_ROWS = 5;

/** Some rows, and how many there are besides. */
export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly more: number;
}

/** The first of them, as many as a section has. */
export const some = <Row>(all: readonly Row[]): Rows<Row> => ({
  rows: all.slice(0, MAX_ROWS),
  more: Math.max(0, all.length - MAX_ROWS),
});
