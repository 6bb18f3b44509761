import { answer } from './answer.ts';

export async function handler({ server, percent }: { readonly server: string; readonly percent: number }) {
  return answer(`${server}: しきい値を ${percent} % にしました (threshold set)`);
}
