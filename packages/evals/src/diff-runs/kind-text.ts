import { type ChangeKind, changeKinds } from '../attribute-changes/attribution.ts';
import type { NodeDiff } from './run-diff.ts';
import { causeText, isCause, type Language } from './verdict.ts';
import { diffVerdictWords } from './verdict-words.ts';

/** How many row pairs differ for which reason: `cause 10, noise 2`. */
export function kindCounts({ kinds }: NodeDiff): readonly { readonly kind: ChangeKind; readonly rows: number }[] {
  return changeKinds.flatMap((kind) => {
    const rows = kinds[kind] ?? 0;
    return rows === 0 ? [] : [{ kind, rows }];
  });
}

/** What a table says beside the kinds: the parts that changed, else where it comes from. */
export function reasonText(node: NodeDiff, language: Language = 'en'): string {
  const words = diffVerdictWords[language];
  const own = isCause(node) || node.onlyIn !== undefined ? causeText(node, language) : idleText(node, language);
  const ways = node.origins
    .slice(0, 3)
    .map(({ steps, from }) => `${steps.join(' → ')}${from === 'noise' ? words.ofNoise : ''}`);
  const rest = node.origins.length - ways.length;
  return [own, ...ways, rest > 0 ? words.more(rest) : ''].filter((part) => part !== '').join('; ');
}

function idleText(node: NodeDiff, language: Language): string {
  if ((node.changedParts ?? []).length === 0) return '';
  return diffVerdictWords[language].noEffect(causeText(node, language));
}
