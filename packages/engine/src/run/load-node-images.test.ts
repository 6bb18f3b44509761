// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references of the flow language look like templates
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseFlow } from '../flow/parse-flow.ts';
import { bindReferences } from '../plan/bind-references.ts';
import { stringifyJson } from '../value/json.ts';
import { loadNodeImages } from './load-images.ts';

const text = `inputs: {picture: {type: image}, s: {type: string}}
nodes:
- {name: a, type: python}
- {name: n, type: python, inputs: {p: "\${inputs.picture}", s: "\${inputs.s}", given: "\${a.output}"}}
`;

test('a node that runs alone gets the images its inputs name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-alone-'));
  try {
    writeFileSync(join(folder, 'dot.gif'), 'GIF89a');
    const { spec } = parseFlow({ path: 'flow.dag.yaml', text }, { nodeTypes: ['python'] });
    const plan = spec === undefined ? undefined : bindReferences(spec).plan;
    const node = plan?.nodes.find(({ name }) => name === 'n');
    if (plan === undefined || node === undefined) throw new Error('the flow of this test cannot be read');
    const sources = { folder, format: 'basic', fetcher: undefined, inTexts: false } as const;
    const inputs = { p: 'dot.gif', s: 'dot.gif', given: [{ 'data:image/gif;path': 'dot.gif' }] };
    const loaded = await loadNodeImages(node, plan, inputs, sources);
    const image = { 'data:image/gif;base64': 'R0lGODlh' };
    expect(loaded.ok && JSON.parse(stringifyJson(loaded.inputs))).toEqual({ p: image, s: 'dot.gif', given: [image] });
    expect(await loadNodeImages(node, plan, { p: 'gone.gif' }, sources)).toMatchObject({
      ok: false,
      error: { code: 'LoadMultimediaDataError' },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
