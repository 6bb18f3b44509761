import { asksBaseline, type EvalSpec } from '@unroll/evals';
import { ProjectFailure } from '../host/project-failure.ts';
import { acceptHelp } from './baseline-file.ts';
import type { EvalFile } from './find-eval.ts';

/**
 * A gate that nothing can fail is no gate.
 *
 * @throws ProjectFailure where no metric has one, or one is held to a baseline that there is not
 */
export function checkAsks(spec: EvalSpec, found: EvalFile, hasBaseline: boolean): void {
  const asking = spec.metrics.filter((metric) => metric.gate !== undefined);
  if (asking.length === 0) {
    throw new ProjectFailure(`no metric of ${found.shown} has a gate`, {
      help: 'Give one: gate: {min: 0.9}, or gate: {no_worse_than: baseline}.',
      code: 'GateNotFound',
    });
  }
  const held = asking.find((metric) => asksBaseline(metric.gate));
  if (held === undefined || hasBaseline) return;
  throw new ProjectFailure(`metric "${held.name}" is held to a baseline, and none was accepted yet`, {
    help: acceptHelp(found),
    code: 'BaselineNotFound',
  });
}
