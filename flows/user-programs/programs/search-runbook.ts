import { answer } from './answer.ts';

const runbook = [
  {
    id: 'RB-01',
    words: /過負荷|負荷|overload|load/i,
    text: '負荷が高いときは、重い処理を止め、台数を増やします。(Stop heavy jobs, then add servers.)',
  },
  {
    id: 'RB-02',
    words: /ディスク|容量|disk/i,
    text: '空きが足りないときは、古いログを退避します。(Move old logs away.)',
  },
  {
    id: 'RB-03',
    words: /接続|connection/i,
    text: '接続が多いときは、接続プールの上限を見直します。(Review the limit of the pool.)',
  },
];

export async function handler({ query }: { readonly query: string }) {
  const found = runbook.filter(({ words }) => words.test(query));
  const texts = found.map(({ id, text }) => `[${id}] ${text}`);
  return answer(texts.join('\n') || '手順はありません。(No procedure.)');
}
