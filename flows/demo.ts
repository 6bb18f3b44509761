import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readerLanguage } from '../packages/cli/src/text/reader-language.ts';

/** `pnpm demo [--language en|ja]`: the privacy agent is asked one question, in the language of the one who asks. */
const questions: Readonly<Record<string, string>> = {
  en: 'Do I need consent to give personal data to a contractor?',
  ja: '委託先に個人データを渡すとき、本人の同意は要りますか',
};

const { values } = parseArgs({ options: { language: { type: 'string' } } });
const language = values.language ?? readerLanguage(process.env);
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
