import { fileURLToPath } from 'node:url';
import { type CatalogueTool, openCatalogue } from '@unroll/nodes/tool-catalogue';
import { tokenOf } from '@unroll/nodes/toolgen';

/** The APIs of this flow, by name and by token. */
export interface Apis {
  byName(name: string): CatalogueTool | undefined;
  byToken(token: string): CatalogueTool | undefined;
}

export function openApis(): Apis {
  const { catalogue } = openCatalogue(fileURLToPath(new URL('apis.jsonl', import.meta.url)), 'apis.jsonl');
  const tokens = new Map(catalogue.tools.map((tool) => [tokenOf(tool), tool]));
  return { byName: (name) => catalogue.find(name), byToken: (token) => tokens.get(token) };
}
