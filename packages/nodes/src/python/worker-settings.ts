import type { OnPiece } from '@unroll/engine';
import type { Sighting } from '../observe/sighting.ts';
import type { PythonStandIn } from './python-stand-ins.ts';
import type { Reply } from './worker-reply.ts';

/** How to start workers: the same for all of a flow. */
export interface WorkerSettings {
  readonly command: string;
  /** Absolute; becomes the working folder. */
  readonly folder: string;
  /** Variables beside those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly standIns: readonly PythonStandIn[];
  /** Told of what code was seen to read, before the replies that it had a part in. */
  readonly onSeen: (sightings: readonly Sighting[]) => void;
}

export interface Waiting {
  readonly resolve: (reply: Reply) => void;
  readonly onPiece: OnPiece | undefined;
}
