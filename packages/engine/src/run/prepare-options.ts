import type { ConnectionSource } from '../node/connection-source.ts';
import type { FlowFiles, NodeType, PrepareContext } from '../node/node-type.ts';
import type { EarlierRun } from '../record/earlier-run.ts';
import type { WrapperOptions } from './node-wrappers.ts';

/** How a flow is made ready, whether it is opened from its folder or given as a plan. */
export interface ReadyOptions
  extends WrapperOptions,
    Partial<Pick<PrepareContext, 'init' | 'inThreads' | 'imageFetcher'>> {
  readonly nodeTypes: ReadonlyMap<string, NodeType>;
  readonly connections: ConnectionSource;
  /** Variables given for this run; they win over the flow's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Only these nodes are made ready; for running one node alone. Mistakes elsewhere do not matter to them. */
  readonly only?: ReadonlySet<string>;
  /** Gives every record the fingerprint of what its output depends on. */
  readonly fingerprints?: boolean;
  /** Run whose outputs stand in for nodes that nothing has changed for; implies fingerprints. */
  readonly since?: EarlierRun;
  /** Aborted before the flow is ready, ends what makes it so: code that is imported without end. */
  readonly signal?: AbortSignal;
  /** Whether inputs come from strangers: paths of images in them lead to images in the flow's folder only. */
  readonly guardsImageFiles?: boolean;
}

export interface PrepareOptions extends ReadyOptions {
  readonly files: FlowFiles;
}
