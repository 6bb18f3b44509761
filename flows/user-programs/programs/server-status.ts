import { answer } from './answer.ts';

const servers: Readonly<Record<string, { readonly state: string; readonly cpu: number; readonly memory: number }>> = {
  web01: { state: '稼働中 (running)', cpu: 35, memory: 61 },
  web02: { state: '過負荷 (overloaded)', cpu: 97, memory: 88 },
  db01: { state: '稼働中 (running)', cpu: 52, memory: 73 },
};

export async function handler({ server }: { readonly server: string }) {
  const found = servers[server];
  if (found === undefined) throw new RangeError(`there is no server ${server}`);
  return answer(`${server}: ${found.state}, CPU ${found.cpu} %, メモリー ${found.memory} %`);
}
