import { promptFlowModules } from '@unroll/promptflow';
import { expect, test } from 'vitest';
import { createTestFlow } from '../testing/test-flow.ts';

test('before it runs, a node is made of its file, of the version of Python and of the variables of the flow', async () => {
  const files = {
    'n.py': 'import a\nfrom promptflow.core import tool\nWORDS = "words.txt"\n@tool\ndef run(x):\n    return x\n',
    'a.py': '',
    'words.txt': '',
    'requirements.txt': 'numpy==2\n',
  };
  const environment = { TONE: 'polite', MY_KEY: 'secret' };
  await using flow = createTestFlow(files, { standIns: [promptFlowModules], environment });
  const parts = await (await flow.prepare('n.py', { literals: { x: 'words.txt' } })).parts?.();
  const digest = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(parts).toEqual({ python: expect.stringMatching(/^3\.\d+$/), 'code n.py': digest, variables: digest });
});
