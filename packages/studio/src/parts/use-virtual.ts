import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

/** The rows of a long list that are seen, and a few around them. Every row is `height` pixels high. */
export function useVirtual(
  scrolled: RefObject<HTMLElement | null>,
  count: number,
  height: number,
): Virtualizer<HTMLElement, HTMLElement> {
  const [, redraw] = useReducer<number, undefined>((times) => times + 1, 0);
  const options = {
    count,
    getScrollElement: () => scrolled.current,
    estimateSize: () => height,
    overscan: 12,
    // The heads lie over the first pixels.
    scrollPaddingEnd: 31,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  useLayoutEffect(() => virtualizer.measure(), [height]);
  return virtualizer;
}
