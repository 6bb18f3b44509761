import { answer } from './answer.ts';

const alerts: Readonly<Record<string, readonly string[]>> = {
  critical: ['KAVB5150 web02: 応答時間が 5 秒を超えました (response time above 5 s)'],
  warning: ['KAVB5161 db01: 接続数が多くなっています (many connections)', 'KAVB5170 web02: CPU 97 %'],
};

export async function handler({ severity }: { readonly severity: string }) {
  const found = alerts[{ 重大: 'critical', 警告: 'warning' }[severity] ?? severity] ?? [];
  return answer(found.length === 0 ? '警報はありません。(No alerts.)' : found.join('\n'));
}
