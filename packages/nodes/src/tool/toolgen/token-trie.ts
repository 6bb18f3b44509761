type Branch = Map<number, Branch>;

/** Raised where two sequences are the same or one is the start of another: an end token makes starts legal. */
export class TokenTrieError extends Error {
  readonly code = 'prefix_or_duplicate';
}

/** The sequences of token ids that name a tool; what may follow a prefix is known at each step. */
export class TokenTrie {
  /** Longest sequence. */
  readonly height: number;
  private readonly root: Branch = new Map();

  /** @throws TokenTrieError */
  constructor(sequences: readonly (readonly number[])[]) {
    for (const sequence of sequences) {
      let branch = this.root;
      for (const id of sequence) {
        const next = branch.get(id) ?? new Map();
        branch.set(id, next);
        branch = next;
      }
    }
    this.height = Math.max(0, ...sequences.map(({ length }) => length));
    const leaves = countLeaves(this.root);
    if (sequences.length > 0 && leaves !== sequences.length) {
      throw new TokenTrieError(
        `${sequences.length} sequences end in ${leaves} leaves: some are equal, or start another`,
      );
    }
  }

  /** Ids that may follow, ascending; empty at the end of a sequence; undefined for a prefix of no sequence. */
  next(prefix: readonly number[]): readonly number[] | undefined {
    let branch = this.root;
    for (const id of prefix) {
      const following = branch.get(id);
      if (following === undefined) return undefined;
      branch = following;
    }
    return [...branch.keys()].sort((one, other) => one - other);
  }
}

function countLeaves(branch: Branch): number {
  if (branch.size === 0) return 1;
  let leaves = 0;
  for (const next of branch.values()) leaves += countLeaves(next);
  return leaves;
}
