import type { FlowSpec } from '../flow/flow-spec.ts';
import type { FlowFiles } from '../node/node-type.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { meantText } from '../source/nearest-name.ts';
import { isMapping } from '../value/shapes.ts';
import { nearestFile } from './check-files.ts';

const key = 'python_requirements_txt';
const installed = 'requirements.txt';

/** `environment: {python_requirements_txt: …}` that names no file, or another one than that which is installed. */
export function checkRequirements(spec: FlowSpec, files: FlowFiles): readonly Diagnostic[] {
  const { environment = null } = spec.otherKeys;
  const path = isMapping(environment) ? environment[key] : undefined;
  if (typeof path !== 'string' || path === '') return [];
  const isThere = files.read(path) !== undefined;
  if (isThere && path.replace(/^\.\//, '') === installed) return [];
  const told = isThere ? notInstalled(path) : missing(path, files);
  return [{ severity: 'warning', code: 'FILE_MISSING', span: spec.locate(['environment', key]), ...told }];
}

type Told = Pick<Diagnostic, 'message' | 'help'>;

function missing(path: string, files: FlowFiles): Told {
  const near = nearestFile(path, files.list());
  return {
    message: `there is no file "${path}", which python_requirements_txt names`,
    help: near === undefined ? undefined : meantText(path, near),
  };
}

function notInstalled(path: string): Told {
  return {
    message: `flow python setup installs requirements.txt of the flow's folder, not "${path}"`,
    help: `put \`-r ${path}\` into a requirements.txt`,
  };
}
