import type { KeptEmbedder } from '@unroll/nodes/build-index';
import { ProjectFailure } from '@unroll/project';
import type { BuildIndexSettings } from '../options/index-options.ts';

type EmbedderSettings = Pick<BuildIndexSettings, 'embedder' | 'model' | 'dimensions'>;

/** The embedding model that a command line names. @throws ProjectFailure where it is named in part */
export function embedderOf({ embedder: connection, model, dimensions }: EmbedderSettings): KeptEmbedder | undefined {
  if (connection !== undefined) {
    return {
      connection,
      ...(model === undefined ? {} : { model }),
      ...(dimensions === undefined ? {} : { dimensions }),
    };
  }
  if (model === undefined && dimensions === undefined) return undefined;
  throw new ProjectFailure('--model and --dimensions need --embedder, the connection to the model');
}
