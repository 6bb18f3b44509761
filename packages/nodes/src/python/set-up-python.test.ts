import { expect, test } from 'vitest';
import { explainFailure } from './set-up-python.ts';

test.for([
  [
    "WARNING: Retrying (Retry(total=0, …)) after connection broken by 'NewConnectionError('<…>: Failed to establish a new connection: [Errno 111] Connection refused')': /simple/some-package/\nERROR: Could not find a version that satisfies the requirement some-package==1 (from versions: none)\nERROR: No matching distribution found for some-package==1",
    'the package index is not reached',
  ],
  [
    "WARNING: Retrying … Failed to resolve 'pypi.org' ([Errno -3] Temporary failure in name resolution)",
    'the package index is not reached',
  ],
  [
    'ERROR: Could not find a version that satisfies the requirement nmpy (from versions: none)\nERROR: No matching distribution found for nmpy',
    'there is no nmpy for this Python',
  ],
  [
    'The virtual environment was not created successfully because ensurepip is not available.',
    'this Python cannot make environments',
  ],
  ['/usr/bin/python3: No module named venv', 'this Python cannot make environments'],
  ['error: subprocess-exited-with-error', 'the requirements cannot be installed'],
] as const)('%s', ([said, message]) => {
  expect(explainFailure(said, false).message).toBe(message);
});

test('one that was stopped says so', () => {
  expect(explainFailure('', true).message).toBe('stopped');
});
