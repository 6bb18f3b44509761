/** Pixels from the upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** `x`, `y` are the middle. */
export interface Area extends Point {
  readonly width: number;
  readonly height: number;
}
