import { isUtf8 } from 'node:buffer';
import type { NeededVariable } from './built-connections.ts';
import type { FlowCopy } from './flow-copy.ts';

/** Variables that prompties of a flow name in their configuration, `${env:NAME}`: each must be there where the flow is served. */
export function promptyVariables({ files }: Pick<FlowCopy, 'files'>): readonly NeededVariable[] {
  const found = [...files].flatMap(([path, bytes]) => {
    const text = path.endsWith('.prompty') && isUtf8(bytes) ? Buffer.from(bytes).toString() : '';
    const [, configuration = ''] = /^\s*---[^\S\n]*\r?\n(.*?)\n---/s.exec(text) ?? [];
    return [...configuration.matchAll(/\$\{env:\s*([^}\s]+)\s*\}/g)].map(([, name = '']) => [name, path] as const);
  });
  const readers = Map.groupBy(found, ([name]) => name);
  return [...readers].map(([name, by]) => {
    return { name, about: `read by ${[...new Set(by.map(([, path]) => path))].join(', ')}` };
  });
}
