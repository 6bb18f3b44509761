import { ProjectFailure } from '../host/project-failure.ts';

export function noPython(tried: readonly string[]): ProjectFailure {
  return new ProjectFailure(`no Python was found: looked for ${tried.join(', ')}`, {
    help: 'Install Python 3.9 or newer, or name it in UNROLL_PYTHON.',
  });
}
