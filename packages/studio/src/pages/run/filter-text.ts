import type { RowFilter } from '@unroll/project/studio-contract';
import { words } from '../../words/words.ts';

/** A filter in words, for its chip: `first bad: agent_1`. */
export function filterText(filter: RowFilter): string {
  const { filterNames: names, status } = words.value;
  switch (filter.by) {
    case 'status':
      return `${names.status}: ${status[filter.is]}`;
    case 'node':
      return `${filter.node}: ${status[filter.is]}`;
    case 'turns':
      return `${filter.loop}, ${names.turns}: ${filter.is}`;
    case 'score':
      return `${filter.metric}: ${names[filter.is]}`;
    case 'score-range':
      return [filter.above ?? '', filter.metric, filter.below ?? ''].join(' < ').replace(/^ < | < $/g, '');
    case 'first-bad':
      return `${names.firstBad}: ${filter.node}`;
    case 'label':
      return `${names.label} ${filter.name}: ${names[filter.is]}`;
    case 'text':
      return `${names.text}: ${filter.is}`;
  }
}

/** A filter that is offered: in English with the words it comes with. */
export function facetText({ filter, title }: { readonly filter: RowFilter; readonly title: string }): string {
  return words.value.language === 'en' ? title : filterText(filter);
}
