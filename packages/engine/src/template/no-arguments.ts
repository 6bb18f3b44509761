import type { Arguments } from './ast.ts';

export const noArguments: Arguments = { args: [], keywords: [], spread: null, keywordSpread: null };
