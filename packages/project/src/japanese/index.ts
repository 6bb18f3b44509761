export { commandFailureInJapanese } from './commands/command-failures-in-japanese.ts';
export { diagnosticInJapanese } from './diagnostic-in-japanese.ts';
export { mistakeInJapanese, mistakesInJapanese } from './mistakes/mistakes-in-japanese.ts';
export { anyTextInJapanese, endInJapanese, ownTextInJapanese, toldInJapanese } from './told/told-in-japanese.ts';
