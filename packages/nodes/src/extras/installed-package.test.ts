import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { missingProvider } from './installed-package.ts';
import { modelProviders } from './model-providers.ts';

const folder = mkdtempSync(join(tmpdir(), 'unroll-installed-'));
const ours = join(folder, 'ours/file.js');
const beside = join(folder, 'flow');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(Object.entries(modelProviders))(
  'the package of type %s is told with its version, and found beside the flow',
  (type, { pinned }) => {
    const name = pinned.replace(/@\d+$/, '');
    const missing = () => missingProvider({ type, configs: {} }, [beside], ours);
    expect(missing()).toEqual({
      message: `a connection of type ${type} needs ${name}, which is not installed`,
      install: `npm install ${name}@${pinned.slice(name.length + 1)}`,
    });
    const at = join(beside, 'node_modules', name);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify({ name }));
    expect(missing()).toBeUndefined();
  },
);
