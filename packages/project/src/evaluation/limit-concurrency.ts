/** Begins so many pieces of work at the same time; the others wait for their turn. What answers at once needs none. */
export function limitConcurrency(most: number): <T>(work: () => T | Promise<T>) => T | Promise<T> {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const begin = <T>(work: () => T | Promise<T>): T | Promise<T> => {
    const result = work();
    if (!(result instanceof Promise)) return result;
    underWay += 1;
    return result.finally(() => {
      underWay -= 1;
      waiting.shift()?.();
    });
  };
  const later = async <T>(work: () => T | Promise<T>): Promise<T> => {
    while (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    return begin(work);
  };
  return (work) => (underWay >= most ? later(work) : begin(work));
}
