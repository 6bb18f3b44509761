import { answer } from './answer.ts';

export async function handler({ server }: { readonly server: string }) {
  if (server === 'db01') throw new Error('db01 は自動では再起動できません (db01 must be restarted by hand)');
  return answer(`${server}: 再起動を受け付けました (restart accepted)`);
}
