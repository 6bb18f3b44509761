/**
 * Made when first asked for: a pattern with classes of Unicode takes V8 a millisecond to read, which a program that never
 * uses it need not wait for at its start.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
