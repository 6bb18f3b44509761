import { execFileSync } from 'node:child_process';
import { expect, inject, test } from 'vitest';
import { startFlow } from '../testing/flow-process.ts';
import { createTestWorld, type TestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const given: readonly {
  readonly words: readonly string[];
  readonly offers: readonly string[];
  readonly not?: string;
}[] = [
  { words: ['ru'], offers: ['run', 'runs'], not: 'chat' },
  { words: ['connection', ''], offers: ['list', 'test', 'import'] },
  { words: ['run', 'flow', '--tim'], offers: ['--timeout'] },
  { words: ['run', ''], offers: ['my-flow/', '個人情報/'], not: '.flow/' },
  { words: ['run', 'my-flow/'], offers: ['my-flow/flow.dag.yaml'] },
  { words: ['run', './my'], offers: ['./my-flow/'] },
  { words: ['run', 'my-flow', '--data', 'my-flow/d'], offers: ['my-flow/data.jsonl'] },
  { words: ['show', ''], offers: ['latest', '20261121-064500-my-flow-a1b2'] },
  { words: ['graph', 'my-flow', '--direction', ''], offers: ['down', 'right'] },
  { words: ['completion', ''], offers: ['bash', 'zsh', 'fish', 'powershell'], not: 'complete' },
];

function project(): TestWorld {
  const world = createTestWorld();
  writeFiles(world.folder, {
    'my-flow/flow.dag.yaml': 'nodes: []\n',
    'my-flow/data.jsonl': '{}\n',
    '個人情報/flow.dag.yaml': 'nodes: []\n',
    '.flow/runs/20261121-064500-my-flow-a1b2.run': '',
  });
  return world;
}

test.each(given)('flow $words', async ({ words, offers, not }) => {
  using world = project();
  const said = await startFlow(['completion', 'complete', '--', ...words], { folder: world.folder }).ended;
  const offered = said.stdout.split('\n').map((line) => line.split('\t')[0]);
  expect(offered).toEqual(expect.arrayContaining([...offers]));
  expect(offered).not.toContain(not ?? '?');
  expect(said).toMatchObject({ code: 0, stderr: '' });
});

test('bash itself completes with the script', () => {
  using world = project();
  const flow = `${JSON.stringify(process.execPath)} ${JSON.stringify(inject('builtFlow'))}`;
  const script = [
    `flow() { ${flow} "$@"; }`,
    // Of bash-completion, which machines of users have.
    '_get_comp_words_by_ref() { cur=${COMP_WORDS[COMP_CWORD]}; words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; }',
    'source <(flow completion bash)',
    'COMP_WORDS=(flow conn); COMP_CWORD=1; COMP_LINE="flow conn"; COMP_POINT=9; COMP_TYPE=9',
    '__flow_complete; echo "${COMPREPLY[@]}"',
  ].join('\n');
  expect(execFileSync('bash', ['-c', script], { cwd: world.folder, encoding: 'utf8' })).toBe('connection\n');
});

test('a shell that is not known', async () => {
  using world = project();
  const said = await startFlow(['completion', 'tcsh'], { folder: world.folder }).ended;
  expect(said).toMatchObject({ code: 2, stderr: 'error: <shell> is one of bash, zsh, fish, powershell\n' });
});
