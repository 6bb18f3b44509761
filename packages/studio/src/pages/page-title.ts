import { useEffect } from 'preact/hooks';

/** The title of the window. */
export function useTitle(...parts: readonly (string | undefined)[]): void {
  const title = [...parts, 'Unroll'].filter((part) => part !== undefined && part !== '').join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
