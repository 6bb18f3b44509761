import { isMapping, parseJson } from '@unroll/engine';
import { importsFromElsewhere } from '@unroll/nodes';
import { notify, type ProjectHost } from '../host/project-host.ts';
import type { FlowCopy } from './flow-copy.ts';

/**
 * Warns of what code of the flow imports here and will not find where it is served.
 *
 * @param manifest the package.json that is installed there
 */
export function reportImports({ files }: FlowCopy, manifest: Uint8Array | undefined, host: ProjectHost): void {
  const code = [...files].filter(([path]) => /\.[cm]?[jt]s$/.test(path));
  const texts = new Map(code.map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
  const installed = installedBy(manifest);
  for (const { path, name, packageName } of importsFromElsewhere(texts)) {
    if (packageName !== undefined && installed.has(packageName)) continue;
    const why =
      packageName === undefined
        ? "which lies outside of the flow's folder and is not taken along: list it under additional_includes, and import it as it lies in the folder then"
        : `which is not installed where the flow is served: name ${packageName} in the dependencies of a package.json in the flow's folder`;
    notify(host, { kind: 'warning', message: `${path} imports ${name}, ${why}` });
  }
}

function installedBy(manifest: Uint8Array | undefined): ReadonlySet<string> {
  const read = manifest === undefined ? {} : parseJson(Buffer.from(manifest).toString());
  const dependencies = isMapping(read) ? (read['dependencies'] ?? {}) : {};
  return new Set(isMapping(dependencies) ? Object.keys(dependencies) : []);
}
