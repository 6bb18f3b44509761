import { answer } from './answer.ts';

const used: Readonly<Record<string, number>> = { web01: 41, web02: 78 };

export async function handler({ server }: { readonly server: string }) {
  const share = used[server];
  if (share === undefined)
    throw new Error(`${server} の監視エージェントが応答しません (the agent of ${server} does not answer)`);
  return answer(`${server}: 使用率 ${share} % (used)`);
}
