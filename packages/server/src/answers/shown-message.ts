import type { ServedFlow } from '@unroll/project';
import type { Serving } from './serving.ts';

/** The message of a failure as clients are told it: where the flow and the project lie is nobody's business. */
export function shownMessage(message: string, { folder }: ServedFlow, { host }: Serving): string {
  return [folder, host.folder].reduce((text, path) => text.replaceAll(`${path}/`, '').replaceAll(path, '.'), message);
}
