import {
  type ConnectionOverride,
  checkFlow,
  checkInstalled,
  type Diagnostic,
  flowFilesOf,
  type Plan,
  readSourceFile,
} from '@unroll/engine';
import { compose } from '../connections/compose.ts';
import type { System } from '../host/project-host.ts';
import { checkGiven } from './check-given.ts';
import { checkValues } from './check-values.ts';
import type { FoundFlow } from './find-flow.ts';
import { variantReference } from './flow-settings.ts';

/** What is wrong with a flow. */
export interface FlowCheck {
  /** Whether it can run; warnings keep no flow from it. */
  readonly isRight: boolean;
  /** The flow's file, as it can be typed. */
  readonly path: string;
  readonly plan?: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface CheckSettings {
  readonly variant?: string | undefined;
  readonly connectionsFile?: string | undefined;
  readonly overrides?: readonly ConnectionOverride[] | undefined;
  /** Variables of the nodes, as they would be given to a run. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

/** Finds all mistakes of a flow and of the files it names, and what is not installed for it; no model is asked, no code runs. */
export async function checkFoundFlow(
  found: FoundFlow,
  { variant, connectionsFile, overrides = [], environment = {} }: CheckSettings,
  system: System,
): Promise<FlowCheck> {
  const composed = compose(system, found.folder, connectionsFile);
  const file = readSourceFile(found.file, system.folder);
  const { files, includes } = flowFilesOf(found, system.folder);
  const chosen = variant === undefined ? {} : { variant: variantReference(variant) };
  const checked = checkFlow(file, { ...composed, files, overrides, environment, ...chosen });
  const { plan, diagnostics: ofFlow } = checked;
  const missing = await checkInstalled(checked, { ...composed, files, includes, environment });
  const variables = { ...system.environment, ...environment };
  const notGiven = checkGiven(plan, { ...composed, files, environment: variables });
  const unusable = await checkValues(checked, found.folder, system);
  const { connectionDoubts } = composed;
  const diagnostics = [...includes.diagnostics, ...ofFlow, ...missing, ...notGiven, ...unusable, ...connectionDoubts];
  const isRight = plan !== undefined && diagnostics.every(({ severity }) => severity === 'warning');
  return { isRight, path: file.path, plan, diagnostics };
}
