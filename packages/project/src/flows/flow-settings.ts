import type { Budget, ConnectionOverride, JsonObject, NodeWrapper, OracleRule } from '@unroll/engine';
import type { PermitsOf } from '@unroll/nodes';
import type { ProjectHost } from '../host/project-host.ts';
import type { OpenedEarlierRun } from '../records/since-run.ts';

/** What has a say in how a flow is made ready to run. */
export interface FlowSettings {
  /** `node.variant`, for instance `ask.variant_1`. */
  readonly variant?: string | undefined;
  /** Looked into before all others. */
  readonly connectionsFile?: string | undefined;
  readonly overrides: readonly ConnectionOverride[];
  /** Variables of the nodes; a value `${connection.key}` stands for that of the connection. */
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments of a class that is the flow. */
  readonly init?: JsonObject | undefined;
  /** For nodes that have no time limit of their own. */
  readonly nodeTimeoutMs?: number | undefined;
  readonly limitRpm?: Limit | undefined;
  readonly limitTpm?: Limit | undefined;
  /** Calls under way at the same time. */
  readonly limitCalls?: Limit | undefined;
  /** Permits to call a connection, among other processes too; among the calls of this flow where absent. */
  readonly permitsOf?: PermitsOf | undefined;
  /** Of the whole run: once it is reached no new row starts. */
  readonly budget?: Budget | undefined;
  readonly rowBudget?: Budget | undefined;
  readonly only?: ReadonlySet<string> | undefined;
  /** Aborted before the flow is ready, gives it up. */
  readonly signal?: AbortSignal | undefined;
  /** Run whose outputs stand in where nothing has changed, as `earlierRunName` gives it. */
  readonly since?: string | undefined;
  /** Opens the run of `since`; among the records of this machine where absent. */
  readonly openEarlier?: ((name: string, host: ProjectHost) => Promise<OpenedEarlierRun>) | undefined;
  /** Outputs that nodes are given; all else that does not read them is taken from the run of `since`. */
  readonly given?: OracleOutputs | undefined;
  /** A change that is tried on the run of `since`. */
  readonly trial?: Trial | undefined;
  readonly cassette?: CassetteSettings | undefined;
  /** Further concerns round each node, the last outermost. */
  readonly wrappers?: readonly NodeWrapper[] | undefined;
  /** Folder that shown paths are seen from, absolute; the project's where absent. */
  readonly shownFrom?: string | undefined;
  /** Whether inputs come from strangers, as over HTTP. */
  readonly guardsImageFiles?: boolean | undefined;
  /** Whether pictures may be fetched from addresses that are not of the public internet. */
  readonly allowsPrivateImages?: boolean | undefined;
}

/** A limit for every connection, or for those named. */
export interface Limit {
  readonly each?: number;
  readonly byConnection: Readonly<Record<string, number>>;
}

/** A change of a flow that stands in no file yet, and what runs to see what it does. */
interface Trial {
  /** Texts in the place of those of files, by their absolute paths. */
  readonly edits: ReadonlyMap<string, string>;
  /** Names of the nodes that run again; what reads them follows, all else gives what it gave. */
  readonly nodes: ReadonlySet<string>;
  /** As the record keeps it. */
  readonly about: JsonObject;
}

export type OracleOutputs = Omit<OracleRule, 'before'>;

/** A file that model calls are recorded in, or answered from; `all` records calls again that are on it. */
export type CassetteSettings =
  | {
      readonly record: string;
      readonly recordMode?: 'new' | 'all' | undefined;
      /** Whether the run goes on: calls of its rows that are done are not asked for again. */
      readonly isResumed?: boolean;
    }
  | {
      readonly replay: string;
      /** Whether others are answered from it too: what was not asked here says nothing then. */
      readonly isShared?: boolean;
    };

/** `ask.variant_1` in the spelling of Prompt flow, `${ask.variant_1}`, which may be given as well. */
export function variantReference(given: string): string {
  return /^[^${}.]+\.[^${}]+$/.test(given) ? `\${${given}}` : given;
}
