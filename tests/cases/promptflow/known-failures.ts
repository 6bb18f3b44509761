/** Cases that do not hold yet, with what they wait for. A case that begins to hold must be taken off. */
export const knownFailures: ReadonlyMap<string, string> = new Map();
