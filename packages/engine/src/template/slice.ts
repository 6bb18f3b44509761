import type { SliceBounds } from './python-types.ts';
import { index } from './python-values.ts';
import { raise } from './template-error.ts';

interface SlicePlaces {
  readonly start: number;
  readonly stop: number;
  readonly step: number;
}

/** Python's `slice.indices(size)`. */
export function slicePlaces(bounds: SliceBounds, size: number): SlicePlaces {
  const message = 'slice indices must be integers or None or have an __index__ method';
  const step = bounds.step === null ? 1 : index(bounds.step, message);
  if (step === 0) return raise('ValueError', 'slice step cannot be zero');
  const clamp = (value: unknown, fallback: number): number => {
    if (value === null) return fallback;
    const given = index(value, message);
    const at = given < 0 ? given + size : given;
    return step > 0 ? Math.min(Math.max(at, 0), size) : Math.min(Math.max(at, -1), size - 1);
  };
  const start = clamp(bounds.start, step > 0 ? 0 : size - 1);
  return { start, stop: clamp(bounds.stop, step > 0 ? size : -1), step };
}

/** The indexes a Python slice takes of `size` items. */
export function sliceIndexes(bounds: SliceBounds, size: number): number[] {
  const { start, stop, step } = slicePlaces(bounds, size);
  const indexes: number[] = [];
  for (let at = start; step > 0 ? at < stop : at > stop; at += step) indexes.push(at);
  return indexes;
}
