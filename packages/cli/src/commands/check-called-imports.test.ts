// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { expect, test } from 'vitest';
import { createTestWorld } from '../testing/test-io.ts';
import { writeFiles } from '../testing/write-files.ts';

const always = '- {name: say, type: python, source: {type: code, path: say.py}, inputs: {word: "${inputs.word}"}}\n';
const tool = 'from promptflow.core import tool\n';
const marked = (body: string) => `${tool}@tool\ndef say(word=""):\n    """Says."""\n${body}`;

function flowOf(nodes: string): string {
  const outputs = 'outputs: {said: {type: string, reference: "${say.output}"}}\n';
  return `inputs: {word: {type: string, default: a}}\n${outputs}nodes:\n${nodes}`;
}

async function checked(files: Readonly<Record<string, string>>) {
  using world = createTestWorld();
  writeFiles(world.folder, { 'f/flow.dag.yaml': flowOf(always), ...files });
  return { check: await world.flow('check', 'f'), run: await world.flow('run', 'f') };
}

test.for([
  ['first', marked('    import no_such\n    return 1\n'), 'say.py:5:12'],
  [
    'after a call',
    marked('    word = word.upper()\n    if word:\n        word = ""\n    import no_such\n'),
    'say.py:8:12',
  ],
  ['through a file of its own', marked('    from helper import help_me\n    return help_me()\n'), 'helper.py:1:8'],
  ['one that waits', `${tool}@tool\nasync def say(word):\n    import no_such\n`, 'say.py:4:12'],
  [
    'a method',
    `from promptflow.core import ToolProvider, tool\nclass Say(ToolProvider):\n    @tool\n    def say(self, word):\n        import no_such\n`,
    'say.py:5:16',
  ],
] as const)('a module that is not there and the tool imports as it is called: %s', async ([, text, place]) => {
  const { check, run } = await checked({ 'f/say.py': text, 'f/helper.py': 'import no_such\ndef help_me(): pass\n' });
  const told = "the module no_such is not found by the flow's Python; code of the flow that is called imports it";
  expect(check.stdout).toContain(`f/${place} warning IMPORT_MISSING ${told}, and fails where a row comes to it\n`);
  expect(check.stdout).toMatch(/: 1 node, runs as far as the modules that are not found are not needed\n$/);
  expect([check.code, run.code]).toEqual([0, 1]);
  expect(run.stdout + run.stderr).toContain("No module named 'no_such'");
});

test.for([
  ['after a return', marked('    return word\n    import no_such\n')],
  ['after what may return', marked('    if word:\n        return 1\n    import no_such\n')],
  ['tried', marked('    try:\n        import no_such\n    except ImportError:\n        return 1\n')],
  ['under a condition', marked('    if not word:\n        import no_such\n    return 1\n')],
  ['in a function that is not called', `${marked('    return 1\n')}\ndef _never():\n    import no_such\n`],
] as const)('a module that a call need not come to is not told: %s', async ([, text]) => {
  const { check, run } = await checked({ 'f/say.py': text });
  expect([check.code, check.stdout, run.code]).toEqual([0, '✓ f/flow.dag.yaml: 1 node, ready to run\n', 0]);
});
