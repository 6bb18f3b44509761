import type { RunPage } from '@unroll/project/studio-contract';

/** What a graph is coloured by. */
export type MeasureName = RunPage['measures'][number];
