import type { KeptEmbedder } from '@unroll/nodes/build-index';
import { ProjectFailure } from '@unroll/project';
import type { Options } from '../command-spec.ts';
import { textOf, wholeNumberOf } from '../option-values.ts';

/** The embedding model that a command line names. @throws ProjectFailure where it is named in part */
export function embedderOf(options: Options): KeptEmbedder | undefined {
  const connection = textOf(options, 'embedder');
  const model = textOf(options, 'model');
  const dimensions = wholeNumberOf(options, 'dimensions', 1);
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
