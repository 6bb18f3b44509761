import { type NodeRun, NumberMap, type RunNode } from '@unroll/engine';

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
  /** Made for the first node of a loop. */
  loops?: LoopTracks;
}

interface LoopTracks {
  readonly loops: Map<string, { any: number; readonly bypassedFamilies: Set<string> }>;
  readonly last: Map<string, number>;
}

/** How far a row went round a loop is how far a family came that was bypassed; where none was, how far any node came. */
export function createRowTracks(nodes: readonly RunNode[]): RowTracks {
  const known = new Map(nodes.map((node) => [node.name, node]));
  const tracks = new NumberMap<Track>();
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
      if (run.status !== 'Bypassed') {
        track.ran += 1;
        if (run.cache === 'hit') track.hits += 1;
      }
      noteIteration(track, known.get(run.node), run);
    },
    end(row) {
      const key = placeNumber(row);
      const track = tracks.get(key);
      tracks.delete(key);
      if (track === undefined) return { isCached: false, went: new Map() };
      return { isCached: track.ran > 0 && track.hits === track.ran, went: iterationsOf(track) };
    },
  };
}

/** A row's place as one number: a name would be made again for every node. */
function placeNumber({ line, repeat = 0 }: RowPlace): number {
  return line * 2 ** 20 + repeat;
}

function noteIteration(row: Track, node: RunNode | undefined, run: NodeRun): void {
  const { loop, family, iteration } = node ?? {};
  if (loop === undefined || family === undefined || iteration === undefined || iteration === 0) return;
  row.loops ??= { loops: new Map(), last: new Map() };
  const track = row.loops;
  const seen = track.loops.get(loop) ?? { any: 0, bypassedFamilies: new Set<string>() };
  track.loops.set(loop, seen);
  if (run.status === 'Bypassed') {
    seen.bypassedFamilies.add(family);
    return;
  }
  seen.any = Math.max(seen.any, iteration);
  const key = `${loop}\0${family}`;
  track.last.set(key, Math.max(track.last.get(key) ?? 0, iteration));
}

const noLoops: ReadonlyMap<string, number> = new Map();

function iterationsOf({ loops: track }: Track): ReadonlyMap<string, number> {
  if (track === undefined) return noLoops;
  return new Map(
    [...track.loops].map(([loop, { any, bypassedFamilies }]) => {
      if (bypassedFamilies.size === 0) return [loop, any];
      return [loop, Math.max(...[...bypassedFamilies].map((family) => track.last.get(`${loop}\0${family}`) ?? 0))];
    }),
  );
}
