import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** `pnpm demo [--language en|ja]`: the privacy agent is asked one question, in the language of the one who asks. */
const questions: Readonly<Record<string, string>> = {
  en: 'Do I need consent to give personal data to a contractor?',
  ja: '委託先に個人データを渡すとき、本人の同意は要りますか',
};

const { values } = parseArgs({ options: { language: { type: 'string' } } });
const language = values.language ?? languageOf(process.env);
const question = questions[language];
if (question === undefined) {
  process.stderr.write(`--language: expected en or ja, not "${language}"\n`);
  process.exit(2);
}
const root = join(import.meta.dirname, '..');
const command = [join(root, 'packages/cli/bin/flow.js'), 'run', 'flows/privacy-agent', '--input', `query=${question}`];
const child = spawn(process.execPath, command, { cwd: root, stdio: 'inherit' });
child.on('close', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
});

/** As POSIX orders the variables; the system's own setting where none is set, as on Windows. */
function languageOf({ LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv): 'en' | 'ja' {
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((one) => one !== undefined && one !== '');
  return /^ja\b|^ja_/u.test(locale ?? Intl.DateTimeFormat().resolvedOptions().locale) ? 'ja' : 'en';
}
