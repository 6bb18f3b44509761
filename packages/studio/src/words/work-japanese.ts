import type { workEnglish } from './work-english.ts';

export const workJapanese: typeof workEnglish = {
  title: '処理の状況',
  worker: 'ワーカー',
  rows: '行',
  nodes: '実行中のノード',
  heard: '最後の応答',
  ago: (time) => `${time} 前`,
  at: (host, process) => `${host} のプロセス ${process}`,
  nobody: 'ワーカーがありません。同じアドレスで flow worker --engine を起動してください。',
  stopping: '新しい行は始まりません。処理中の行は完了まで続きます。',
  cannot: (reason) => `実行できません: ${reason}`,
  heldBack: (connection) => `${connection} が上限に達しています`,
  calls: (max) => `同時に ${max} 件まで`,
  waits: (time) => `あと ${time} 待機`,
  budget: '実行全体の予算',
  budgets: { tokens: 'トークン', cost: '費用', seconds: '時間' },
  spent: (spent, max) => `${max} のうち ${spent}`,
};
