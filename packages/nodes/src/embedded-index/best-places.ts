/**
 * Places of the largest scores, largest first, by a heap whose root is the least of them. O(scores + places log places) but for
 * unlucky orders.
 *
 * @param count how many at most
 */
export function bestPlaces(scores: Float32Array, count: number): readonly number[] {
  const size = Math.min(count, scores.length);
  const heap: Heap = { scores: new Float64Array(size), places: new Int32Array(size), filled: 0 };
  let least = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at] as number;
    if (score <= least) continue;
    put(heap, score, at);
    if (heap.filled === size) least = heap.scores[0] as number;
  }
  const order = Array.from({ length: heap.filled }, (_, index) => index);
  order.sort((left, right) => (heap.scores[right] ?? 0) - (heap.scores[left] ?? 0));
  return order.map((index) => heap.places[index] ?? 0);
}

interface Heap {
  readonly scores: Float64Array;
  readonly places: Int32Array;
  filled: number;
}

/** In place of the root when the heap is full. */
function put(heap: Heap, score: number, place: number): void {
  if (heap.filled < heap.scores.length) {
    heap.filled += 1;
    rise(heap, heap.filled - 1, score, place);
  } else sink(heap, score, place);
}

function rise({ scores, places }: Heap, from: number, score: number, place: number): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((scores[parent] as number) <= score) break;
    scores[at] = scores[parent] as number;
    places[at] = places[parent] as number;
    at = parent;
  }
  scores[at] = score;
  places[at] = place;
}

function sink({ scores, places, filled }: Heap, score: number, place: number): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= filled) break;
    const right = left + 1;
    const child = right < filled && (scores[right] as number) < (scores[left] as number) ? right : left;
    if ((scores[child] as number) >= score) break;
    scores[at] = scores[child] as number;
    places[at] = places[child] as number;
    at = child;
  }
  scores[at] = score;
  places[at] = place;
}
