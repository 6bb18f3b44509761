import { hasRun, loopShapes, type NodeRun, type RunNode, tellingNodes } from '@unroll/engine';

/** What is known of a row while it is under way, so that it can be folded when it ends. */
export interface RowTracks {
  node(run: NodeRun): void;
  /** Forgets the row. */
  end(row: RowPlace): RowTrack;
}

type RowPlace = Pick<NodeRun, 'line' | 'repeat'>;

interface RowTrack {
  /** Nodes ran, and every one of them was answered from the cache. */
  readonly isCached: boolean;
  /** By loop, how many times the row went round it. */
  readonly went: ReadonlyMap<string, number>;
}

interface Track {
  hits: number;
  ran: number;
  /** In the order of the loops, how many times it went round each so far; made for the first node of a loop. */
  went?: number[];
}

export function createRowTracks(nodes: readonly RunNode[]): RowTracks {
  const shapes = loopShapes(nodes);
  const loops = shapes.map(({ name }) => name);
  const turns = new Map(
    shapes.flatMap((shape, loop) => [...tellingNodes(shape)].map(([name, turn]) => [name, { loop, turn }] as const)),
  );
  const tracks = new Map<number, Track>();
  const trackOf = (key: number): Track => {
    const known = tracks.get(key);
    if (known !== undefined) return known;
    const track: Track = { hits: 0, ran: 0 };
    tracks.set(key, track);
    return track;
  };
  return {
    node(run) {
      if (run.status === 'NotRun') return;
      const track = trackOf(placeNumber(run));
      if (!hasRun(run.status)) return;
      track.ran += 1;
      if (run.cache === 'hit') track.hits += 1;
      const at = turns.get(run.node);
      if (at === undefined) return;
      track.went ??= loops.map(() => 0);
      track.went[at.loop] = Math.max(track.went[at.loop] ?? 0, at.turn);
    },
    end(row) {
      const key = placeNumber(row);
      const track = tracks.get(key);
      tracks.delete(key);
      if (track === undefined) return { isCached: false, went: noLoops };
      const went = loops.length === 0 ? noLoops : new Map(loops.map((loop, at) => [loop, track.went?.[at] ?? 0]));
      return { isCached: track.ran > 0 && track.hits === track.ran, went };
    },
  };
}

const noLoops: ReadonlyMap<string, number> = new Map();

/** A row's place as one number: a name would be made again for every node. */
function placeNumber({ line, repeat = 0 }: RowPlace): number {
  return line * 2 ** 20 + repeat;
}
